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

test('a film is looked at, has a poster, and a small copy that says nothing of where it was made', async () => {
  const made = await film('a.mp4', test2seconds)
  const content = await tagged(made, 'a.mp4', [
    '-Keys:GPSCoordinates=52.3731, 4.8922, 1',
    '-Keys:Make=Apple',
    '-Keys:Model=iPhone 15',
  ])
  expect(JSON.stringify(await exifOf(content, 'a.mp4'))).toContain('52.3731')
  const progress: number[] = []
  const { probe, poster, copy } = await films.open(
    'a',
    async () => Readable.from([content]),
    async (one) => {
      const probe = await one.probe()
      const { body, done } = one.rendition(probe, (fraction) => progress.push(fraction))
      const [copy] = await Promise.all([buffer(body), done])
      return { probe, poster: await one.poster(probe), copy }
    },
  )
  expect(probe).toMatchObject({ hasVideo: true, hasAudio: true, width: 1_920, height: 1_080 })
  expect(probe.duration).toBeCloseTo(2, 0)
  expect(probe.position).toMatchObject({ latitude: 52.3731, longitude: 4.8922 })
  expect(await sharp(poster).metadata()).toMatchObject({ format: 'jpeg', width: 1_280, height: 720 })
  const seen = await exifOf(copy, 'b.mp4')
  expect(seen).toMatchObject({ 'QuickTime:ImageWidth': 1_280, 'QuickTime:ImageHeight': 720 })
  expect(JSON.stringify(seen)).not.toMatch(/52\.37|GPS|Apple|iPhone/)
  expect(copy.length).toBeLessThan(content.length * 3)
  expect(progress.at(-1)).toBeGreaterThan(0.9)
}, 240_000)

test('a recording has a copy without a picture', async () => {
  const content = await film('a.wav', ['-f', 'lavfi', '-i', 'sine=duration=3'])
  await films.open(
    'a',
    async () => Readable.from([content]),
    async (one) => {
      const probe = await one.probe()
      expect(probe).toMatchObject({ hasVideo: false, hasAudio: true, duration: 3, position: undefined })
      const { body, done } = one.rendition(probe, () => {})
      const [copy] = await Promise.all([buffer(body), done])
      expect(copy.length).toBeLessThan(content.length)
    },
  )
}, 240_000)

test('HEIC becomes a JPEG', async () => {
  const content = await heic(await picture(640, 480).jpeg().toBuffer())
  const still = await films.open(
    'a',
    async () => Readable.from([content]),
    (one) => one.still(),
  )
  expect(await sharp(still).metadata()).toMatchObject({ format: 'jpeg', width: 640, height: 480 })
}, 240_000)

test('what only pretends to be a film is refused, and reads nothing of the machine', async () => {
  const playlist = Buffer.from('#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n')
  const half = (await film('a.mp4', test2seconds)).subarray(0, 3_000)
  for (const content of [playlist, half, Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42')])
    await expect(
      films.open(
        'a',
        async () => Readable.from([content]),
        (one) => one.probe(),
      ),
    ).rejects.toMatchObject({
      kind: 'invalid',
    })
}, 240_000)

test('a film is opened when its turn has come', async () => {
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
