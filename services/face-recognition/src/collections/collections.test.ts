import type { TestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Callers, callersOf, photo, start } from '../testing/app.ts'
import { photosOf } from '../testing/photos.ts'

let app: TestApp
let acme: Callers
beforeAll(async () => {
  app = await start()
  acme = await callersOf(app)
}, 120_000)
afterAll(() => app[Symbol.asyncDispose]())

const [portrait = Buffer.alloc(0), second = Buffer.alloc(0)] = photosOf(1)

test('a group is created once, read, renamed, listed page by page, and deleted', async () => {
  const { groups } = acme
  for (const personGroupId of ['a', 'b', 'c'])
    await groups.create({
      params: { personGroupId },
      body: { name: `Group ${personGroupId}`, recognitionModel: 'recognition_02' },
    })
  const params = { personGroupId: 'b' }
  await expect(groups.create({ params, body: { name: 'Again' } })).rejects.toMatchObject({
    status: 409,
    body: { error: { code: 'PersonGroupExists' } },
  })
  await groups.update({ params, body: { userData: 'mine' } })
  expect((await groups.get({ params, query: { returnRecognitionModel: true } })).body).toEqual({
    personGroupId: 'b',
    name: 'Group b',
    userData: 'mine',
    recognitionModel: 'recognition_02',
  })
  const page = async (query: object) => (await groups.list({ query })).body.map(({ personGroupId }) => personGroupId)
  expect(await page({ top: 2 })).toEqual(['a', 'b'])
  expect(await page({ start: 'b', top: 2 })).toEqual(['c'])
  await groups.delete({ params })
  await expect(groups.get({ params })).rejects.toMatchObject({ body: { error: { code: 'PersonGroupNotFound' } } })
  await expect(groups.create({ params: { personGroupId: 'No Spaces' }, body: { name: 'x' } })).rejects.toMatchObject({
    status: 400,
  })
})

test('a person has faces, which are read, renamed and deleted one by one', async () => {
  const { largeGroups, largePersons } = acme
  const group = { largePersonGroupId: 'staff' }
  await largeGroups.create({ params: group, body: { name: 'Staff' } })
  const { personId } = (await largePersons.create({ params: group, body: { name: 'Jess' } })).body
  const params = { ...group, personId }
  const add = (content: Buffer, userData: string) =>
    largePersons.addFace({ params, query: { userData }, body: photo(content) })
  const first = (await add(portrait, 'first')).body.persistedFaceId
  await app.clock.advance(1)
  const last = (await add(second, 'last')).body.persistedFaceId
  expect((await largePersons.get({ params })).body).toEqual({ personId, name: 'Jess', persistedFaceIds: [first, last] })
  const face = { ...params, persistedFaceId: last }
  await largePersons.updateFace({ params: face, body: { userData: 'the second' } })
  expect((await largePersons.getFace({ params: face })).body).toEqual({ persistedFaceId: last, userData: 'the second' })
  await largePersons.deleteFace({ params: face })
  await expect(largePersons.getFace({ params: face })).rejects.toMatchObject({ status: 404 })
  expect((await largePersons.list({ params: group })).body[0]?.persistedFaceIds).toEqual([first])
})

test('a training without faces fails with a message', async () => {
  const params = { largeFaceListId: 'empty' }
  await acme.largeLists.create({ params, body: { name: 'Empty' } })
  await acme.largeLists.train({ params })
  await app.jobs.drain()
  const { body } = await acme.largeLists.getTrainingStatus({ params })
  expect(body).toMatchObject({ status: 'failed', message: expect.stringContaining('no face') })
})
