import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, moveClock, openDatabase, sql, startNode, systemClock } from '@icosa/kernel'
import { example, expireClaims, recordEndedJobs, sized, startTestApp, type TestApp, testNode } from '@icosa/testing'
import { expect, test } from 'vitest'
import { openCell } from '../chaos/processes.ts'

/** The figures in docs/benchmarks/jobs.md are measured with NIGHTLY=1. */
const rows = sized(10_000, 1_000_000)
const young = 500

async function fill(database: Database, now: Date, old = rows): Promise<void> {
  await database.run(sql`
    insert into icosa.operations (tenant, id, service, kind, status, resource, result, created_at, updated_at)
    select 'tenant ' || number % 100, gen_random_uuid(), 'example', 'publishNote',
      (array['succeeded', 'failed', 'cancelled'])[1 + number % 3], '/notes/' || number, '{"published": true}', at, at
    from (select number, ${now}::timestamptz - interval '8 days' - number * interval '1 second' as at
      from generate_series(1, ${old}::int) as number) as old`)
  await database.run(sql`
    insert into icosa.operations (tenant, id, service, kind, status, created_at, updated_at)
    select 'ada', 'kept ' || number, 'example', 'publishNote',
      (array['pending', 'running', 'succeeded'])[1 + number % 3], at, at
    from (select number, ${now}::timestamptz - case when number % 3 = 2 then interval '6 days' else interval '90 days' end as at
      from generate_series(1, ${young}::int) as number) as kept`)
}

const count = async (database: Database, where = sql`true`) =>
  (await database.one<{ count: number }>(sql`select count(*)::int as count from icosa.operations where ${where}`)).count

/** Sends at least 300 sequential requests, until `enough`, and returns their sorted latencies in ms. */
async function ask(app: TestApp, key: string, enough: () => boolean): Promise<number[]> {
  const took: number[] = []
  while (took.length < 300 || !enough()) {
    const began = performance.now()
    const answer = await fetch(`${app.url}/example/notes`, { headers: { 'x-api-key': key } })
    await answer.text()
    took.push(performance.now() - began)
    expect(answer.status).toBe(200)
  }
  return took.sort((a, b) => a - b)
}

const at = (sorted: readonly number[], share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN
const show = (sorted: readonly number[]) =>
  [0.5, 0.99].map((share) => `p${share * 100} ${at(sorted, share).toFixed(1)} ms`)

test(`two workers delete ${rows} expired operations and no others, hardly slowing requests`, async () => {
  await using app = await startTestApp({ services: [example], worker: { concurrency: 16 } })
  const { database, clock } = app.platform
  const url = app.databaseUrl
  const key = await app.key('ada')
  await fill(database, clock.now())
  const endedJobs = await recordEndedJobs(database)
  const quiet = await ask(app, key, () => true)

  const { api: _, ...options } = testNode([example], url, '/nowhere')
  const second = await startNode({ ...options, worker: { concurrency: 16 } })
  const watcher = openDatabase({ url, maxConnections: 1, onError: () => {} })
  let over = false
  const asking = ask(app, key, () => over)
  await app.clock.advance(3_600_000)
  const began = performance.now()
  const waiting = sql`select 1 from icosa.operations where id not like 'kept %' limit 1`
  while (await watcher.maybe(waiting)) await sleep(100)
  const seconds = (performance.now() - began) / 1_000
  over = true
  const busy = await asking
  await second.stop()
  await watcher.close()
  const quietAgain = await ask(app, key, () => true)

  console.log(`${rows} rows pruned in ${seconds.toFixed(1)} s: ${Math.round(rows / seconds)} a second`)
  console.log(`requests meanwhile: ${show(busy)}; before and after: ${show(quiet)}; ${show(quietAgain)}`)
  expect(await count(database, sql`id like 'kept %'`)).toBe(young)
  expect((await endedJobs()).filter(({ attempt, payload }) => attempt > 1 || 'failures' in payload)).toEqual([])
  expect(at(busy, 0.99)).toBeLessThan(5 * Math.max(at(quiet, 0.99), at(quietAgain, 0.99)) + 20)
}, 600_000)

test('another worker continues after one was killed', async () => {
  await using cell = await openCell()
  const { database } = cell
  const old = 3 * rows
  await fill(database, systemClock.now(), old)
  const doomed = await cell.start({ worker: true })
  await database.transaction((db) => moveClock(db, { byMs: 3_600_000 }))
  let left = old + young
  while (left === old + young) left = await count(database)
  doomed.child.kill('SIGKILL')
  await once(doomed.child, 'exit')
  await expireClaims(database)
  expect(left).toBeGreaterThan(young)
  await cell.start({ worker: true })
  while ((await count(database)) > young) await sleep(100)
  expect(await count(database, sql`id like 'kept %'`)).toBe(young)
}, 600_000)
