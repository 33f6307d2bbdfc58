import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, sql, systemClock } from '@icosa/kernel'
import { expireClaims, sized } from '@icosa/testing'
import { expect, test } from 'vitest'
import { startOperations } from './operations.ts'
import { openCell } from './processes.ts'

const count = sized(60, 200)
const pressMs = 3_000
/** Enough for all operations to fit into one tenant's fair share. */
const slots = 2 * count

const statuses = async (database: Database): Promise<Record<string, number>> =>
  Object.fromEntries(
    (
      await database.many<{ status: string; count: number }>(
        sql`select status, count(*)::int as count from icosa.operations group by status`,
      )
    ).map(({ status, count: many }) => [status, many]),
  )

test(`${count} running operations of a killed worker all complete, each once`, async () => {
  await using cell = await openCell()
  const { database } = cell
  const doomed = await cell.start({ worker: true, concurrency: slots })
  await startOperations(database, count, pressMs)
  while ((await statuses(database)).running !== count) await sleep(50)
  await sleep(pressMs / 3)
  expect(await statuses(database)).toEqual({ running: count })

  doomed.child.kill('SIGKILL')
  const killedAt = systemClock.now().getTime()
  await cell.start({ worker: true, concurrency: slots })
  while ((await statuses(database)).succeeded !== count) await sleep(100)

  const ended = await database.many<{ at: Date }>(sql`select updated_at as at from icosa.operations`)
  const resumedMs = ended.map(({ at }) => at.getTime() - killedAt - pressMs).sort((a, b) => a - b)
  const at = (share: number) => resumedMs[Math.ceil(share * count) - 1] ?? Number.NaN
  console.log(`resumed after kill -9: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(1)} ms`)
  expect(at(0.99)).toBeLessThanOrEqual(sized(60_000, 15_000)) // the short limit assumes a dedicated machine
  const published = sql`select count(*)::int as notes, sum(published_times)::int as times from example.notes`
  expect(await database.one(published)).toEqual({ notes: count, times: count })
})

test('a worker that resumes after a long stop cannot complete jobs that another one completed', async () => {
  await using cell = await openCell()
  const { database } = cell
  const sleeper = await cell.start({ worker: true, concurrency: slots })
  await startOperations(database, count, pressMs)
  while ((await statuses(database)).running !== count) await sleep(50)
  sleeper.child.kill('SIGSTOP')
  await expireClaims(database)
  await cell.start({ worker: true, concurrency: slots })
  while ((await statuses(database)).succeeded !== count) await sleep(100)

  sleeper.child.kill('SIGCONT')
  await sleep(pressMs + 2_000)
  expect(await statuses(database)).toEqual({ succeeded: count })
  expect(await database.one(sql`select sum(published_times)::int as times from example.notes`)).toEqual({
    times: count,
  })
})
