import { client } from '@icosa/client'
import type { Seed } from '@icosa/testing'
import { contracts } from '../contract.ts'
import { accountOf } from '../snapshots/account.ts'
import { photosOf } from './photos.ts'

export { accountOf }

const photo = (content: Uint8Array = Buffer.alloc(0)) => ({ mediaType: 'application/octet-stream', content })

interface Calls {
  readonly largePersons: ReturnType<typeof client<typeof contracts.LargePersonGroupPerson>>
  readonly listFaces: ReturnType<typeof client<typeof contracts.LargeFaceListFace>>
}

/** Creates a person and a face in a large group, and a face in a large list, each changed once. */
async function seedLarge(
  { largePersons, listFaces }: Calls,
  ids: Record<string, string>,
  body: ReturnType<typeof photo>,
) {
  const { personId } = (await largePersons.create({ params: ids, body: { name: 'Bob' } })).body
  const params = { ...ids, personId }
  await largePersons.update({ params, body: { name: 'Bert', userData: 'himself' } })
  const { persistedFaceId } = (await largePersons.addFace({ params, query: { userData: 'once' }, body })).body
  await largePersons.updateFace({ params: { ...params, persistedFaceId }, body: { userData: 'twice' } })
  const { body: face } = await listFaces.addFace({ params: ids, query: { userData: 'once' }, body })
  await listFaces.updateFace({ params: { ...ids, ...face }, body: { userData: 'twice' } })
}

/** Creates a group and a list of each size with a person and a face, trained, and a snapshot. */
export const seed: Seed = async (owner, app) => {
  const [first, second] = photosOf(0)
  const calls = {
    face: client(contracts.Face, owner),
    snapshots: client(contracts.Snapshot, owner),
    groups: client(contracts.PersonGroup, owner),
    persons: client(contracts.PersonGroupPerson, owner),
    largeGroups: client(contracts.LargePersonGroup, owner),
    largePersons: client(contracts.LargePersonGroupPerson, owner),
    lists: client(contracts.FaceList, owner),
    largeLists: client(contracts.LargeFaceList, owner),
    listFaces: client(contracts.LargeFaceListFace, owner),
  }
  const ids = { personGroupId: 'friends', largePersonGroupId: 'staff', faceListId: 'album', largeFaceListId: 'archive' }
  await calls.face.detect({ body: photo(second) })
  for (const collection of [calls.groups, calls.largeGroups, calls.lists, calls.largeLists])
    await collection.create({
      params: ids,
      body: { name: 'Mine', userData: 'all mine', recognitionModel: 'recognition_01' },
    })
  const { personId } = (await calls.persons.create({ params: ids, body: { name: 'Ada', userData: 'herself' } })).body
  const query = { userData: 'smiling' }
  const { persistedFaceId } = (await calls.persons.addFace({ params: { ...ids, personId }, query, body: photo(first) }))
    .body
  await seedLarge(calls, ids, photo(second))
  await calls.groups.train({ params: ids })
  const reply = await calls.snapshots.take({
    body: { type: 'PersonGroup', objectId: 'friends', applyScope: [accountOf('another')], userData: 'for another' },
  })
  await app.jobs.drain()
  const [snapshot] = (await calls.snapshots.list({})).body
  const operationId = reply.headers.get('operation-location')?.split('/').at(-1) ?? ''
  return { ...ids, personId, persistedFaceId, snapshotId: snapshot?.id ?? '', operationId }
}
