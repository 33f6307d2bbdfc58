import { named, oneOf, type Static, Type } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyHeader } from '../names.ts'

const name = Type.String({ pattern: '^[a-zA-Z\\d][\\w.-]{0,99}$' })
const { get, post, put, delete: remove } = keyed(keyHeader, { snapshot: name })
const time = Type.String({ format: 'date-time' })
const count = Type.Integer({ minimum: 0 })

const SnapshotSchema = named('Snapshot', {
  name: Type.String(),
  savedAt: time,
  bytes: count,
  files: count,
  version: Type.String({ description: 'Version of Icosa that saved it.' }),
})
export interface Snapshot extends Static<typeof SnapshotSchema> {}

const Action = named('SnapshotAction', {
  kind: oneOf('save', 'restore'),
  snapshot: Type.String(),
  state: oneOf('running', 'succeeded', 'failed'),
  message: Type.Optional(Type.String({ description: 'Why it failed.' })),
})
export interface SnapshotAction extends Static<typeof Action> {}

const Changes = named('SnapshotChanges', {
  tables: Type.Array(named('TableChanges', { table: Type.String(), added: count, removed: count, changed: count }), {
    description: 'Only tables that differ.',
  }),
})
export interface SnapshotChanges extends Static<typeof Changes> {}

export const snapshots = {
  listSnapshots: get('/snapshots', {
    summary: 'List the snapshots of the whole state, oldest first, with the running or last action.',
    replies: {
      200: named('Snapshots', { snapshots: Type.Array(SnapshotSchema), action: Type.Optional(Action) }),
    },
  }),
  saveSnapshot: put('/snapshots/{snapshot}', {
    summary: 'Save the whole state: rows, blobs, databases, clock. The node stops for it and starts again.',
    replies: { 202: Action },
  }),
  restoreSnapshot: post('/snapshots/{snapshot}/restore', {
    summary: 'Go back to a snapshot. Changes since then are lost. The node stops for it and starts again.',
    replies: { 202: Action },
  }),
  deleteSnapshot: remove('/snapshots/{snapshot}', { summary: 'Delete a snapshot.', replies: { 204: null } }),
  compareSnapshots: get('/snapshots/{snapshot}/changes', {
    summary: 'Compare two snapshots: the number of rows that were added, removed and changed, by table.',
    query: Type.Object({ to: name }),
    replies: { 200: Changes },
  }),
}
