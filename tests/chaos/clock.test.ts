import { sql } from '@icosa/kernel'
import { recordEndedJobs } from '@icosa/testing'
import { expect, test } from 'vitest'
import { openCell } from './processes.ts'

const dayMs = 86_400_000

test('a worker whose clock is a day ahead stops no schedule, takes no jobs and is not ready', async () => {
  await using cell = await openCell()
  const { database } = cell
  const payload = JSON.stringify({ job: 'prune', tenant: 'icosa', input: {} })
  await database.run(sql`
    insert into icosa.schedules (name, queue, payload, every_ms, next_at)
    values ('example:tick', 'example', ${payload}, 100, clock_timestamp())`)
  const isRunning = async () => {
    const { last } = await database.one<{ last: Date | null }>(
      sql`select last_at as last from icosa.schedules where name = 'example:tick'`,
    )
    await expect
      .poll(() => database.maybe(sql`select from icosa.schedules where name = 'example:tick' and last_at > ${last}`))
      .toBeDefined()
  }
  const completed = await recordEndedJobs(database)

  const wrong = await cell.start({ api: true, worker: true, clock: 'system', metrics: true, aheadMs: dayMs })
  const ready = await fetch(`${wrong.url}/readyz`)
  expect(ready.status).toBe(503)
  expect(await ready.text()).toMatch(/clock is 86400 s ahead of PostgreSQL's, .* run an NTP client/)
  await expect.poll(() => wrong.log.join('\n')).toMatch(/clock is 86400 s ahead of PostgreSQL's/)
  expect(await (await fetch(wrong.metricsUrl ?? '')).text()).toMatch(/^icosa_clock_skew_seconds 86(399|400)/m)

  // Two workers compete, one of them with a correct clock.
  await cell.start({ worker: true, clock: 'system' })
  await expect.poll(async () => (await completed()).length, { timeout: 10_000 }).toBeGreaterThan(3)
  await isRunning()
  const ahead = sql`select name, next_at from icosa.schedules where next_at > clock_timestamp() + every_ms * interval '1 ms'`
  expect(await database.many(ahead)).toEqual([])
  wrong.child.kill('SIGKILL')
  await isRunning()
})
