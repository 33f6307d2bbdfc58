import { sql } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { keyHeaders } from '../names.ts'
import { start } from '../testing/app.ts'

const unknown = 'f'.repeat(32)

test('a tenant that exceeds its quota gets 429 until the next month, and others are unaffected', async () => {
  await using app = await start({ monthlyQuota: 3 })
  await app.clock.move({ to: new Date('2026-11-20T12:00:00Z') })
  const [key, other] = [await app.key('acme'), await app.key('other')]
  const request = (by: string) =>
    fetch(`${app.url}/podcast-directory/podcasts`, {
      method: 'POST',
      headers: { [keyHeaders[0]]: by, 'content-type': 'application/x-www-form-urlencoded' },
      body: `ids=${unknown}`,
    })
  for (const used of ['1', '2', '3']) {
    const { status, headers } = await request(key)
    expect(status).toBe(200)
    expect(headers.get('x-listenapi-usage')).toBe(used)
    expect(headers.get('x-vendor-api-usage')).toBe(used)
    expect(headers.get('x-listenapi-freequota')).toBe('3')
    expect(headers.get('x-listenapi-nextbillingdate')).toBe('2026-12-01T00:00:00.000+00:00')
    expect(Number(headers.get('x-listenapi-latency-seconds'))).toBeGreaterThanOrEqual(0)
  }
  const refused = await request(key)
  expect(refused.status).toBe(429)
  expect(refused.headers.get('x-listenapi-usage')).toBe('3')
  expect(refused.headers.get('x-vendor-api-freequota')).toBe('3')
  expect(refused.headers.get('x-listenapi-nextbillingdate')).toBe('2026-12-01T00:00:00.000+00:00')
  expect(Number(refused.headers.get('retry-after'))).toBe((10 * 24 + 12) * 3600)
  expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining('used up') } })
  expect((await request(other)).status).toBe(200)

  await app.clock.move({ to: new Date('2026-12-01T00:00:01Z') })
  const next = await request(key)
  expect(next.status).toBe(200)
  expect(next.headers.get('x-listenapi-usage')).toBe('1')
})

test('a thousand requests cause a dozen writes, and nodes add to each other’s counts', async () => {
  await using app = await start()
  await using second = await start({}, { databaseUrl: app.databaseUrl })
  const key = await app.key('acme')
  const request = (url: string) =>
    fetch(`${url}/podcast-directory/episodes/${unknown}`, { headers: { [keyHeaders[0]]: key } })
  for (let turn = 0; turn < 20; turn++) await Promise.all(Array.from({ length: 50 }, () => request(app.url)))
  await request(second.url)
  const row = sql`select requests::int as requests from podcast_directory.usage`
  const sum = async () => (await app.platform.database.maybe<{ requests: number }>(row))?.requests
  await expect.poll(sum).toBe(1001)
  const { writes } = await app.platform.database.one<{ writes: number }>(sql`
    select (n_tup_ins + n_tup_upd)::int as writes from pg_stat_user_tables
    where schemaname = 'podcast_directory' and relname = 'usage'`)
  console.log(`1,001 requests on two nodes: ${writes} writes`)
  expect(writes).toBeLessThan(20)
})

test('a node writes its counts when it stops', async () => {
  await using app = await start()
  const key = await app.key('acme')
  {
    await using other = await start({}, { databaseUrl: app.databaseUrl })
    await fetch(`${other.url}/podcast-directory/episodes/${unknown}`, { headers: { [keyHeaders[0]]: key } })
  }
  const row = sql`select requests::int as requests from podcast_directory.usage`
  expect(await app.platform.database.one(row)).toEqual({ requests: 1 })
})
