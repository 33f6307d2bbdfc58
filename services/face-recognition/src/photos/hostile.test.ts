import { deflateSync } from 'node:zlib'
import { sized, type TestApp } from '@icosa/testing'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Callers, callersOf, photo, start } from '../testing/app.ts'
import { photosOf } from '../testing/photos.ts'

let app: TestApp
let mallory: Callers
let acme: Callers
beforeAll(async () => {
  app = await start()
  mallory = await callersOf(app, 'mallory')
  acme = await callersOf(app, 'acme')
}, 120_000)
afterAll(() => app[Symbol.asyncDispose]())

const [portrait = Buffer.alloc(0)] = photosOf(1)

/** What it is answered with: faces, or the name of the failure. */
async function answer(callers: Callers, image: Uint8Array): Promise<number | string> {
  return callers.face.detect({ body: photo(image), query: { returnFaceId: false } }).then(
    ({ body }) => body.length,
    (failure) => `${failure.status} ${failure.body?.error?.code}`,
  )
}

/** A PNG that says it has so many pixels, of which there are none. */
function pngOf(width: number, height: number, content = Buffer.alloc(0)): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(data.length)
    head.write(type, 4)
    return Buffer.concat([head, data, Buffer.alloc(4)]) // without a checksum that fits
  }
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width)
  size.writeUInt32BE(height, 4)
  size.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([
    signature,
    chunk('IHDR', size),
    chunk('IDAT', deflateSync(content)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function bmpOf(width: number, height: number, more = 0): Buffer {
  const file = Buffer.alloc(54 + more)
  file.write('BM')
  file.writeUInt32LE(54, 10)
  file.writeUInt32LE(40, 14)
  file.writeInt32LE(width, 18)
  file.writeInt32LE(height, 22)
  file.writeUInt16LE(24, 28)
  return file
}

test('what is no photo, claims too much, or is of another kind is refused by name', async () => {
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><image href="file:///etc/passwd"/></svg>',
  )
  const hostile: Record<string, Uint8Array> = {
    nothing: new Uint8Array(),
    text: Buffer.from('no photo'),
    'a PNG of 30,000 by 30,000': pngOf(30_000, 30_000),
    'a PNG of 2^31': pngOf(2 ** 31 - 1, 2 ** 31 - 1),
    'a BMP of 2^31': bmpOf(2 ** 31 - 1, 2 ** 31 - 1),
    'a BMP without its rows': bmpOf(500, 500),
    'a BMP with a negative width': bmpOf(-500, 500, 1_000_000),
    SVG: svg,
    TIFF: await sharp(portrait).tiff().toBuffer(),
    WebP: await sharp(portrait).webp().toBuffer(),
    AVIF: await sharp(portrait).resize(100).avif({ effort: 0 }).toBuffer(),
    'too few pixels': await sharp(portrait).resize(20, 20).jpeg().toBuffer(),
    'half a JPEG': portrait.subarray(0, portrait.length >> 1),
    'half a PNG': (await sharp(portrait).png().toBuffer()).subarray(0, 50_000),
    'only the beginning of a JPEG': portrait.subarray(0, 20),
  }
  const answers: Record<string, unknown> = {}
  for (const [name, image] of Object.entries(hostile)) answers[name] = await answer(mallory, image)
  expect(answers).toEqual(Object.fromEntries(Object.keys(hostile).map((name) => [name, '400 InvalidImage'])))
}, 120_000)

test('odd but honest photos are read', async () => {
  const page = await sharp(portrait).resize(300).png().toBuffer()
  const animated = await sharp([page, page], { join: { animated: true } })
    .gif()
    .toBuffer()
  const odd: Record<string, Uint8Array> = {
    CMYK: await sharp(portrait).toColourspace('cmyk').jpeg().toBuffer(),
    '16 bits': await sharp(portrait).toColourspace('rgb16').png().toBuffer(),
    grey: await sharp(portrait).greyscale().jpeg().toBuffer(),
    transparent: await sharp(portrait).ensureAlpha(0.9).png().toBuffer(),
    animated,
    'with an archive behind it': Buffer.concat([portrait, Buffer.from('504b0304', 'hex'), Buffer.alloc(1_000)]),
    progressive: await sharp(portrait).jpeg({ progressive: true }).toBuffer(),
  }
  const answers: Record<string, unknown> = {}
  for (const [name, image] of Object.entries(odd)) answers[name] = await answer(mallory, image)
  expect(answers).toEqual(Object.fromEntries(Object.keys(odd).map((name) => [name, 1])))
}, 120_000)

test(
  'a photo with bytes changed at random is read or refused, and another tenant is served meanwhile',
  async () => {
    const small = sharp(portrait).resize(200)
    const originals = [
      await small
        .clone()
        .jpeg()
        .withExif({ IFD0: { Artist: 'x' } })
        .toBuffer(),
      await small.clone().png().toBuffer(),
      await small.clone().gif().toBuffer(),
    ]
    let state = 11
    const random = (below: number) => {
      state = (state * 48_271) % 2_147_483_647
      return state % below
    }
    const changed = Array.from({ length: sized(150, 5_000) }, (_, index) => {
      const image = Buffer.from(originals[index % 3] as Buffer)
      const near = index % 2 === 0 ? 200 : image.length // headers, then anything
      for (let n = 0; n <= random(8); n++) image[random(Math.min(near, image.length))] = random(256)
      return index % 5 === 0 ? image.subarray(0, random(image.length)) : image
    })
    let others = 0
    let isOver = false
    const meanwhile = (async () => {
      while (!isOver) {
        expect(await answer(acme, portrait)).toBe(1)
        others++
      }
    })()
    const answers = new Map<string, number>()
    for (const image of changed) {
      const one = await answer(mallory, image)
      const kind = typeof one === 'number' ? 'read' : one
      answers.set(kind, (answers.get(kind) ?? 0) + 1)
    }
    isOver = true
    await meanwhile
    console.log(`${changed.length} changed photos: ${[...answers].map(([kind, n]) => `${n} ${kind}`).join(', ')}`)
    expect([...answers.keys()].toSorted()).toEqual(['400 InvalidImage', 'read'])
    expect(others).toBeGreaterThan(5)
  },
  sized(240_000, 3_600_000),
)
