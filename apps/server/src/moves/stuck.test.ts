import { type Database, sql } from '@icosa/kernel'
import { platform } from '@icosa/platform'
import { example } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { moveTenant } from './move.ts'
import { openMove } from './store.ts'
import { startTestServer, type TestServer } from './testing/cells.ts'
import { Crash } from './testing/crashes.ts'
import { leftovers, startWriters } from './testing/writers.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer([example, platform])
})
afterAll(() => server[Symbol.asyncDispose]())

const segmentMb = 16
const limitMb = 32

/** Fills segments of the log without writing them. */
async function growLog(database: Database, mb: number): Promise<void> {
  for (let segment = 0; segment < mb / segmentMb; segment++)
    await database.script(`select pg_logical_emit_message(false, 'icosa', 'x'); select pg_switch_wal()`)
  await database.script('checkpoint')
}

const logMb = async (database: Database) =>
  (await database.one<{ mb: number }>(sql`select sum(size)::float8 / 1048576 as mb from pg_ls_waldir()`)).mb

test('a move without a mover, to a cell that is away, keeps no more of the log than its limit, and gives up by name', async () => {
  await using world = await server.cells('ada')
  const { source, target } = world.cells
  for (const setting of [
    `max_slot_wal_keep_size = '${limitMb}MB'`,
    `max_wal_size = '${limitMb}MB'`,
    `min_wal_size = '${limitMb}MB'`,
  ])
    await source.database.script(`alter system set ${setting}`)
  await source.database.script('select pg_reload_conf()')
  const dies = (line: string) => {
    if (line.endsWith('following')) throw new Crash()
  }
  await expect(moveTenant({ ...world, tenant: 'ada', say: dies })).rejects.toBeInstanceOf(Crash)
  const { id } = (await openMove(world.directory, 'ada')) ?? {}
  await target.database.script(`alter subscription icosa_move_${id} disable`)

  await growLog(source.database, 20 * limitMb)
  await expect
    .poll(async () => {
      await source.database.script('checkpoint')
      return logMb(source.database)
    })
    .toBeLessThan(4 * limitMb)
  await using writers = startWriters(world, 'ada')
  await expect.poll(() => writers.acknowledged.length).toBeGreaterThan(10)

  const given = await moveTenant({ ...world, tenant: 'ada' })
  expect(given).toMatchObject({ state: 'cancelled', detail: expect.stringContaining('keep too much of its log') })
  expect(await leftovers(world)).toEqual([])
  expect(await world.routed('ada')).toMatchObject({ cell: 'a', isHeld: false })
  const written = writers.acknowledged.length
  await expect.poll(() => writers.acknowledged.length).toBeGreaterThan(written + 10)
  expect(await moveTenant({ ...world, tenant: 'ada' }), 'once the cell is back').toMatchObject({ isEqual: true })
})
