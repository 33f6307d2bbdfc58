import type { TestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Callers, callersOf, faceIn, photo, start } from '../testing/app.ts'
import { groupPhoto, photosOf } from '../testing/photos.ts'

let app: TestApp
let acme: Callers
beforeAll(async () => {
  app = await start()
  acme = await callersOf(app)
}, 120_000)
afterAll(() => app[Symbol.asyncDispose]())

const personGroupId = 'friends'
const persons: string[] = []

const trainingPhotos = (index: number) => photosOf(index).slice(0, 2)
const probePhoto = (index: number) => photosOf(index).at(-1) as Buffer

test('persons of a group are identified once it is trained', async () => {
  const { groups, persons: people, comparison } = acme
  await groups.create({ params: { personGroupId }, body: { name: 'Friends' } })
  for (const index of [0, 1, 2]) {
    const { body } = await people.create({ params: { personGroupId }, body: { name: `Person ${index}` } })
    persons.push(body.personId)
    for (const content of trainingPhotos(index))
      await people.addFace({ params: { personGroupId, personId: body.personId }, query: {}, body: photo(content) })
  }
  const [first, second, unknown] = [
    await faceIn(acme, probePhoto(0)),
    await faceIn(acme, probePhoto(1)),
    await faceIn(acme, probePhoto(3)),
  ]
  const identify = () => comparison.identify({ body: { faceIds: [first, second, unknown], personGroupId } })
  await expect(identify()).rejects.toMatchObject({ status: 400, body: { error: { code: 'PersonGroupNotTrained' } } })
  await expect(groups.getTrainingStatus({ params: { personGroupId } })).rejects.toMatchObject({ status: 404 })

  await groups.train({ params: { personGroupId } })
  await expect(identify()).rejects.toMatchObject({ body: { error: { code: 'PersonGroupTrainingNotFinished' } } })
  await app.jobs.drain()
  expect((await groups.getTrainingStatus({ params: { personGroupId } })).body.status).toBe('succeeded')
  const { body } = await identify()
  expect(body.map(({ candidates }) => candidates.map(({ personId }) => personId))).toEqual([
    [persons[0]],
    [persons[1]],
    [],
  ])
}, 60_000)

test('a person is verified by the nearest of their faces', async () => {
  const faceId = await faceIn(acme, probePhoto(1))
  const verify = (personId = '') => acme.comparison.verify({ body: { faceId, personGroupId, personId } })
  expect((await verify(persons[1])).body.isIdentical).toBe(true)
  expect((await verify(persons[0])).body.isIdentical).toBe(false)
})

test('an added person is identified after the next training, a deleted one no longer at once', async () => {
  const { groups, persons: people, comparison } = acme
  const { body: added } = await people.create({ params: { personGroupId }, body: { name: 'Person 3' } })
  const personId = added.personId
  for (const content of trainingPhotos(3))
    await people.addFace({ params: { personGroupId, personId }, body: photo(content) })
  const faceIds = [await faceIn(acme, probePhoto(3)), await faceIn(acme, probePhoto(0))]
  const identify = async () => {
    const { body } = await comparison.identify({ body: { faceIds, personGroupId } })
    return body.map(({ candidates }) => candidates[0]?.personId)
  }
  expect(await identify()).toEqual([undefined, persons[0]])
  await app.clock.advance(1)
  await groups.train({ params: { personGroupId } })
  expect(await identify()).toEqual([undefined, persons[0]]) // unchanged until the training is done
  await app.jobs.drain()
  expect(await identify()).toEqual([personId, persons[0]])

  await people.delete({ params: { personGroupId, personId: persons[0] as string } })
  expect(await identify()).toEqual([personId, undefined])
  await app.jobs.drain()
  expect(await identify()).toEqual([personId, undefined])
}, 60_000)

test('similar faces are found in a list, in a large list, and among other detected faces', async () => {
  const { lists, listFaces, largeLists, largeListFaces, comparison } = acme
  const names: Record<string, string> = {}
  await lists.create({ params: { faceListId: 'album' }, body: { name: 'Album' } })
  await largeLists.create({ params: { largeFaceListId: 'archive' }, body: { name: 'Archive' } })
  for (const index of [0, 1])
    for (const content of trainingPhotos(index)) {
      const small = await listFaces.addFace({ params: { faceListId: 'album' }, body: photo(content) })
      const large = await largeListFaces.addFace({ params: { largeFaceListId: 'archive' }, body: photo(content) })
      for (const { body } of [small, large]) names[body.persistedFaceId] = `Person ${index}`
    }
  const faceId = await faceIn(acme, probePhoto(1))
  const find = async (more: object) => {
    const { body } = await comparison.findSimilar({ body: { faceId, ...more } })
    return body.map(({ persistedFaceId = '' }) => names[persistedFaceId])
  }
  expect(await find({ faceListId: 'album' })).toEqual(['Person 1', 'Person 1'])
  expect(await find({ faceListId: 'album', mode: 'matchFace' })).toHaveLength(4)
  await expect(find({ largeFaceListId: 'archive' })).rejects.toMatchObject({ status: 400 })
  await largeLists.train({ params: { largeFaceListId: 'archive' } })
  await app.jobs.drain()
  expect(await find({ largeFaceListId: 'archive' })).toEqual(['Person 1', 'Person 1'])
  expect(await find({ largeFaceListId: 'archive', mode: 'matchFace', maxNumOfCandidatesReturned: 3 })).toHaveLength(3)

  const others = [await faceIn(acme, probePhoto(0)), await faceIn(acme, trainingPhotos(1)[0] as Buffer)]
  const { body } = await comparison.findSimilar({ body: { faceId, faceIds: others } })
  expect(body.map((face) => face.faceId)).toEqual([others[1]])
}, 60_000)

test('faces are grouped by person, and single ones are left over', async () => {
  const detected = [photosOf(0), photosOf(1)].map((photos) =>
    photos.slice(0, 3).map((content) => faceIn(acme, content)),
  )
  const [first = [], second = []] = await Promise.all(detected.map((faces) => Promise.all(faces)))
  const alone = await faceIn(acme, probePhoto(3))
  const { body } = await acme.comparison.group({ body: { faceIds: [...first, alone, ...second] } })
  const sorted = (ids: readonly string[]) => ids.toSorted()
  expect(body.groups.map(sorted).toSorted()).toEqual([sorted(first), sorted(second)].toSorted())
  expect(body.messyGroup).toEqual([alone])
}, 60_000)

test('a photo without a face is refused, and so is one with several faces unless targetFace selects one', async () => {
  const add = (content: Buffer, query: { targetFace?: string } = {}) =>
    acme.listFaces.addFace({ params: { faceListId: 'album' }, query, body: photo(content) })
  await expect(add(groupPhoto(5))).rejects.toMatchObject({ status: 400, body: { error: { code: 'InvalidImage' } } })
  const { body } = await acme.face.detect({ body: photo(groupPhoto(5)) })
  const { faceId = '', faceRectangle } = body[3] as (typeof body)[0]
  const { left, top, width, height } = faceRectangle
  const { body: added } = await add(groupPhoto(5), { targetFace: [left, top, width, height].join(',') })
  const similar = await acme.comparison.findSimilar({
    body: { faceId, faceListId: 'album' },
  })
  expect(similar.body[0]?.persistedFaceId).toBe(added.persistedFaceId)
  await expect(add(groupPhoto(5), { targetFace: '0,0,20,20' })).rejects.toMatchObject({ status: 400 })
})

test('an operator can switch identification off: faces are still detected and compared with each other', async () => {
  await using other = await start({ identification: false })
  const callers = await callersOf(other)
  const faceId = await faceIn(callers, probePhoto(0))
  await callers.groups.create({ params: { personGroupId }, body: { name: 'Friends' } })
  const forbidden = { status: 403, body: { error: { code: 'IdentificationDisabled' } } }
  const { comparison } = callers
  await expect(comparison.identify({ body: { faceIds: [faceId], personGroupId } })).rejects.toMatchObject(forbidden)
  await expect(comparison.verify({ body: { faceId, personGroupId, personId: faceId } })).rejects.toMatchObject(
    forbidden,
  )
  expect((await comparison.verify({ body: { faceId1: faceId, faceId2: faceId } })).body.isIdentical).toBe(true)
}, 60_000)
