import { createHash } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from '@icosa/kernel'
import { sized, startTestApp, type TestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contributionCollection } from '../index.ts'
import { serviceName } from '../names.ts'
import { exifOf, film, heic, picture, tagged, test2seconds } from './testing/files.ts'

let app: TestApp
let state = ''
let base = ''
beforeAll(async () => {
  state = await mkdtemp(join(tmpdir(), 'icosa-contributions-'))
  await chmod(state, 0o711)
  app = await startTestApp(
    contributionCollection({ state: join(state, 'open'), runtime: process.env.NIGHTLY ? 'runsc' : 'bwrap' }),
  )
  base = `${app.url}/contribution-collection`
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await rm(state, { recursive: true, force: true })
})

async function headersOf(tenant: string): Promise<Record<string, string>> {
  return { authorization: `Bearer ${await app.key(tenant)}`, 'content-type': 'application/octet-stream' }
}

async function send(
  tenant: string,
  body: Uint8Array | ReadableStream,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${base}/media`, {
    method: 'POST',
    headers: await headersOf(tenant),
    body: body as never,
    duplex: 'half',
  } as RequestInit)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const keysOf = async (tenant: string) => {
  const { items } = await app.platform.blobsOf(serviceName, tenant).list('', { limit: 1_000 })
  return items.map(({ key }) => key)
}

const rowOf = (tenant: string, id: unknown) =>
  app.platform.database.one<Record<string, unknown>>(sql`
    select status, error, width, height, duration, variants from contribution_collection.media
    where tenant = ${tenant} and id = ${String(id)}`)

const get = async (tenant: string, id: unknown, label: string, headers: Record<string, string> = {}) =>
  fetch(`${base}/media/${tenant}/${id}/${label}`, { headers })

test('a photo is stored unchanged for its owner, and its renditions contain no location', async () => {
  const photo = await tagged(await picture(1_600, 1_200).jpeg().toBuffer(), 'a.jpg', [
    '-GPSLatitude=52.3731',
    '-GPSLatitudeRef=N',
    '-GPSLongitude=4.8922',
    '-GPSLongitudeRef=E',
    '-EXIF:SerialNumber=SN-77',
  ])
  const { status, body } = await send('ada', photo)
  expect([status, body]).toMatchObject([
    200,
    { type: 'image', place: { latLong: { latitude: 52.3731, longitude: 4.8922 } } },
  ])
  await app.jobs.drain()
  expect(await rowOf('ada', body.id)).toMatchObject({ status: 'ready', width: 1_600, height: 1_200 })
  const headers = await headersOf('ada')
  const original = Buffer.from(await (await get('ada', body.id, 'original', headers)).arrayBuffer())
  expect(original.equals(photo)).toBe(true)
  const large = await get('ada', body.id, 'large', headers)
  expect([large.status, large.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  expect(JSON.stringify(await exifOf(Buffer.from(await large.arrayBuffer()), 'a.jpg'))).not.toMatch(/GPS|52\.37|SN-77/)

  const otherTenant = await headersOf('bob')
  for (const label of ['original', 'large', 'thumbnail'])
    for (const other of [{}, otherTenant, { authorization: 'Bearer nothing' }])
      expect((await get('ada', body.id, label, other)).status, label).toBe(404)
  expect((await get('ada', body.id, '..%2F..%2Fx', headers)).status).toBe(404)
  expect((await get('ada', '1%20or%201=1', 'large', headers)).status).toBe(404)
})

test('identical files are stored once, even if uploaded concurrently, and deleted with the last one', async () => {
  const photo = await picture(300, 200, 7).png().toBuffer()
  const uploads = await Promise.all(Array.from({ length: 6 }, () => send('carl', photo)))
  await app.jobs.drain()
  expect(new Set(uploads.map(({ body }) => body.id)).size).toBe(6)
  const keys = await keysOf('carl')
  expect(keys.filter((key) => key.endsWith('/original'))).toHaveLength(1)
  expect(keys).toHaveLength(6)
  for (const { body } of uploads) expect(await rowOf('carl', body.id)).toMatchObject({ status: 'ready' })
  expect((await send('dora', photo)).status).toBe(200)
  expect(await keysOf('dora')).not.toEqual([])
  await app.clock.advance(8 * 86_400_000)
  await app.jobs.drain()
  expect(await keysOf('carl'), 'unused for a week').toEqual([])
})

test('films, recordings and HEIC pictures have renditions for browsers', async () => {
  const [video, audio, image] = [
    await send('eve', await film('a.mov', test2seconds)),
    await send('eve', await film('a.mp3', ['-f', 'lavfi', '-i', 'sine=duration=2'])),
    await send('eve', await heic(await picture(400, 300).jpeg().toBuffer())),
  ]
  expect([video, audio, image].map(({ body }) => body.type)).toEqual(['video', 'audio', 'image'])
  await app.jobs.drain()
  const labels = async (id: unknown) => {
    const row = await rowOf('eve', id)
    expect(row.error).toBeNull()
    return (row.variants as { label: string; contentType: string }[]).map(
      ({ label, contentType }) => `${label} ${contentType}`,
    )
  }
  expect(await labels(video.body.id)).toEqual(['thumbnail image/jpeg', 'poster image/jpeg', 'fullsize video/mp4'])
  expect(await labels(audio.body.id)).toEqual(['fullsize audio/mp4'])
  expect(await labels(image.body.id)).toHaveLength(5)
  expect(await rowOf('eve', video.body.id)).toMatchObject({ duration: expect.closeTo(2, 0), width: 1_920 })
  const state = await fetch(`${base}/media/${video.body.id}`, { headers: await headersOf('eve') })
  expect(await state.json()).toMatchObject({
    id: video.body.id,
    status: 'ready',
    progress: 1,
    artifacts: [
      { label: 'thumbnail', width: 150 },
      { label: 'poster' },
      { label: 'fullsize', contentType: 'video/mp4' },
    ],
  })
  const mallory = await headersOf('mallory')
  expect((await fetch(`${base}/media/${video.body.id}`, { headers: mallory })).status).toBe(404)
  const part = await get('eve', video.body.id, 'fullsize', { ...(await headersOf('eve')), range: 'bytes=4-7' })
  expect([part.status, await part.text()]).toEqual([206, 'ftyp'])
}, 240_000)

test('a file can be uploaded in a form, or in Base64 as text or JSON', async () => {
  const photo = await picture(300, 200, 9).jpeg().toBuffer()
  const headers = { authorization: `Bearer ${await app.key('gerda')}` }
  const post = async (body: FormData | string, type?: string) => {
    const own = type === undefined ? headers : { ...headers, 'content-type': type }
    const response = await fetch(`${base}/media`, { method: 'POST', headers: own, body })
    const { id } = (await response.json()) as { id?: string }
    return id === undefined ? undefined : Buffer.from(await (await get('gerda', id, 'original', headers)).arrayBuffer())
  }
  const form = new FormData()
  form.append('note', 'before it')
  form.append('file', new File([photo], 'a.jpg', { type: 'image/jpeg' }))
  expect((await post(form))?.equals(photo)).toBe(true)
  const text = photo.toString('base64')
  expect((await post(text.replace(/.{76}/g, '$&\r\n'), 'text/plain'))?.equals(photo)).toBe(true)
  expect((await post(JSON.stringify(text), 'application/json'))?.equals(photo)).toBe(true)
  form.append('file', new File([photo], 'b.jpg'))
  expect(await post(form)).toBeUndefined()
  expect(await post(`${text.slice(0, 100)}<script>`, 'text/plain')).toBeUndefined()
})

test('files of other types and polyglots are refused, and nothing is stored', async () => {
  const photo = await picture(50, 50).jpeg().toBuffer()
  const zip = Buffer.alloc(22)
  zip.write('PK\x05\x06', 'latin1')
  const bomb = Buffer.from(await picture(50, 50).png().toBuffer())
  bomb.writeUInt32BE(60_000, 16)
  bomb.writeUInt32BE(60_000, 20)
  for (const [why, content] of Object.entries({
    empty: Buffer.alloc(0),
    page: Buffer.from('<html><script>alert(1)</script>'),
    program: Buffer.from('\x7fELF\x02\x01'),
    drawing: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    polyglot: Buffer.concat([photo, zip]),
    bomb,
  })) {
    const { status, body } = await send('finn', content)
    expect.soft([status, typeof body.message], why).toEqual([400, 'string'])
  }
  await app.jobs.drain()
  expect(await keysOf('finn')).toEqual([])
  // A file that is broken after its header is stored for its owner, without renditions.
  const { body } = await send('finn', (await picture(900, 900).jpeg().toBuffer()).subarray(0, 3_000))
  await app.jobs.drain()
  expect(await rowOf('finn', body.id)).toMatchObject({ status: 'failed', variants: [] })
})

test('a large video is received with bounded memory', async () => {
  const size = sized(300, 5_000) * 2 ** 20
  const head = (await film('a.mp4', [...test2seconds, '-s', '64x48'])).subarray(0, 4_000)
  const piece = Buffer.alloc(2 ** 20, 'film')
  const hash = createHash('sha256')
  let remaining = size
  let peak = 0
  const stream = new ReadableStream({
    pull(controller) {
      peak = Math.max(peak, process.memoryUsage.rss())
      const next = remaining === size ? head : piece.subarray(0, Math.min(piece.length, remaining))
      remaining -= next.length
      hash.update(next)
      controller.enqueue(next)
      if (remaining <= 0) controller.close()
    },
  })
  global.gc?.()
  const before = process.memoryUsage.rss()
  const { status, body } = await send('gina', stream)
  expect([status, body.type]).toEqual([200, 'video'])
  const grown = Math.round((peak - before) / 2 ** 20)
  console.log(`${size / 2 ** 20} MiB received: peak memory grew by ${grown} MiB`)
  expect(grown).toBeLessThan(200)
  const { sha256 } = await app.platform.database.one<{ sha256: Buffer }>(sql`
    select sha256 from contribution_collection.media where tenant = 'gina'`)
  expect(sha256.equals(hash.digest())).toBe(true)
}, 600_000)
