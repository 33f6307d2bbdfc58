import { createTestDatabase, example, sized, startTestApp, type TestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { type Database, openDatabase, type Sql, sql } from '../db/db.ts'
import type { Service } from '../service.ts'
import { claimJobs, type Demand } from './claim.ts'
import { type Job, job, type Lane } from './jobs.ts'
import { jobsIn } from './queue.ts'

const withJobs = (...jobs: Job<never>[]): Service => ({ ...example, jobs })
const poll = { timeout: 20_000, interval: 10 }

async function enqueue<Input>({ platform }: TestApp, tenant: string, work: Job<Input>, inputs: readonly Input[]) {
  await platform.database.transaction(async (db) => {
    const jobs = jobsIn(platform.queue, db, 'example', tenant)
    for (const input of inputs) await jobs.enqueue(work, input as never)
  })
  platform.queue.wake(['example'])
}

/** Jobs that run until they are released, with the number of running ones by tenant. */
function hanging() {
  const { promise: released, resolve: letGo } = Promise.withResolvers<void>()
  const running = new Map<string, number>()
  const started: string[] = []
  const hang = job<null>('hang', {
    async run(_, { tenant }) {
      started.push(tenant)
      running.set(tenant, (running.get(tenant) ?? 0) + 1)
      await released
    },
  })
  return { hang, letGo, running: (tenant: string) => running.get(tenant) ?? 0, started }
}

const inputs = (count: number) => Array.from({ length: count }, () => null)

test('a tenant with hanging jobs leaves slots for others, and those for further ones', async () => {
  const { hang, letGo, running, started } = hanging()
  await using app = await startTestApp({ services: [withJobs(hang)], worker: { concurrency: 16, background: true } })
  await enqueue(app, 'evil', hang, inputs(100))
  await expect.poll(() => running('evil'), poll).toBe(12)
  await enqueue(app, 'acme', hang, inputs(100))
  await expect.poll(() => running('acme'), poll).toBe(3)
  await enqueue(app, 'late', hang, inputs(100))
  await expect.poll(() => running('late'), poll).toBe(1)
  expect([running('evil'), running('acme')], 'unchanged by the others').toEqual([12, 3])
  letGo()
  await expect.poll(() => started.length, poll).toBe(300)
  const { left } = await app.platform.database.one<{ left: number }>(sql`
    select count(*)::int as left from icosa.jobs where not is_running`)
  expect(left, 'each ran once').toBe(0)
})

test('free slots go to the tenant with the fewest running jobs', async () => {
  const order: string[] = []
  const note = job<null>('note', { run: async (_, { tenant }) => void order.push(tenant) })
  await using app = await startTestApp({ services: [withJobs(note)], worker: { concurrency: 4, background: false } })
  await enqueue(app, 'evil', note, inputs(200))
  await enqueue(app, 'acme', note, inputs(10))
  await enqueue(app, 'zoe', note, inputs(10))
  await app.jobs.drain()
  expect(order).toHaveLength(220)
  const lastOf = (tenant: string) => order.lastIndexOf(tenant)
  expect(Math.max(lastOf('acme'), lastOf('zoe')), 'a third each while they have jobs').toBeLessThan(60)
})

test('two workers leave slots free, as one does', async () => {
  const { hang, letGo, running } = hanging()
  const services = [withJobs(hang)]
  await using app = await startTestApp({ services, worker: { concurrency: 4, background: true } })
  await using other = await startTestApp({
    services,
    databaseUrl: app.databaseUrl,
    worker: { concurrency: 4, background: true },
  })
  await enqueue(app, 'evil', hang, inputs(50))
  await expect.poll(() => running('evil'), poll).toBe(6)
  await enqueue(other, 'acme', hang, inputs(50))
  await expect.poll(() => running('acme'), poll).toBe(2)
  letGo()
  await expect.poll(() => running('evil') + running('acme'), poll).toBe(100)
})

test('punctual jobs do not wait behind hanging ones, not even of the same tenant', async () => {
  const { hang, letGo, running } = hanging()
  let rings = 0
  const ring = job<null>('ring', { lane: 'punctual', run: async () => void rings++ })
  await using app = await startTestApp({
    services: [withJobs(hang, ring)],
    worker: { concurrency: 1, background: true },
  })
  await enqueue(app, 'evil', hang, inputs(20))
  await expect.poll(() => running('evil'), poll).toBe(1)
  await enqueue(app, 'evil', ring, inputs(20))
  await expect.poll(() => rings, poll).toBe(20)
  letGo()
})

test('a job keeps its lane and tenant through a timer, a retry and the death of its workers', async () => {
  const lanesSeen: unknown[] = []
  let failures = 1
  const fragile = job<null>('fragile', {
    lane: 'punctual',
    async run(_, { db, tenant }) {
      const waited = await db.one(sql`select tenant, lane from icosa.jobs where is_running`)
      expect(waited).toEqual({ tenant, lane: 'punctual' })
      lanesSeen.push(waited)
      if (failures-- > 0) throw new Error('not yet')
    },
    failed: async (_, db) => {
      lanesSeen.push(await db.one(sql`select tenant, lane from icosa.jobs where attempt > 10`))
    },
  })
  await using app = await startTestApp(withJobs(fragile))
  const { database, queue, clock } = app.platform
  const at = new Date(clock.now().getTime() + 60_000)
  await database.transaction((db) =>
    jobsIn(queue, db, 'example', 'icosa').enqueue(fragile, null, { at, tenant: 'acme' }),
  )
  await app.clock.advance(60_000)
  await app.jobs.drain()
  await app.clock.advance(60_000)
  await app.jobs.drain()
  const place = { tenant: 'acme', lane: 'punctual' }
  expect(lanesSeen).toEqual([place, place])

  await enqueue(app, 'acme', fragile, [null])
  await database.run(sql`
    update icosa.jobs set is_running = true, attempt = 10, renewed_at = now() - interval '1 minute'`)
  await using worker = await startTestApp({
    services: [withJobs(fragile)],
    databaseUrl: app.databaseUrl,
    worker: { concurrency: 1, background: true },
  })
  await expect.poll(() => lanesSeen.length, poll).toBe(3)
  expect(lanesSeen[2]).toEqual(place)
  expect(worker.url).toBeDefined()
})

const demand = (free: number, running: readonly (readonly [string, number])[] = [], after = ''): Demand => ({
  queue: 'example',
  lane: 'default' satisfies Lane,
  free,
  running: new Map(running),
  after,
})

/** Inserts waiting jobs directly. The tenant may depend on the job's number `n`. */
const fillQueue = (database: Database, tenant: Sql, count: number) =>
  database.run(sql`
    insert into icosa.jobs (queue, payload)
    select 'example', jsonb_build_object('job', 'x', 'tenant', ${tenant}, 'input', n)
    from generate_series(1, ${count}::int) as n`)
const manyTenants = (tenants: number) => sql`'tenant-' || n % ${tenants}::int`

// JOBS=1000000 npx vitest run packages/kernel/src/jobs/shares.test.ts
const backlog = sized(20_000, 100_000)

test(`a claim costs the same whether 1,000 or ${backlog} jobs of another tenant wait`, {
  timeout: 300_000,
}, async () => {
  await using testDatabase = await createTestDatabase([example]) // without a worker, which would read as well
  const database = openDatabase({ url: testDatabase.url, maxConnections: 1, onError: () => {} })
  const fill = (tenant: string, count: number) => fillQueue(database, sql`${tenant}::text`, count)
  const claim = async () => (await claimJobs(database, [demand(8, [['evil', 24]])]))[0]
  /** Database pages read: independent of other load on the machine. */
  const pages = async () => {
    await database.script('select pg_stat_force_next_flush()')
    const { read } = await database.one<{ read: number }>(sql`
      select (pg_stat_get_blocks_fetched('icosa.jobs'::regclass)
        + pg_stat_get_blocks_fetched('icosa.jobs_waiting'::regclass))::int as read`)
    return read
  }
  const measure = async () => {
    const times: number[] = []
    const before = await pages()
    for (let count = 0; count < 100; count++) {
      await fill('small', 1)
      const began = performance.now()
      const claimed = await claim()
      times.push(performance.now() - began)
      expect(claimed?.claims.map(({ payload }) => payload.tenant)).toEqual(['small'])
    }
    times.sort((a, b) => a - b)
    return { p50: times[49] ?? 0, p99: times[98] ?? 0, pages: ((await pages()) - before) / 100 }
  }
  await database.script('alter table icosa.jobs set (autovacuum_enabled = off)') // it would be counted as well
  await fill('evil', 1_000)
  await measure()
  const quiet = await measure()
  await fill('evil', backlog)
  const flooded = await measure()
  const shown = ({ p50, p99, pages: read }: typeof quiet) =>
    `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${read.toFixed(0)} pages`
  console.log(`a claim with 1,000 waiting: ${shown(quiet)}; with ${backlog}: ${shown(flooded)}`)
  await database.close()
  expect(flooded.pages).toBeLessThan(quiet.pages * 2)
})

test('each of many waiting tenants gets its turn', async () => {
  await using app = await startTestApp(withJobs())
  const { database, queue } = app.platform
  await fillQueue(database, manyTenants(500), 5000)
  const served = new Map<string, number>()
  let after = ''
  for (let count = 0; count < 500; count++) {
    const [claimed] = await queue.claim([demand(2, [], after)])
    for (const { payload } of claimed?.claims ?? []) served.set(payload.tenant, (served.get(payload.tenant) ?? 0) + 1)
    after = claimed?.after ?? after
  }
  expect([...served.values()], 'round robin').toEqual(Array(500).fill(2))
})

test('workers that claim concurrently get different jobs, and all jobs are claimed', async () => {
  await using app = await startTestApp(withJobs())
  const { database, queue } = app.platform
  await fillQueue(database, manyTenants(3), 600)
  const ids: string[] = []
  const worker = async () => {
    for (;;) {
      const claimed = (await queue.claim([demand(8)]))[0]
      if (!claimed || (claimed.claims.length === 0 && !claimed.isCut && !claimed.isMore)) return
      ids.push(...claimed.claims.map(({ id }) => id))
    }
  }
  await Promise.all(Array.from({ length: 6 }, worker))
  expect(ids).toHaveLength(600)
  expect(new Set(ids).size).toBe(600)
})

test('tenants of any name get their turn and are never confused', async () => {
  const names = ['a', 'A', 'a"b', "a'b", 'a,b', '{a}', 'a\\b', 'NULL', 'ä', 'a b', '~', '%', '🂡', 'x'.repeat(500)]
  const ran: string[] = []
  const note = job<null>('note', { run: async (_, { tenant }) => void ran.push(tenant) })
  await using app = await startTestApp({ services: [withJobs(note)], worker: { concurrency: 2, background: false } })
  for (const name of names) await enqueue(app, name, note, inputs(3))
  await app.jobs.drain()
  const counts = Map.groupBy(ran, (name) => name)
  expect(names.map((name) => counts.get(name)?.length)).toEqual(names.map(() => 3))
})
