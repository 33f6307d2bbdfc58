import type { TestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Callers, callersOf, faceIn, photo, start } from '../testing/app.ts'
import { photosOf } from '../testing/photos.ts'
import { accountOf } from './account.ts'

let app: TestApp
let acme: Callers
let globex: Callers
beforeAll(async () => {
  app = await start()
  acme = await callersOf(app, 'acme')
  globex = await callersOf(app, 'globex')
}, 120_000)
afterAll(() => app[Symbol.asyncDispose]())

const largePersonGroupId = 'staff'
const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = photosOf(1)
let personId: string

const operationIn = ({ headers }: { headers: Headers }) => headers.get('operation-location')?.split('/').at(-1) ?? ''

async function takeSnapshot(applyScope: string[]): Promise<string> {
  const reply = await acme.snapshots.take({
    body: { type: 'LargePersonGroup', objectId: largePersonGroupId, applyScope },
  })
  expect(reply.status).toBe(202)
  await app.jobs.drain()
  const { body } = await acme.operations.getOperation({ params: { operationId: operationIn(reply) } })
  expect(body.status).toBe('succeeded')
  return body.resourceLocation?.split('/').at(-1) as string
}

test('a group is copied to another tenant with its persons, its faces and its training', async () => {
  await acme.largeGroups.create({ params: { largePersonGroupId }, body: { name: 'Staff', userData: 'all' } })
  const { body } = await acme.largePersons.create({ params: { largePersonGroupId }, body: { name: 'Jess' } })
  personId = body.personId
  await acme.largePersons.addFace({ params: { largePersonGroupId, personId }, body: photo(first) })
  await acme.largeGroups.train({ params: { largePersonGroupId } })
  await app.jobs.drain()
  const snapshotId = await takeSnapshot([accountOf('globex')])

  expect((await globex.snapshots.list({})).body).toMatchObject([{ id: snapshotId, account: accountOf('acme') }])
  const reply = await globex.snapshots.apply({
    params: { snapshotId },
    body: { objectId: 'copied', mode: 'CreateNew' },
  })
  await app.jobs.drain()
  const { body: operation } = await globex.operations.getOperation({ params: { operationId: operationIn(reply) } })
  expect(operation).toMatchObject({ status: 'succeeded', resourceLocation: '/largepersongroups/copied' })
  const copy = { params: { largePersonGroupId: 'copied' } }
  expect((await globex.largeGroups.get(copy)).body).toMatchObject({ name: 'Staff', userData: 'all' })
  expect((await globex.largePersons.list(copy)).body).toMatchObject([{ personId, name: 'Jess' }])
  const faceIds = [await faceIn(globex, second)]
  const identification = await globex.comparison.identify({ body: { faceIds, largePersonGroupId: 'copied' } })
  expect(identification.body[0]?.candidates).toMatchObject([{ personId }])
  const again = globex.snapshots.apply({ params: { snapshotId }, body: { objectId: 'copied', mode: 'CreateNew' } })
  await expect(again).rejects.toMatchObject({ status: 409, body: { error: { code: 'LargePersonGroupExists' } } })
}, 60_000)

test('a snapshot is invisible outside its scope, and only its owner can change or delete it', async () => {
  const snapshotId = await takeSnapshot([accountOf('acme')])
  const params = { snapshotId }
  const missing = { status: 404, body: { error: { code: 'SnapshotNotFound' } } }
  await expect(globex.snapshots.get({ params })).rejects.toMatchObject(missing)
  await expect(globex.snapshots.apply({ params, body: { objectId: 'mine' } })).rejects.toMatchObject(missing)
  await acme.snapshots.update({ params, body: { applyScope: [accountOf('globex')], userData: 'for globex' } })
  expect((await globex.snapshots.get({ params })).body).toMatchObject({ userData: 'for globex' })
  await expect(globex.snapshots.delete({ params })).rejects.toMatchObject(missing)
  await acme.snapshots.delete({ params })
  await expect(globex.snapshots.get({ params })).rejects.toMatchObject(missing)
  await app.jobs.drain()
  const { items } = await app.platform.blobs.list('face-recognition/acme/snapshots/', { limit: 10 })
  expect(items.some(({ key }) => key.includes(snapshotId))).toBe(false)
}, 60_000)

test('only accounts in its scope can apply a snapshot, even its owner', async () => {
  const params = { snapshotId: await takeSnapshot([accountOf('globex')]) }
  const apply = (objectId: string) => acme.snapshots.apply({ params, body: { objectId } })
  await expect(apply('mine')).rejects.toMatchObject({ status: 403 })
  await acme.snapshots.update({ params, body: { applyScope: [accountOf('acme')] } })
  expect((await apply('mine')).status).toBe(202)
  await app.jobs.drain()
}, 60_000)

test('a snapshot and its content are deleted after two days', async () => {
  const snapshotId = await takeSnapshot([accountOf('globex')])
  await app.clock.advance(48 * 3_600_000 + 1)
  await expect(globex.snapshots.get({ params: { snapshotId } })).rejects.toMatchObject({ status: 404 })
  await app.jobs.drain()
  expect((await app.platform.blobs.list('face-recognition/acme/snapshots/', { limit: 10 })).items).toEqual([])
}, 60_000)
