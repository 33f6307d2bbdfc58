import { type Database, jobsIn, openQueue, sql, systemClock } from '@icosa/kernel'
import { recordEndedJobs, sized } from '@icosa/testing'
import { expect, test } from 'vitest'
import { insert } from '../../packages/testing/src/example/notes/store.ts'
import { burnJob } from './burn.ts'
import { openCell } from './processes.ts'

/** Duration of a claim; the CPU is burnt three times as long, or six times nightly. */
const claimSeconds = sized(2, 10)
const leaseMs = claimSeconds * 1_000
const heartbeat = { everyMs: claimSeconds * 300, patienceMs: claimSeconds * 30_000 }
const burnMs = claimSeconds * sized(3_000, 6_000)
const poll = { timeout: 60_000 + 2 * burnMs, interval: 100 }
const options = { timeout: 120_000 + 2 * burnMs }

async function enqueueBurn(database: Database): Promise<void> {
  const queue = openQueue({ database, onError: () => {} })
  await database.transaction(async (db) => {
    const { id: noteId } = await insert(db, 'ada', { title: 'Burnt', text: '' }, systemClock.now())
    await jobsIn(queue, db, 'example', 'ada').enqueue(burnJob(0), { noteId })
  })
  queue.wake(['example'])
}

const isRunning = (database: Database) =>
  expect.poll(() => database.maybe(sql`select from icosa.jobs where is_running`), poll).toBeDefined()
const published = (database: Database) =>
  database.one(sql`select sum(published_times)::int as times from example.notes`)

test(
  `a job keeps its claim of ${claimSeconds} s while it blocks the event loop for ${burnMs / 1000} s`,
  options,
  async () => {
    await using cell = await openCell()
    const { database } = cell
    const endedJobs = await recordEndedJobs(database)
    await cell.start({ worker: true, leaseMs, heartbeat, burnMs })
    await enqueueBurn(database)
    await isRunning(database)
    await cell.start({ worker: true, leaseMs, heartbeat }) // would take over the job
    await expect.poll(endedJobs, poll).toHaveLength(1)
    const [{ attempt, renewedMs } = { attempt: 0, renewedMs: 0 }] = await endedJobs()
    console.log(`renewed until ${(renewedMs / 1000).toFixed(1)} s after the start, attempt ${attempt}`)
    expect(attempt).toBe(1)
    expect(renewedMs).toBeGreaterThan(burnMs - 2 * heartbeat.everyMs - claimSeconds * 1_000)
    expect(await published(database)).toEqual({ times: 1 })
  },
)

test('a worker whose event loop stays blocked loses its claims', options, async () => {
  await using cell = await openCell()
  const { database } = cell
  const endedJobs = await recordEndedJobs(database)
  await cell.start({
    worker: true,
    leaseMs,
    heartbeat: { ...heartbeat, patienceMs: claimSeconds * 1_000 },
    burnMs: 3_600_000,
  })
  await enqueueBurn(database)
  await isRunning(database)
  await cell.start({ worker: true, leaseMs, heartbeat })
  await expect.poll(endedJobs, poll).toMatchObject([{ attempt: 2 }])
  expect(await published(database)).toEqual({ times: 1 })
})
