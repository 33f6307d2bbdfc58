import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from '@icosa/kernel'
import type { TestApp } from '@icosa/testing'
import { seededBelow } from '@icosa/testing'
import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Callers, callersOf, faceIn, photo, photoAt, start } from '../testing/app.ts'
import { groupPhoto, photosOf } from '../testing/photos.ts'

let app: TestApp
let acme: Callers
beforeAll(async () => {
  app = await start()
  acme = await callersOf(app)
  await acme.face.detect({ body: photo(photosOf(0)[0] as Buffer) }) // converts the networks
}, 120_000)
afterAll(() => app[Symbol.asyncDispose]())

const [portrait = Buffer.alloc(0), second = Buffer.alloc(0)] = photosOf(1)
const [other = Buffer.alloc(0)] = photosOf(3)

test('two photos of one person match, and those of two persons do not', async () => {
  const [first, again, different] = [
    await faceIn(acme, portrait),
    await faceIn(acme, second),
    await faceIn(acme, other),
  ]
  const same = await acme.comparison.verify({ body: { faceId1: first, faceId2: again } })
  expect(same.body).toMatchObject({ isIdentical: true, confidence: expect.toSatisfy((value: number) => value > 0.6) })
  const mismatch = await acme.comparison.verify({ body: { faceId1: first, faceId2: different } })
  expect(mismatch.body).toMatchObject({ isIdentical: false, confidence: expect.toSatisfy((v: number) => v < 0.4) })
})

test('a photo of five persons has five faces, the largest first, with landmarks inside their boxes', async () => {
  const { body } = await acme.face.detect({
    body: photo(groupPhoto(5)),
    query: { returnFaceLandmarks: true, returnFaceId: false, returnRecognitionModel: true },
  })
  expect(body).toHaveLength(5)
  const sizes = body.map(({ faceRectangle }) => faceRectangle.width * faceRectangle.height)
  expect(sizes).toEqual(sizes.toSorted((p, q) => q - p))
  for (const { faceId, recognitionModel, faceRectangle, faceLandmarks } of body) {
    expect([faceId, recognitionModel]).toEqual([undefined, 'recognition_01'])
    const { left, top, width, height } = faceRectangle
    const { noseTip, pupilLeft, pupilRight } = faceLandmarks as Record<string, { x: number; y: number }>
    expect(noseTip?.x).toSatisfy((x: number) => x > left && x < left + width)
    expect(noseTip?.y).toSatisfy((y: number) => y > top && y < top + height)
    expect(pupilLeft?.x).toBeLessThan(pupilRight?.x as number)
  }
})

test('attributes are measured: roll of a rotated head, yaw of a mirrored one, blur of a blurred one', async () => {
  const measure = async (image: Buffer) => {
    const query = { returnFaceAttributes: 'headPose,blur,exposure,noise', returnFaceId: false }
    const { body } = await acme.face.detect({ body: photo(image), query })
    const { headPose, blur, exposure, noise } = body[0]?.faceAttributes ?? {}
    return {
      headPose: headPose as { roll: number; yaw: number; pitch: number },
      blur: blur?.value as number,
      exposure: exposure?.value as number,
      noise: noise?.value as number,
    }
  }
  const jpeg = (edit: (image: Sharp) => Sharp) => edit(sharp(portrait)).jpeg({ quality: 95 }).toBuffer()
  const plain = await measure(portrait)
  const mirror = await measure(await jpeg((image) => image.flop()))
  const turned = await measure(await jpeg((image) => image.rotate(15)))
  expect(turned.headPose.roll - plain.headPose.roll).toSatisfy((change: number) => Math.abs(change - 15) < 3)
  expect(mirror.headPose.yaw + plain.headPose.yaw).toSatisfy((sum: number) => Math.abs(sum) < 4)
  expect(Math.abs(plain.headPose.yaw)).toBeGreaterThan(8)
  const blurs = [plain.blur]
  for (const sigma of [2, 4, 8]) blurs.push((await measure(await jpeg((image) => image.blur(sigma)))).blur)
  expect(blurs).toEqual(blurs.toSorted((p, q) => p - q))
  expect([blurs[0], blurs[3]]).toSatisfy(([sharpest = 1, softest = 0]) => sharpest < 0.3 && softest > 0.75)
  const [dark, bright] = [
    await measure(await jpeg((image) => image.linear(0.35, 0))),
    await measure(await jpeg((image) => image.linear(1, 130))),
  ]
  expect([dark.exposure, plain.exposure, bright.exposure]).toSatisfy(
    ([low = 1, normal = 0, high = 0]) => low < 0.25 && normal > 0.25 && normal < 0.75 && high > 0.75,
  )
  const noisy = await measure(await grainy(portrait))
  expect(noisy.noise).toBeGreaterThan(2 * plain.noise)
})

/** Adds reproducible noise of up to 40 levels to every channel of every pixel. */
async function grainy(image: Buffer): Promise<Buffer> {
  const { data, info } = await sharp(image).raw().toBuffer({ resolveWithObject: true })
  const below = seededBelow(1)
  for (let at = 0; at < data.length; at++) data[at] = Math.min(255, Math.max(0, (data[at] as number) + below(81) - 40))
  return sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
    .png()
    .toBuffer()
}

test('every format is read and rotated by its EXIF orientation, with the same box', async () => {
  const boxIn = async (image: Buffer) => {
    const { body } = await acme.face.detect({ body: photo(image), query: { returnFaceId: false } })
    return body[0]?.faceRectangle
  }
  const expected = await boxIn(portrait)
  const near = (box: Awaited<ReturnType<typeof boxIn>>) =>
    Math.abs((box?.left ?? 0) - (expected?.left ?? 0)) < 8 && Math.abs((box?.top ?? 0) - (expected?.top ?? 0)) < 8
  expect(await boxIn(await sharp(portrait).png().toBuffer())).toSatisfy(near)
  expect(await boxIn(await sharp(portrait).gif().toBuffer())).toSatisfy(near)
  expect(await boxIn(await bitmap(portrait))).toSatisfy(near)
  const rotated = await sharp(await sharp(portrait).rotate(-90).toBuffer()).withExif({ IFD0: { Orientation: '6' } })
  expect(await boxIn(await rotated.withMetadata({ orientation: 6 }).jpeg().toBuffer())).toSatisfy(near)
})

/** Encodes a BMP, which libvips cannot. */
async function bitmap(image: Buffer): Promise<Buffer> {
  const { data, info } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const stride = Math.ceil((info.width * 3) / 4) * 4
  const file = Buffer.alloc(54 + stride * info.height)
  file.write('BM')
  file.writeUInt32LE(file.length, 2)
  file.writeUInt32LE(54, 10)
  file.writeUInt32LE(40, 14)
  file.writeInt32LE(info.width, 18)
  file.writeInt32LE(info.height, 22)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(24, 28)
  for (let y = 0; y < info.height; y++)
    for (let x = 0; x < info.width; x++) {
      const from = (y * info.width + x) * 3
      const to = 54 + stride * (info.height - 1 - y) + 3 * x
      file.set([data[from + 2] as number, data[from + 1] as number, data[from] as number], to)
    }
  return file
}

test('a photo can be sent as a URL, and a URL without one is refused', async () => {
  const site = createServer((request, response) => {
    if (request.url === '/photo.jpg') response.end(portrait)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  try {
    const { body } = await acme.face.detect({ body: photoAt(`${origin}/photo.jpg`) })
    expect(body).toHaveLength(1)
    const content = Buffer.from(JSON.stringify({ url: `${origin}/photo.jpg`, uri: 'x' }))
    const misspelt = acme.face.detect({ body: { mediaType: 'application/json', content } })
    await expect(misspelt).rejects.toMatchObject({ status: 400, body: { error: { code: 'BadArgument' } } })
    for (const url of [`${origin}/none.jpg`, 'ftp://example.com/x.jpg', 'no url'])
      await expect(acme.face.detect({ body: photoAt(url) })).rejects.toMatchObject({
        status: 400,
        body: { error: { code: 'InvalidURL' } },
      })
  } finally {
    site.close()
  }
})

test('unsupported attributes return 501, unknown ones 400', async () => {
  const ask = (returnFaceAttributes: string) =>
    acme.face.detect({ body: photo(portrait), query: { returnFaceAttributes } })
  await expect(ask('age')).rejects.toMatchObject({ status: 501 })
  await expect(ask('headPose,emotion')).rejects.toMatchObject({ status: 501 })
  await expect(ask('mask')).rejects.toMatchObject({ status: 501 })
  await expect(ask('shoeSize')).rejects.toMatchObject({ status: 400, body: { error: { code: 'BadArgument' } } })
})

test('unsupported attributes are omitted, and listed in a header, if the operator allows it', async () => {
  await using lenient = await start({ canOmitAttributes: true })
  const { face } = await callersOf(lenient)
  const ask = (returnFaceAttributes: string) =>
    face.detect({ body: photo(portrait), query: { returnFaceAttributes, returnFaceId: false } })
  const { body, headers } = await ask('age,headPose,gender')
  expect(headers.get('omitted-attributes')).toBe('age,gender')
  expect(Object.keys(body[0]?.faceAttributes ?? {})).toEqual(['headPose'])
  expect((await ask('age')).body[0]).not.toHaveProperty('faceAttributes')
  expect((await ask('headPose')).headers.get('omitted-attributes')).toBeNull()
  await expect(ask('age,shoeSize')).rejects.toMatchObject({ status: 400 })
})

test('the quality for recognition depends on size, blur, exposure and pose, and needs a model that supports it', async () => {
  const qualityOf = async (image: Buffer, recognitionModel: 'recognition_02' | 'recognition_04' = 'recognition_04') => {
    const query = {
      returnFaceAttributes: 'qualityForRecognition,headPose,blur,exposure',
      recognitionModel,
      detectionModel: 'detection_03',
      returnFaceId: false,
    } as const
    return (await acme.face.detect({ body: photo(image), query })).body[0]?.faceAttributes?.qualityForRecognition
  }
  const levels = new Set<string | undefined>()
  for (const image of [...photosOf(0), ...photosOf(1)]) levels.add(await qualityOf(image))
  expect(levels).toContain('High')
  const edited = (edit: (image: Sharp) => Sharp) => edit(sharp(portrait)).jpeg().toBuffer()
  expect(await qualityOf(await edited((image) => image.blur(20)))).toBe('Low')
  expect(await qualityOf(await edited((image) => image.linear(0.2, 0)))).toBe('Low')
  expect(await qualityOf(await edited((image) => image.resize(150)))).toBe('Medium')
  await expect(qualityOf(portrait, 'recognition_02')).rejects.toMatchObject({
    status: 400,
    body: { error: { code: 'BadArgument' } },
  })
})

test('a face id expires, and the face is deleted', async () => {
  const { body } = await acme.face.detect({ body: photo(portrait), query: { faceIdTimeToLive: 60 } })
  const faceId = body[0]?.faceId as string
  const verify = () => acme.comparison.verify({ body: { faceId1: faceId, faceId2: faceId } })
  expect((await verify()).body).toMatchObject({ isIdentical: true })
  await app.clock.advance(61_000)
  await expect(verify()).rejects.toMatchObject({ status: 404, body: { error: { code: 'FaceNotFound' } } })
  await app.jobs.drain()
  const { database } = app.platform
  expect(await database.many(sql`select id from face_recognition.detected_faces where id = ${faceId}`)).toEqual([])
})

test('faces are never compared across models or tenants', async () => {
  const faceId1 = await faceIn(acme, portrait)
  for (const recognitionModel of ['recognition_02', 'recognition_03', 'recognition_04'] as const) {
    const { body } = await acme.face.detect({ body: photo(portrait), query: { recognitionModel } })
    const faceId2 = body[0]?.faceId as string
    await expect(acme.comparison.verify({ body: { faceId1, faceId2 } })).rejects.toMatchObject({ status: 400 })
  }
  const globex = await callersOf(app, 'globex')
  const otherFace = await faceIn(globex, portrait)
  await expect(globex.comparison.verify({ body: { faceId1: otherFace, faceId2: faceId1 } })).rejects.toMatchObject({
    status: 404,
  })
})
