import { named, oneOf, type Static, Type } from '@icosa/contract'
import { kinds } from '../collections/names.ts'
import { api, ChosenId, DateTime, UserData, Uuid } from '../shapes/contract.ts'

const SnapshotType = oneOf(...kinds.map(({ name }) => name))
const ApplyScope = Type.Array(Uuid, { minItems: 1, maxItems: 100 })

const Snapshot = named('Snapshot', {
  id: Uuid,
  account: Type.String(),
  type: SnapshotType,
  applyScope: ApplyScope,
  userData: Type.Optional(UserData),
  createdTime: DateTime,
  lastUpdateTime: DateTime,
})
export interface Snapshot extends Static<typeof Snapshot> {}

export const snapshots = {
  take: api.post('/snapshots', {
    summary: 'Take a snapshot of a group or list, which accounts in its scope can apply. Continues in the background.',
    body: named('TakeSnapshot', {
      type: SnapshotType,
      objectId: ChosenId,
      applyScope: ApplyScope,
      userData: Type.Optional(UserData),
    }),
    replies: { 202: null },
  }),
  list: api.get('/snapshots', {
    summary: 'List the snapshots that the caller took or may apply.',
    query: Type.Object({
      type: Type.Optional(SnapshotType),
      applyScope: Type.Optional(Type.String({ pattern: '^[0-9a-f-]{36}(,[0-9a-f-]{36})*$', maxLength: 4_000 })),
    }),
    replies: { 200: Type.Array(Snapshot) },
  }),
  get: api.get('/snapshots/{snapshotId}', {
    summary: 'Read a snapshot that the caller took or may apply.',
    replies: { 200: Snapshot },
  }),
  update: api.patch('/snapshots/{snapshotId}', {
    summary: 'Change the scope or the user data of a snapshot.',
    body: named('UpdateSnapshot', { applyScope: Type.Optional(ApplyScope), userData: Type.Optional(UserData) }),
    replies: { 200: null },
  }),
  delete: api.delete('/snapshots/{snapshotId}', { summary: 'Delete a snapshot.', replies: { 200: null } }),
  apply: api.post('/snapshots/{snapshotId}/apply', {
    summary: 'Apply a snapshot: create a group or list from it, in the background.',
    body: named('ApplySnapshot', { objectId: ChosenId, mode: Type.Optional(oneOf('CreateNew')) }),
    replies: { 202: null },
  }),
}
