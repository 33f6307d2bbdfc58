import { deflateSync } from 'node:zlib'
import { latencyIn, shownNeighbours, sized, type TestApp } from '@icosa/testing'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Callers, callersOf, photo, start } from '../testing/app.ts'
import { type HostileKind, hostileKinds } from '../testing/hostile.ts'
import { watchMemory } from '../testing/memory.ts'
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

/** Returns the number of faces, or the status and code of the failure. */
async function detect(callers: Callers, image: Uint8Array): Promise<number | string> {
  return callers.face.detect({ body: photo(image), query: { returnFaceId: false } }).then(
    ({ body }) => body.length,
    (failure) => `${failure.status} ${failure.body?.error?.code}`,
  )
}

/** A PNG with a size in its header, and fewer pixels or none. */
function pngOf(width: number, height: number, content = Buffer.alloc(0)): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(data.length)
    head.write(type, 4)
    return Buffer.concat([head, data, Buffer.alloc(4)]) // with a wrong checksum
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

test('files that are no photos, have false sizes or other formats are refused', async () => {
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><image href="file:///etc/passwd"/></svg>',
  )
  const hostile: Record<string, Uint8Array> = {
    empty: new Uint8Array(),
    text: Buffer.from('no photo'),
    'a PNG of 30,000 by 30,000': pngOf(30_000, 30_000),
    'a PNG of 2^31': pngOf(2 ** 31 - 1, 2 ** 31 - 1),
    'a BMP of 2^31': bmpOf(2 ** 31 - 1, 2 ** 31 - 1),
    'a BMP without its rows': bmpOf(500, 500),
    'a BMP with a negative width': bmpOf(-500, 500, 1_000_000),
    SVG: svg,
    PDF: Buffer.from('%PDF-1.7\n'),
    ZIP: Buffer.from('PK\x03\x04'),
    HTML: Buffer.from('<html><script>alert(1)</script>'),
    ELF: Buffer.from('\x7fELF'),
    WAVE: Buffer.from('RIFF\0\0\0\0WAVE'),
    'a script that begins like a GIF': Buffer.from('GIF89a=1;/*'),
    TIFF: await sharp(portrait).tiff().toBuffer(),
    WebP: await sharp(portrait).webp().toBuffer(),
    AVIF: await sharp(portrait).resize(100).avif({ effort: 0 }).toBuffer(),
    'too few pixels': await sharp(portrait).resize(20, 20).jpeg().toBuffer(),
    'half a JPEG': portrait.subarray(0, portrait.length >> 1),
    'half a PNG': (await sharp(portrait).png().toBuffer()).subarray(0, 50_000),
    'only the beginning of a JPEG': portrait.subarray(0, 20),
  }
  const results: Record<string, unknown> = {}
  for (const [name, image] of Object.entries(hostile)) results[name] = await detect(mallory, image)
  expect(results).toEqual(Object.fromEntries(Object.keys(hostile).map((name) => [name, '400 InvalidImage'])))
}, 120_000)

test('unusual but valid photos are read', async () => {
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
  const results: Record<string, unknown> = {}
  for (const [name, image] of Object.entries(odd)) results[name] = await detect(mallory, image)
  expect(results).toEqual(Object.fromEntries(Object.keys(odd).map((name) => [name, 1])))
}, 120_000)

const images = sized(60, 5_000)
const [rounds, probes] = [sized(2, 25), sized(6, 40)]
/** More than one tenant's share, so that there is always a queue. */
const concurrency = 4

test(`${images} hostile images are read or refused as expected, and another tenant is served meanwhile`, async () => {
  const kinds = await hostileKinds(portrait)
  const outcomes = new Map(kinds.map(({ name }) => [name, new Set<string>()]))
  const counts = { read: 0, refused: 0 }
  const durations = { quiet: [] as number[], flooded: [] as number[], hostile: [] as number[] }
  const timed = async (kind: keyof typeof durations, callers: Callers, image: Buffer) => {
    const began = performance.now()
    const result = await detect(callers, image)
    durations[kind].push(performance.now() - began)
    return result
  }
  const send = async (queue: { readonly name: string; readonly image: Buffer }[]) => {
    for (let next = queue.pop(); next; next = queue.pop()) {
      const result = await timed('hostile', mallory, next.image)
      counts[typeof result === 'number' ? 'read' : 'refused']++
      outcomes.get(next.name)?.add(typeof result === 'number' ? 'read' : result)
    }
  }
  const memory = watchMemory()
  await Promise.all([detect(acme, portrait), detect(mallory, portrait)]) // starts the processes
  // Alternating, so that other load on the machine affects both.
  for (let round = 0; round < rounds; round++) {
    const queue = Array.from({ length: images / rounds }, (_, index) => {
      const number = (round * images) / rounds + index
      const { name, image } = kinds[number % kinds.length] as HostileKind
      return { name, image: image(Math.floor(number / kinds.length)) }
    })
    for (let probe = 0; probe < probes; probe++) expect(await timed('quiet', acme, portrait)).toBe(1)
    const flood = Promise.all(Array.from({ length: concurrency }, () => send(queue)))
    while (queue.length > 0) expect(await timed('flooded', acme, portrait)).toBe(1)
    await flood
  }
  const maxMemory = memory.stop()
  const neighbours = { quiet: latencyIn(durations.quiet), flooded: latencyIn(durations.flooded) }
  console.log(
    `${images} hostile images: ${counts.refused} refused, ${counts.read} read, the slowest after ${Math.max(...durations.hostile).toFixed(0)} ms with its wait; ` +
      `no process used more than ${maxMemory} MB; ${durations.flooded.length} photos of another tenant, ${shownNeighbours(neighbours)}`,
  )
  const refused = '400 InvalidImage'
  const allowed = { read: ['read'], refused: [refused], either: ['read', refused] }
  for (const { name, outcome } of kinds)
    for (const result of outcomes.get(name) ?? []) expect(allowed[outcome], name).toContain(result)
  expect(maxMemory).toBeLessThan(1_000)
  // Waiting in the same queue would take many times as long; the exact factor on a busy machine is only printed.
  expect(neighbours.flooded.p50).toBeLessThan(5 * neighbours.quiet.p50)
})
