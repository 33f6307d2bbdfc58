import { createTestDatabase, example } from '@icosa/testing'
import { expect, test } from 'vitest'
import { type Database, openDatabase, sql } from '../db/db.ts'
import { type Claimed, claimJobs, completeJob, type Demand, renewClaims, requeueExpired } from './claim.ts'
import type { Lane } from './jobs.ts'

interface Queues extends AsyncDisposable {
  readonly database: Database
  /** Waiting jobs, oldest first; their inputs are their numbers. */
  put(tenant: string, count: number, where?: { readonly queue?: string; readonly lane?: Lane }): Promise<unknown>
}

async function openQueues(): Promise<Queues> {
  const testDatabase = await createTestDatabase([example])
  const database = openDatabase({ url: testDatabase.url, maxConnections: 2, onError: () => {} })
  return {
    database,
    put: (tenant, count, { queue = 'example', lane = 'default' } = {}) =>
      database.run(sql`
        insert into icosa.jobs (queue, payload)
        select ${queue}, jsonb_build_object('job', 'x', 'tenant', ${tenant}::text, 'lane', ${lane}::text, 'input', n)
        from generate_series(1, ${count}::int) as n`),
    async [Symbol.asyncDispose]() {
      await database.close()
      await testDatabase[Symbol.asyncDispose]()
    },
  }
}

const demand = (free: number, more: Partial<Demand> = {}): Demand => ({
  queue: 'example',
  lane: 'default',
  free,
  running: new Map(),
  after: '',
  ...more,
})

/** Such as `ada1 ada2 bob1`. */
const namesOf = (claimed: Claimed | undefined) =>
  (claimed?.claims ?? [])
    .map(({ payload: { tenant, input } }) => `${tenant}${String(input).padStart(3, '0')}`)
    .sort()
    .join(' ')

test('a claim takes and marks the oldest jobs of a tenant, up to three quarters of the slots', async () => {
  await using queues = await openQueues()
  const { database, put } = queues
  expect(await claimJobs(database, [])).toEqual([])
  expect(await claimJobs(database, [demand(4, { after: 'x' })])).toEqual([
    { claims: [], after: 'x', isMore: false, isCut: false },
  ])
  await put('ada', 10)
  const [claimed] = await claimJobs(database, [demand(4)])
  expect(namesOf(claimed)).toBe('ada001 ada002 ada003')
  expect(claimed).toMatchObject({ after: 'ada', isMore: true, isCut: false })
  expect(claimed?.claims).toMatchObject(Array(3).fill({ attempt: 1 }))
  const isMarked = sql`
    select 1 from icosa.jobs where is_running and least(started_at, renewed_at) > clock_timestamp() - interval '1 hour'`
  expect(await database.many(isMarked)).toHaveLength(3)

  const running = new Map([
    ['ada', 3],
    ['zoe', 9],
  ])
  expect(await claimJobs(database, [demand(1, { running, after: 'bob' })]), 'its share is used up').toEqual([
    { claims: [], after: 'bob', isMore: true, isCut: false },
  ])
  expect(namesOf((await claimJobs(database, [demand(3, { running })]))[0])).toBe('ada004')
  expect(namesOf((await claimJobs(database, [demand(1)]))[0]), 'the first job always gets a slot').toBe('ada005')
  const [rest] = await claimJobs(database, [demand(100)])
  expect(namesOf(rest)).toBe('ada006 ada007 ada008 ada009 ada010')
  expect(rest).toMatchObject({ isMore: false, isCut: false })
})

test('a job claimed again has a new claim; the old one can no longer be renewed', async () => {
  await using queues = await openQueues()
  const { database, put } = queues
  await put('ada', 2)
  const first = (await claimJobs(database, [demand(8)]))[0]?.claims ?? []
  const ids = new Set(first.map(({ id }) => id))
  await database.run(sql`update icosa.jobs set renewed_at = '2026-01-01'`)
  expect(await renewClaims(database, first)).toEqual(ids)
  const renewed = sql`select 1 from icosa.jobs where renewed_at > clock_timestamp() - interval '1 hour'`
  expect(await database.many(renewed)).toHaveLength(2)

  const [lost] = first
  await database.run(sql`update icosa.jobs set is_running = false where id = ${lost?.id}`)
  expect(await renewClaims(database, first), 'not while the job waits').toEqual(new Set([first[1]?.id]))
  const again = (await claimJobs(database, [demand(8)]))[0]?.claims ?? []
  expect(again).toMatchObject([{ id: lost?.id, attempt: 2 }])
  expect(await renewClaims(database, first)).toEqual(new Set([first[1]?.id]))
  expect(await renewClaims(database, again)).toEqual(new Set([lost?.id]))
  expect(await Promise.all(first.map((claim) => completeJob(database, claim)))).toEqual([false, true])
  expect(await Promise.all(again.map((claim) => completeJob(database, claim)))).toEqual([true])
  expect(await renewClaims(database, again)).toEqual(new Set())
})

test('tenants take turns after the last one, and those with fewer running jobs come first', async () => {
  await using queues = await openQueues()
  const { database, put } = queues
  for (const tenant of ['ada', 'bob', 'cy']) await put(tenant, 9)
  const claim = async (free: number, more: Partial<Demand> = {}) => (await claimJobs(database, [demand(free, more)]))[0]
  const bob = await claim(1, { after: 'ada' })
  expect([namesOf(bob), bob?.after]).toEqual(['bob001', 'bob'])
  const cy = await claim(1, { after: 'bob' })
  expect([namesOf(cy), cy?.after]).toEqual(['cy001', 'cy'])
  const ada = await claim(1, { after: 'cy' })
  expect([namesOf(ada), ada?.after]).toEqual(['ada001', 'ada'])
  const fewest = await claim(2, {
    after: 'ada',
    running: new Map([
      ['bob', 1],
      ['ada', 0],
    ]),
  })
  expect([namesOf(fewest), fewest?.after], 'bob has one already').toEqual(['ada002 cy002', 'ada'])
  const both = await claim(4, {
    after: 'ada',
    running: new Map([
      ['bob', 1],
      ['cy', 1],
    ]),
  })
  expect(namesOf(both)).toBe('ada003 bob002 cy003')
  const all = await claim(9, { after: 'bob' })
  expect(namesOf(all), 'three rounds, and a free slot for the next tenant').toBe(
    'ada004 ada005 ada006 bob003 bob004 cy004 cy005 cy006',
  )
  expect(all?.after, 'whose job was granted last, not whose turn was').toBe('ada')
})

test('lanes and queues are served side by side, each with its own jobs', async () => {
  await using queues = await openQueues()
  const { database, put } = queues
  await put('ada', 2)
  await put('bob', 1, { lane: 'punctual' })
  await put('cy', 1, { queue: 'other' })
  const results = await claimJobs(database, [
    demand(8, { lane: 'punctual', running: new Map([['bob', 5]]) }),
    demand(1, { queue: 'other' }),
    demand(8),
    demand(8, { queue: 'nobody' }),
  ])
  expect(results.map(namesOf)).toEqual(['bob001', 'cy001', 'ada001 ada002', ''])
  expect(results.map(({ after }) => after)).toEqual(['bob', 'cy', 'ada', ''])
  expect(results.map(({ isMore }) => isMore)).toEqual([false, false, false, false])
})

test('at most 64 jobs are claimed at once, and the result asks for another claim', async () => {
  await using queues = await openQueues()
  const { database, put } = queues
  await put('ada', 70)
  const [claimed] = await claimJobs(database, [demand(200)])
  expect(claimed?.claims).toHaveLength(64)
  expect(claimed).toMatchObject({ isMore: true, isCut: true })
  const [rest] = await claimJobs(database, [demand(200)])
  expect(rest?.claims).toHaveLength(6)
  expect(rest).toMatchObject({ isMore: false, isCut: false })
})

test('a job that another worker is claiming is skipped and tried again later', async () => {
  await using queues = await openQueues()
  const { database, put } = queues
  await put('ada', 2)
  await database.transaction(async (db) => {
    await db.run(sql`select 1 from icosa.jobs where (payload ->> 'input')::int = 1 for update`)
    const [claimed] = await claimJobs(database, [demand(1)])
    expect(namesOf(claimed)).toBe('ada002')
    expect(claimed).toMatchObject({ isMore: true, isCut: false })
    expect((await claimJobs(database, [demand(1)]))[0]).toMatchObject({ claims: [], isCut: true })
  })
  expect(namesOf((await claimJobs(database, [demand(1)]))[0])).toBe('ada001')
})

test('jobs with an expired lease are requeued, unless a worker is completing them', async () => {
  await using queues = await openQueues()
  const { database, put } = queues
  for (const queue of ['claimed', 'expired', 'idle', 'idle too']) await put('ada', 2, { queue })
  await claimJobs(database, [demand(8, { queue: 'claimed' }), demand(8, { queue: 'expired' })])
  const minutesAgo = (minutes: number, queue: string) =>
    database.run(sql`
      update icosa.jobs set renewed_at = clock_timestamp() - ${minutes}::int * interval '1 minute' where queue = ${queue}`)
  await minutesAgo(1, 'claimed')
  await minutesAgo(3, 'expired')
  const isRunning = async () =>
    (
      await database.many<{ job: string }>(sql`
        select queue || ' ' || (payload ->> 'input') as job from icosa.jobs where is_running order by id`)
    ).map(({ job }) => job)
  await database.transaction(async (db) => {
    await db.run(sql`select from icosa.jobs where queue = 'expired' and (payload ->> 'input')::int = 1 for update`)
    expect(await requeueExpired(database, 120_000)).toEqual({
      requeued: ['expired'],
      waiting: ['idle', 'idle too'],
    })
    expect(await isRunning()).toEqual(['claimed 1', 'claimed 2', 'expired 1'])
  })
  expect(await requeueExpired(database, 120_000)).toEqual({
    requeued: ['expired'],
    waiting: ['expired', 'idle', 'idle too'],
  })
  expect(await isRunning()).toEqual(['claimed 1', 'claimed 2'])
  expect(await requeueExpired(database, 120_000)).toMatchObject({ requeued: [] })
})
