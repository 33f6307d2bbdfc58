import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { small, startRobotics } from '../testing/app.ts'

let app: Awaited<ReturnType<typeof startRobotics>>

beforeAll(async () => {
  app = await startRobotics()
  await app.clock.move({ to: new Date('2026-03-01T12:00:00.400Z') })
  await app.scout.synthetic({ played: 10 })
  await app.clock.advance(10_000)
})
afterAll(() => app[Symbol.asyncDispose]())

const at = '/2026/matches/SY001?tournamentLevel=qual'

test('an answer has a date and an ETag; either gives 304 while nothing changes', async () => {
  const first = await app.scout.get(at)
  const modified = first.headers.get('last-modified') as string
  const etag = first.headers.get('etag') as string
  expect(modified).toMatch(/^Sun, 01 Mar 2026 12:0\d:\d\d GMT$/)
  const since = await app.scout.get(at, { 'if-modified-since': modified })
  expect([since.status, since.headers.get('last-modified'), await since.text()]).toEqual([304, modified, ''])
  expect((await app.scout.get(at, { 'if-none-match': `"other", ${etag}` })).status).toBe(304)
  expect((await app.scout.get(at, { 'if-none-match': '"other"' })).status).toBe(200)
  const earlier = 'Sun, 01 Mar 2026 11:59:59 GMT'
  expect((await app.scout.get(at, { 'if-modified-since': earlier })).status).toBe(200)
  const both = { 'if-none-match': etag, 'if-modified-since': earlier }
  expect((await app.scout.get(at, both)).status, 'the ETag takes precedence').toBe(304)
})

test('a date with the wrong weekday, in the future or in another format is ignored', async () => {
  for (const date of ['Mon, 01 Mar 2026 12:00:05 GMT', 'Wed, 01 Apr 2026 12:00:00 GMT', '2026-03-01', 'soon'])
    expect((await app.scout.get(at, { 'if-modified-since': date })).status, date).toBe(200)
})

test('If-Modified-Since and FMS-OnlyModifiedSince together are refused', async () => {
  const date = 'Sun, 01 Mar 2026 12:00:05 GMT'
  const response = await app.scout.get(at, { 'if-modified-since': date, 'FMS-OnlyModifiedSince': date })
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('not both')])
})

test('an answer without items has no date', async () => {
  const empty = await app.scout.get('/2026/matches/SY001?tournamentLevel=playoff')
  expect([empty.status, await empty.json(), empty.headers.get('last-modified')]).toEqual([200, { Matches: [] }, null])
})

test('an answer is sent in a coding that the client accepts', async () => {
  const plain = await (await app.scout.get(at, { 'accept-encoding': 'identity' })).text()
  const { request } = await import('node:http')
  const raw = (coding: string) =>
    new Promise<{ coding: string | undefined; bytes: Buffer }>((resolve, reject) => {
      const { hostname, port } = new URL(app.url)
      const headers = { authorization: app.scout.authorization, 'accept-encoding': coding }
      request({ hostname, port, path: `/robotics-statistics/v3.0${at}`, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({ coding: response.headers['content-encoding'], bytes: Buffer.concat(chunks) }),
        )
      })
        .on('error', reject)
        .end()
    })
  const compressed = await raw('gzip, deflate, br')
  expect(compressed.coding).toBe('br')
  expect(brotliDecompressSync(compressed.bytes).toString()).toBe(plain)
  expect(compressed.bytes.length).toBeLessThan(plain.length / 4)
  expect((await raw('br;q=0, gzip')).coding).toBe('gzip')
  expect((await raw('identity')).coding).toBeUndefined()
})

test('a played match changes matches, ranking and dates together; a header requests only changed items', async () => {
  const before = await app.scout.get(at)
  const modified = before.headers.get('last-modified') as string
  const schedule = await app.scout.get('/2026/schedule/SY001')
  await app.scout.synthetic({ played: 11 })
  await app.clock.advance(5_000)
  await expect.poll(async () => (await app.scout.get(at, { 'if-modified-since': modified })).status).toBe(200)
  const [matches, ranking, scores] = await Promise.all(
    [at, '/2026/rankings/SY001', '/2026/scores/SY001/qual'].map((path) => app.scout.get(path)),
  )
  const dates = [matches, ranking, scores].map((response) => response?.headers.get('last-modified'))
  expect(new Set(dates).size).toBe(1)
  expect(Date.parse(dates[0] as string)).toBeGreaterThan(Date.parse(modified))
  const unchanged = await app.scout.get('/2026/schedule/SY001', {
    'if-modified-since': schedule.headers.get('last-modified') as string,
  })
  expect(unchanged.status, 'the schedule is unchanged').toBe(304)

  const only = await app.scout.get(at, { 'FMS-OnlyModifiedSince': modified })
  const changed = (await only.json()) as { Matches: { matchNumber: number }[] }
  expect(changed.Matches.map(({ matchNumber }) => matchNumber)).toEqual([11])
  const none = await app.scout.get(at, { 'FMS-OnlyModifiedSince': dates[0] as string })
  expect(none.status).toBe(304)
})

test('two changes within a second have two dates', async () => {
  await app.scout.synthetic({ played: 12 })
  await app.scout.synthetic({ played: 13 })
  await app.clock.advance(1_000)
  await expect.poll(async () => ((await app.scout.json(at)) as { Matches: unknown[] }).Matches.length).toBe(13)
  const between = await app.scout.get(at)
  const lastModified = Date.parse(between.headers.get('last-modified') as string)
  const now = app.platform.clock.now().getTime()
  expect(lastModified, 'never a date in the future').toBeLessThanOrEqual(now)
})

test('a node polls first when a caller has seen a newer version on another node', async () => {
  await using other = await startRobotics({ databaseUrl: app.databaseUrl })
  const get = (url: string, headers: Record<string, string> = {}) =>
    fetch(`${url}/robotics-statistics/v3.0${at}`, { headers: { authorization: app.scout.authorization, ...headers } })
  await get(other.url) // caches the current versions
  await app.scout.synthetic({ played: small.rounds * 5 })
  await app.clock.advance(1_500)
  await expect
    .poll(async () => ((await app.scout.json(at)) as { Matches: unknown[] }).Matches.length)
    .toBeGreaterThan(13)
  const newest = (await app.scout.get(at)).headers.get('last-modified') as string
  const answer = await get(other.url, { 'if-modified-since': newest })
  expect(answer.status).toBe(304)
  const unconditional = await get(other.url)
  expect(unconditional.headers.get('last-modified')).toBe(newest)
})
