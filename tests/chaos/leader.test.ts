import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '@icosa/kernel'
import { recordEndedJobs, sized } from '@icosa/testing'
import { expect, test } from 'vitest'
import { openCell, type Process } from './processes.ts'

const rounds = sized(1, 10)
const timers = 60
const spanMs = 3_000

test('each due timer creates its job once, within seconds, though the leader is killed', async () => {
  await using cell = await openCell()
  const { database } = cell
  const endedJobs = await recordEndedJobs(database)
  const start = () => cell.start({ worker: true, clock: 'system' })
  const workers: Process[] = [await start(), await start()] // the first one leads
  for (let round = 0; round < rounds; round++) {
    await database.run(sql`
      insert into icosa.timers (due_at, queue, payload)
      select clock_timestamp() + n * ${spanMs / timers} * interval '1 ms', 'example',
        jsonb_build_object('job', 'prune', 'tenant', 'icosa', 'input', jsonb_build_object('timer', ${round}::int * 1000 + n))
      from generate_series(1, ${timers}::int) as n`)
    await database.run(sql`select pg_notify('icosa_jobs', '@timers')`)
    await sleep(Math.random() * spanMs)
    workers.shift()?.child.kill('SIGKILL')
    const firedTimers = async () =>
      (await endedJobs())
        .map(({ payload }) => (payload.input as { timer: number }).timer)
        .filter((timer) => Math.floor(timer / 1000) === round)
    await expect.poll(async () => new Set(await firedTimers()).size, { timeout: sized(60_000, 20_000) }).toBe(timers)
    expect(await database.many(sql`select from icosa.jobs where payload -> 'input' ? 'timer'`)).toEqual([])
    expect(await firedTimers()).toHaveLength(timers)
    if (round < rounds - 1) workers.push(await start())
  }
})
