import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '@icosa/kernel'
import { sized } from '@icosa/testing'
import { expect, test } from 'vitest'
import { openCell, type Process } from './processes.ts'

const rounds = sized(1, 10)
const timers = 60
const spanMs = 3_000

test('each due timer creates its job once, within seconds, though the leader is killed', async () => {
  await using cell = await openCell()
  const { database } = cell
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
    const made = sql`
      select data -> 'input' ->> 'timer' as timer, state from jobs.job where (data -> 'input' ->> 'timer')::int / 1000 = ${round}`
    const completed = async () =>
      (await database.many<{ state: string }>(made)).filter(({ state }) => state === 'completed').length
    await expect.poll(completed, { timeout: sized(60_000, 20_000) }).toBe(timers)
    const all = await database.many<{ timer: string }>(made)
    expect(new Set(all.map(({ timer }) => timer)).size).toBe(all.length)
    if (round < rounds - 1) workers.push(await start())
  }
})
