import { setTimeout as sleep } from 'node:timers/promises'
import { sized } from '@icosa/testing'
import { expect, test } from 'vitest'
import { leftovers, rowsOf } from '../../apps/server/src/moves/testing/writers.ts'
import { startPayers } from './payers.ts'
import { openCells, tenant } from './world.ts'

const moves = sized(2, 12)
const awayMs = sized(5_000, 300_000)

test('a tenant moves between three cells while it pays through both routers, and no payment fails', async () => {
  await using world = await openCells()
  const { cells, directoryLink } = world
  const payers = await startPayers(world)

  // Routers and cells go on without the directory.
  const before = payers.acknowledged.size
  directoryLink.become('refusing')
  await sleep(awayMs)
  expect(payers.acknowledged.size).toBeGreaterThan(before)
  expect(payers.failed, 'while the directory was away').toEqual([])
  directoryLink.become('through')

  const pauses: number[] = []
  for (let n = 0; n < moves; n++) {
    const source = await world.home()
    const target = cells[source.number % cells.length] as (typeof cells)[0]
    const run = (request?: 'finish') => world.startMover({ source, target }, { request }).ended
    const moved = await run()
    expect(moved).toMatchObject({ state: 'reversible', isEqual: true })
    const [, ms] = /writes waited for (\d+) ms/.exec(moved && 'detail' in moved ? moved.detail : '') ?? []
    pauses.push(Number(ms))
    expect(await run('finish')).toMatchObject({ state: 'finished' })
    const written = payers.acknowledged.size
    await expect.poll(() => payers.acknowledged.size).toBeGreaterThan(written + 20)
    expect(await rowsOf(source.database, tenant)).toBe(0)
  }
  await payers.stop()
  const home = await world.home()
  expect(home.number).toBe((moves % cells.length) + 1)
  await payers.verify(home.database)
  for (const cell of cells) expect(await leftovers({ cells: { source: cell, target: cell } } as never)).toEqual([])

  // HAProxy cannot send a request again that the old cell had begun to refuse: its clients are asked to.
  expect(payers.failed.filter(({ router }) => router === 'route')).toEqual([])
  for (const attempt of payers.failed) expect(attempt).toEqual({ router: 'haproxy', status: 503, retryAfter: '1' })
  const sorted = payers.ms.toSorted((a, b) => a - b)
  const p99 = sorted[Math.floor(sorted.length * 0.99)] as number
  console.log(
    `${payers.acknowledged.size} payments, ${payers.failed.length} repeated after 503 by HAProxy; ` +
      `pauses ${pauses.join(', ')} ms; p99 ${p99.toFixed(0)} ms, max ${sorted.at(-1)?.toFixed(0)} ms`,
  )
})
