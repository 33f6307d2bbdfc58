import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exifOf, film, heic, picture, tagged, test2seconds } from '../testing/files.ts'
import { type Films, openFilms } from './films.ts'

let films: Films
let state = ''
beforeAll(async () => {
  state = await mkdtemp(join(tmpdir(), 'icosa-films-'))
  await chmod(state, 0o711)
  films = openFilms({
    state,
    runtime: process.env.NIGHTLY ? 'runsc' : 'bwrap',
    onError: (error) => console.error(error),
  })
})
afterAll(async () => {
  await films.close()
  await rm(state, { recursive: true, force: true })
})

test('a film is probed, and has a poster and a rendition without its location', async () => {
  const plain = await film('a.mp4', test2seconds)
  const content = await tagged(plain, 'a.mp4', [
    '-Keys:GPSCoordinates=52.3731, 4.8922, 1',
    '-Keys:Make=Apple',
    '-Keys:Model=iPhone 15',
  ])
  expect(JSON.stringify(await exifOf(content, 'a.mp4'))).toContain('52.3731')
  const progress: number[] = []
  const { probe, poster, copy } = await films.open(
    'a',
    async () => Readable.from([content]),
    async (opened) => {
      const probe = await opened.probe()
      const { body, done } = opened.rendition(probe, (fraction) => progress.push(fraction))
      const [copy] = await Promise.all([buffer(body), done])
      return { probe, poster: await opened.poster(probe), copy }
    },
  )
  expect(probe).toMatchObject({ hasVideo: true, hasAudio: true, width: 1_920, height: 1_080 })
  expect(probe.duration).toBeCloseTo(2, 0)
  expect(probe.position).toMatchObject({ latitude: 52.3731, longitude: 4.8922 })
  expect(await sharp(poster).metadata()).toMatchObject({ format: 'jpeg', width: 1_280, height: 720 })
  const metadata = await exifOf(copy, 'b.mp4')
  expect(metadata).toMatchObject({ 'QuickTime:ImageWidth': 1_280, 'QuickTime:ImageHeight': 720 })
  expect(JSON.stringify(metadata)).not.toMatch(/52\.37|GPS|Apple|iPhone/)
  expect(copy.length).toBeLessThan(content.length * 3)
  expect(progress.at(-1)).toBeGreaterThan(0.9)
}, 240_000)

test('a recording has a rendition without video', async () => {
  const content = await film('a.wav', ['-f', 'lavfi', '-i', 'sine=duration=3'])
  await films.open(
    'a',
    async () => Readable.from([content]),
    async (opened) => {
      const probe = await opened.probe()
      expect(probe).toMatchObject({ hasVideo: false, hasAudio: true, duration: 3, position: undefined })
      const { body, done } = opened.rendition(probe, () => {})
      const [copy] = await Promise.all([buffer(body), done])
      expect(copy.length).toBeLessThan(content.length)
    },
  )
}, 240_000)

test('HEIC is converted to JPEG', async () => {
  const content = await heic(await picture(640, 480).jpeg().toBuffer())
  const still = await films.open(
    'a',
    async () => Readable.from([content]),
    (opened) => opened.still(),
  )
  expect(await sharp(still).metadata()).toMatchObject({ format: 'jpeg', width: 640, height: 480 })
}, 240_000)

test('fake films are refused, and cannot read local files', async () => {
  const playlist = Buffer.from('#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n')
  const half = (await film('a.mp4', test2seconds)).subarray(0, 3_000)
  for (const content of [playlist, half, Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42')])
    await expect(
      films.open(
        'a',
        async () => Readable.from([content]),
        (opened) => opened.probe(),
      ),
    ).rejects.toMatchObject({
      kind: 'invalid',
    })
}, 240_000)

test('a film is opened only when it is its turn', async () => {
  const [first, entered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let opened = 0
  const content = async () => {
    opened++
    return Readable.from([Buffer.from('bytes')])
  }
  const running = films.open('a', content, () => {
    entered.resolve()
    return first.promise
  })
  await entered.promise
  const waiting = films.open('b', content, async () => {})
  expect(films.load()).toEqual({ running: 1, waiting: 1 })
  expect(opened).toBe(1)
  first.resolve()
  await Promise.all([running, waiting])
  expect(opened).toBe(2)
})
