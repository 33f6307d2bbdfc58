import { type Database, jobsIn, openQueue, sql, systemClock } from '@icosa/kernel'
import { sized } from '@icosa/testing'
import { expect, test } from 'vitest'
import { insert } from '../../packages/testing/src/example/notes/store.ts'
import { burnJob } from './burn.ts'
import { openCell } from './processes.ts'

/** Duration of a claim; the CPU is burnt three times as long, or six times nightly. */
const claimSeconds = sized(2, 10)
const heartbeat = { everyMs: claimSeconds * 300, patienceMs: claimSeconds * 30_000 }
const burnMs = claimSeconds * sized(3_000, 6_000)
const poll = { timeout: 60_000 + 2 * burnMs, interval: 100 }
const options = { timeout: 120_000 + 2 * burnMs }

async function enqueueBurn(database: Database): Promise<void> {
  await database.run(sql`update jobs.queue set heartbeat_seconds = ${claimSeconds}`)
  const queue = await openQueue({ database, supervise: false, migrate: false, onError: () => {} })
  await database.transaction(async (db) => {
    const { id: noteId } = await insert(db, 'ada', { title: 'Burnt', text: '' }, systemClock.now())
    await jobsIn(queue, db, 'example', 'ada').enqueue(burnJob(0), { noteId })
  })
  queue.wake(['example'])
  await queue.close()
}

const stateOf = (database: Database) =>
  database.one<{ state: string; attempts: number; renewedMs: number }>(sql`
    select state, retry_count + 1 as attempts,
      extract(epoch from heartbeat_on - started_on)::float8 * 1000 as "renewedMs" from jobs.job where name = 'example'`)
const isActive = (database: Database) => expect.poll(async () => (await stateOf(database)).state, poll).toBe('active')
const isCompleted = (database: Database) =>
  expect.poll(async () => (await stateOf(database)).state, poll).toBe('completed')
const published = (database: Database) =>
  database.one(sql`select sum(published_times)::int as times from example.notes`)

test(
  `a job keeps its claim of ${claimSeconds} s while it blocks the event loop for ${burnMs / 1000} s`,
  options,
  async () => {
    await using cell = await openCell()
    const { database } = cell
    await cell.start({ worker: true, heartbeat, burnMs })
    await enqueueBurn(database)
    await isActive(database)
    await cell.start({ worker: true, heartbeat }) // would take over the job
    await isCompleted(database)
    const { attempts, renewedMs } = await stateOf(database)
    console.log(`renewed until ${(renewedMs / 1000).toFixed(1)} s after the start, ${attempts} attempt`)
    expect(attempts).toBe(1)
    expect(renewedMs).toBeGreaterThan(burnMs - 2 * heartbeat.everyMs - claimSeconds * 1_000)
    expect(await published(database)).toEqual({ times: 1 })
  },
)

test('a worker whose event loop stays blocked loses its claims', options, async () => {
  await using cell = await openCell()
  const { database } = cell
  await cell.start({ worker: true, heartbeat: { ...heartbeat, patienceMs: claimSeconds * 1_000 }, burnMs: 3_600_000 })
  await enqueueBurn(database)
  await isActive(database)
  await cell.start({ worker: true, heartbeat })
  await isCompleted(database)
  expect((await stateOf(database)).attempts).toBe(2)
  expect(await published(database)).toEqual({ times: 1 })
})

test('a job whose process is killed on its third day is completed once by another worker', options, async () => {
  await using cell = await openCell()
  const { database } = cell
  const doomed = await cell.start({ worker: true, heartbeat, burnMs: 3_600_000 })
  await enqueueBurn(database)
  await isActive(database)
  await database.run(sql`update jobs.job set started_on = now() - interval '3 days' where name = 'example'`)
  await expect.poll(async () => (await stateOf(database)).renewedMs, poll).toBeGreaterThan(3 * 86_400_000)
  doomed.child.kill('SIGKILL')
  await cell.start({ worker: true, heartbeat })
  await isCompleted(database)
  expect((await stateOf(database)).attempts).toBe(2)
  expect(await published(database)).toEqual({ times: 1 })
})
