import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FaceClient } from '@azure/cognitiveservices-face'
import { ApiKeyCredentials } from '@azure/ms-rest-js'
import { faceRecognition } from '@icosa/face-recognition'
import { photosOf } from '@icosa/face-recognition/testing/photos'
import { accountOf } from '@icosa/face-recognition/testing/seed'
import { operationsOfService } from '@icosa/kernel'
import { createLog } from '@icosa/telemetry'
import { startTestApp, type TestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp
let face: FaceClient
let site: ReturnType<typeof createServer>
let photoUrl: string
const service = faceRecognition()
const called = new Set<string>()
const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = photosOf(1)
const [otherPerson = Buffer.alloc(0)] = photosOf(0)

/** The unmodified client, with an endpoint and a key. */
const clientOf = async (tenant: string) => {
  const key = await app.key(tenant)
  return new FaceClient(new ApiKeyCredentials({ inHeader: { 'Ocp-Apim-Subscription-Key': key } }), app.url)
}

beforeAll(async () => {
  // One log line per request, with the name of its operation.
  const write = (line: string) => void called.add(/"operation":"[^"]*?(\w+)"/.exec(line)?.[1] ?? '')
  app = await startTestApp({ services: [service], log: createLog({ level: 'info', destination: { write } }) })
  face = await clientOf('acme')
  site = createServer((_, response) => response.end(first))
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  photoUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}/photo.jpg`
}, 120_000)
afterAll(async () => {
  site.close()
  await app[Symbol.asyncDispose]()
})

const faceIn = async (image: Buffer) => (await face.face.detectWithStream(image))[0]?.faceId as string

test('faces are detected in a stream and at a URL, compared and grouped', async () => {
  const [detected] = await face.face.detectWithStream(first, {
    returnFaceLandmarks: true,
    returnFaceAttributes: ['headPose', 'blur', 'exposure', 'noise'],
    recognitionModel: 'recognition_02',
    returnRecognitionModel: true,
    detectionModel: 'detection_02',
  })
  expect(detected?.faceRectangle.width).toBeGreaterThan(100)
  expect(detected?.recognitionModel).toBe('recognition_02')
  expect(detected?.faceAttributes?.headPose?.yaw).toBeTypeOf('number')
  const [newest] = await face.face.detectWithStream(first, {
    returnFaceAttributes: ['qualityForRecognition'],
    recognitionModel: 'recognition_04',
    detectionModel: 'detection_03',
  })
  expect(newest?.faceAttributes?.qualityForRecognition).toMatch(/^(Low|Medium|High)$/)
  expect(detected?.faceLandmarks?.noseTip?.x).toBeGreaterThan(100)
  const [one] = await face.face.detectWithUrl(photoUrl)
  const [two, other] = [await faceIn(second), await faceIn(otherPerson)]
  const { isIdentical, confidence } = await face.face.verifyFaceToFace(one?.faceId as string, two)
  expect([isIdentical, confidence > 0.6]).toEqual([true, true])
  expect((await face.face.verifyFaceToFace(two, other)).isIdentical).toBe(false)
  const similar = await face.face.findSimilar(two, { faceIds: [one?.faceId as string, other] })
  expect(similar.map(({ faceId }) => faceId)).toEqual([one?.faceId])
  const grouped = await face.face.group([one?.faceId as string, two, other])
  expect(grouped.messyGroup).toEqual([other])
}, 60_000)

test.each(['personGroup', 'largePersonGroup'] as const)(
  '%s supports every operation',
  async (kind) => {
    const groups = face[kind]
    const persons = kind === 'personGroup' ? face.personGroupPerson : face.largePersonGroupPerson
    const id = 'friends'
    await groups.create(id, 'Friends', { recognitionModel: 'recognition_01' })
    await groups.update(id, { name: 'Old friends', userData: 'mine' })
    expect(await groups.get(id, { returnRecognitionModel: true })).toMatchObject({
      name: 'Old friends',
      userData: 'mine',
      recognitionModel: 'recognition_01',
    })
    expect(await groups.list({ top: 10 })).toHaveLength(1)
    const { personId } = await persons.create(id, { name: 'Jess' })
    await persons.update(id, personId, { userData: 'tall' })
    const { persistedFaceId } = await persons.addFaceFromStream(id, personId, first, { userData: 'outdoors' })
    const { persistedFaceId: fetched } = await persons.addFaceFromUrl(id, personId, photoUrl)
    await persons.updateFace(id, personId, fetched, { userData: 'fetched' })
    expect(await persons.getFace(id, personId, fetched)).toMatchObject({ userData: 'fetched' })
    await persons.deleteFace(id, personId, fetched)
    expect(await persons.get(id, personId)).toMatchObject({ persistedFaceIds: [persistedFaceId], userData: 'tall' })
    expect(await persons.list(id)).toHaveLength(1)
    await groups.train(id)
    await app.jobs.drain()
    expect((await groups.getTrainingStatus(id)).status).toBe('succeeded')
    const faceId = await faceIn(second)
    const where = kind === 'personGroup' ? { personGroupId: id } : { largePersonGroupId: id }
    const [identified] = await face.face.identify([faceId], where)
    expect(identified?.candidates.map((candidate) => candidate.personId)).toEqual([personId])
    expect((await face.face.verifyFaceToPerson(faceId, personId, where)).isIdentical).toBe(true)
    await persons.deleteMethod(id, personId)
    await groups.deleteMethod(id)
    await expect(groups.get(id)).rejects.toMatchObject({ statusCode: 404 })
  },
  60_000,
)

test('face lists support every operation', async () => {
  await face.faceList.create('album', 'Album', { recognitionModel: 'recognition_01' })
  await face.faceList.update('album', { userData: 'mine' })
  const { persistedFaceId } = await face.faceList.addFaceFromStream('album', first)
  const { persistedFaceId: fetched } = await face.faceList.addFaceFromUrl('album', photoUrl)
  expect((await face.faceList.get('album')).persistedFaces).toHaveLength(2)
  await face.faceList.deleteFace('album', fetched)
  const similar = await face.face.findSimilar(await faceIn(second), { faceListId: 'album', mode: 'matchPerson' })
  expect(similar.map((face) => face.persistedFaceId)).toEqual([persistedFaceId])
  expect(await face.faceList.list()).toHaveLength(1)
  await face.faceList.deleteMethod('album')
}, 60_000)

test('large face lists support every operation', async () => {
  const { largeFaceList: lists } = face
  await lists.create('archive', 'Archive', { recognitionModel: 'recognition_01' })
  await lists.update('archive', { userData: 'mine' })
  const { persistedFaceId } = await lists.addFaceFromStream('archive', first)
  const { persistedFaceId: fetched } = await lists.addFaceFromUrl('archive', photoUrl)
  await lists.updateFace('archive', persistedFaceId, { userData: 'outdoors' })
  expect(await lists.getFace('archive', persistedFaceId)).toMatchObject({ userData: 'outdoors' })
  expect(await lists.listFaces('archive')).toHaveLength(2)
  await lists.deleteFace('archive', fetched)
  await lists.train('archive')
  await app.jobs.drain()
  expect((await lists.getTrainingStatus('archive')).status).toBe('succeeded')
  const similar = await face.face.findSimilar(await faceIn(second), { largeFaceListId: 'archive' })
  expect(similar.map((face) => face.persistedFaceId)).toEqual([persistedFaceId])
  expect(await lists.get('archive')).toMatchObject({ name: 'Archive' })
  expect(await lists.list()).toHaveLength(1)
  await lists.deleteMethod('archive')
}, 60_000)

test('a snapshot is applied by another tenant', async () => {
  await face.faceList.create('album', 'Album', { recognitionModel: 'recognition_01' })
  await face.faceList.addFaceFromStream('album', first)
  const { operationLocation } = await face.snapshot.take('FaceList', 'album', [accountOf('globex')])
  await app.jobs.drain()
  const idIn = (location = '') => location.split('/').at(-1) as string
  const status = await face.snapshot.getOperationStatus(idIn(operationLocation))
  expect(status.status).toBe('succeeded')
  const snapshotId = idIn(status.resourceLocation)
  await face.snapshot.update(snapshotId, { userData: 'for globex' })
  const globex = await clientOf('globex')
  expect(await globex.snapshot.get(snapshotId)).toMatchObject({ userData: 'for globex', type: 'FaceList' })
  expect(await globex.snapshot.list()).toHaveLength(1)
  const applied = await globex.snapshot.apply(snapshotId, 'copied')
  await app.jobs.drain()
  expect((await globex.snapshot.getOperationStatus(idIn(applied.operationLocation))).status).toBe('succeeded')
  expect((await globex.faceList.get('copied')).persistedFaces).toHaveLength(1)
  await face.snapshot.deleteMethod(snapshotId)
}, 60_000)

test('the client reads status and code of failures', async () => {
  await expect(face.personGroup.get('nobody')).rejects.toMatchObject({
    statusCode: 404,
    body: { error: { code: 'PersonGroupNotFound' } },
  })
  const wrong = new FaceClient(new ApiKeyCredentials({ inHeader: { 'Ocp-Apim-Subscription-Key': 'wrong' } }), app.url)
  await expect(wrong.personGroup.list()).rejects.toMatchObject({ statusCode: 401 })
})

test('the client has called every operation of the service', () => {
  const all = operationsOfService(service).map(({ id }) => id)
  expect(all.filter((id) => !called.has(id))).toEqual([])
})
