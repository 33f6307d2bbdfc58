import { type Database, type MoveEnds, sql } from '@icosa/kernel'
import { platform } from '@icosa/platform'
import { example } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { blockers, moveTenant } from './move.ts'
import { listMoves } from './store.ts'
import { startTestServer, type TestServer } from './testing/cells.ts'
import { Crash } from './testing/crashes.ts'
import { leftovers, notesIn, rowsOf, startWriters, write } from './testing/writers.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer([example, platform])
})
afterAll(() => server[Symbol.asyncDispose]())

/** Keeps a note from being replicated until it is disposed of: a transaction may write another one of the same key. */
async function blockedNote(database: Database, id: string) {
  const written = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const ended = database
    .transaction(async (db) => {
      await db.run(sql`
        insert into example.notes (tenant, id, title, text, created_at) values ('ada', ${id}, '', '', now())`)
      written.resolve()
      await released.promise
      throw new Crash()
    })
    .catch((error) => expect(error).toBeInstanceOf(Crash))
  await written.promise
  const release = async () => {
    released.resolve()
    await ended
  }
  return { release, [Symbol.asyncDispose]: release }
}

/** The mover is killed once the copy is made. */
const stop = (line: string) => {
  if (line.endsWith('following')) throw new Crash()
}

const stateOf = async (directory: Database) => (await listMoves(directory)).at(-1)?.state

test('a dry run names what keeps a tenant from moving, and changes nothing', async () => {
  await using world = await server.cells('ada')
  const { source, target } = world.cells
  expect(await blockers(world.cells, 'ada')).toEqual([])
  expect(await blockers(world.cells, 'eve')).toEqual(["There is no tenant 'eve' in a."])
  expect(await blockers({ ...world.cells, target: source }, 'ada')).toContainEqual('a and a have the same database.')

  await target.database.script(`
    insert into icosa.tenants (id, created_at) values ('bob', now());
    insert into icosa.subscriptions (key, tenant, created_at) values ('taken', 'bob', now());
    insert into icosa.data_keys (purpose, id, made_for, used_from, wrapped) values ('seal', 'own', '', now(), '{}')`)
  await source.database.script(`
    insert into icosa.subscriptions (key, tenant, created_at) values ('taken', 'ada', now());
    insert into icosa.data_keys (purpose, id, made_for, used_from, wrapped) values ('seal', 'other', '', now(), '{}')`)
  await write(target.database, 'ada', 'stray')
  const bound = {
    place: 'a shelf',
    obstacles: async ({ from: { cell, place } }: MoveEnds) => [`${cell} has it on ${place}.`],
  }
  const services = [...world.cells.services, { service: 'example', source: bound, target: bound }]
  const elsewhere = { service: 'not-installed', source: bound, target: bound }
  const cells = { ...world.cells, services: [...services, elsewhere] }
  const problems = await blockers(cells, 'ada')
  expect(problems).toEqual([
    expect.stringMatching(/^b already has rows of the tenant: example.notes, icosa.jobs, icosa.timers\.$/),
    "The subscription 'taken' belongs to another tenant of b: rename it.",
    'a has it on a shelf.',
    expect.stringMatching(/^The target lacks 1 of the 1 data keys/),
  ])
  expect(await moveTenant({ ...world, cells, tenant: 'ada' })).toMatchObject({
    state: 'failed',
    detail: problems.join('\n'),
  })
  expect(await leftovers(world)).toEqual([])
  await write(source.database, 'ada', 'goes on')

  await source.database.script("delete from icosa.migrations where owner = 'platform' and name like '0007%'")
  expect(await blockers(world.cells, 'ada')).toEqual([
    expect.stringMatching(/^a lacks platform\/0007.* run `icosa migrate`/),
  ])
})

test('a move that would fill the disk of the source is cancelled by itself', async () => {
  await using world = await server.cells('ada')
  const { source, target } = world.cells
  await using writers = startWriters(world, 'ada')
  await expect.poll(() => writers.acknowledged.length).toBeGreaterThan(10)
  await expect(moveTenant({ ...world, tenant: 'ada', say: stop })).rejects.toThrow(Crash)
  await using blocked = await blockedNote(target.database, 'next')
  await write(source.database, 'ada', 'next')
  const moving = moveTenant({ ...world, tenant: 'ada', limits: { maxKeptBytes: 1_000_000 } })
  await using filling = startWriters(world, 'ada', 4, 'x'.repeat(20_000))
  await expect.poll(() => stateOf(world.directory), { timeout: 60_000 }).toBe('cancelling')
  await blocked.release() // its rows there are deleted
  expect(await moving).toMatchObject({
    state: 'cancelled',
    detail: expect.stringContaining('keep too much of its log'),
  })
  expect(await world.routed('ada')).toMatchObject({ cell: 'a', isHeld: false })
  const written = writers.acknowledged.length
  await expect.poll(() => writers.acknowledged.length).toBeGreaterThan(written + 5)
  await filling.stop()
  await writers.stop()
  expect(await leftovers(world)).toEqual([])
  expect(await rowsOf(target.database, 'ada')).toBe(0)
})

test('a move is cancelled if its slot was lost while no mover ran', async () => {
  await using world = await server.cells('ada')
  const { source, target } = world.cells
  await write(source.database, 'ada', 'first')
  await expect(moveTenant({ ...world, tenant: 'ada', say: stop })).rejects.toThrow(Crash)
  const [move] = await listMoves(world.directory)
  await target.database.script(`alter subscription icosa_move_${move?.id} disable`)
  await source.database.script("alter system set max_slot_wal_keep_size = '1MB'")
  await source.database.script('select pg_reload_conf()')
  await expect
    .poll(async () => {
      for (let n = 0; n < 4; n++) await source.database.script('select pg_switch_wal(); select txid_current()')
      await source.database.script('checkpoint')
      return source.database.many(sql`select wal_status from pg_replication_slots where database = current_database()`)
    })
    .toEqual([{ wal_status: 'lost' }])
  await source.database.script("alter system set max_slot_wal_keep_size = '256MB'")
  await source.database.script('select pg_reload_conf()')
  expect(await moveTenant({ ...world, tenant: 'ada' })).toMatchObject({ state: 'cancelled' })
  expect(await leftovers(world)).toEqual([])
  expect(await notesIn(source.database, 'ada')).toEqual(['first'])
})

test('a row that the target does not take cancels the move', async () => {
  await using world = await server.cells('ada')
  const { source, target } = world.cells
  await write(source.database, 'ada', 'first')
  await target.database.script(`alter table example.notes add constraint short check (length(id) < 10)`)
  await expect(moveTenant({ ...world, tenant: 'ada', say: stop })).rejects.toThrow(Crash)
  await write(source.database, 'ada', 'longer than ten')
  expect(await moveTenant({ ...world, tenant: 'ada' })).toMatchObject({
    state: 'cancelled',
    detail: expect.stringContaining('could not apply a row'),
  })
  expect(await moveTenant({ ...world, tenant: 'ada' })).toMatchObject({
    state: 'cancelled',
    detail: expect.stringContaining('A row could not be copied'),
  })
  expect(await leftovers(world)).toEqual([])
  await write(source.database, 'ada', 'goes on here')
  expect(await notesIn(target.database, 'ada')).toEqual([])
})

test('writes go on if the copy does not catch up in the pause, which is tried again', async () => {
  await using world = await server.cells('ada')
  const { source, target } = world.cells
  await write(source.database, 'ada', 'first')
  const lines: string[] = []
  let blocked: Awaited<ReturnType<typeof blockedNote>> | undefined
  const mover = {
    ...world,
    tenant: 'ada',
    limits: { maxPauseMs: 300, maxPauses: 4 },
    say: (line: string) => void lines.push(line),
    route: {
      ...world.route,
      async hold(tenant: string) {
        if (!blocked) {
          blocked = await blockedNote(target.database, 'late')
          await write(source.database, 'ada', 'late')
        }
        await world.route.hold(tenant)
      },
      async release(tenant: string) {
        await world.route.release(tenant)
        await write(source.database, 'ada', 'in between')
        await blocked?.release()
      },
    },
  }
  expect(await moveTenant(mover)).toMatchObject({ state: 'reversible', isEqual: true })
  expect(lines.filter((line) => line.includes('did not catch up'))).toHaveLength(1)
  expect(await notesIn(target.database, 'ada')).toEqual(['first', 'in between', 'late'])
})

test('only one mover works on a tenant, and requests that do not fit its state are refused', async () => {
  await using world = await server.cells('ada')
  const options = { ...world, tenant: 'ada' }
  for (const request of ['cancel', 'back', 'finish'] as const)
    await expect(moveTenant(options, request)).rejects.toThrow('No move of')
  await expect(
    moveTenant({
      ...options,
      say: () => {
        throw new Crash()
      },
    }),
  ).rejects.toThrow(Crash)
  await write(world.cells.target.database, 'ada', 'of another')
  expect(await moveTenant(options, 'cancel')).toMatchObject({ state: 'cancelled' })
  expect(await notesIn(world.cells.target.database, 'ada'), 'it was not checked yet').toEqual(['of another'])
  await world.cells.target.database.script(
    'delete from example.notes; delete from icosa.jobs; delete from icosa.timers',
  )
  const [first, second] = await Promise.allSettled([moveTenant(options), moveTenant(options)])
  const outcomes = [first, second].map((one) => (one?.status === 'fulfilled' ? one.value.state : String(one?.reason)))
  expect(outcomes.toSorted()).toEqual([expect.stringContaining('Another process moves'), 'reversible'])
  await expect(moveTenant(options, 'cancel')).rejects.toThrow('is reversible')
  const { source, target } = world.cells
  await expect(moveTenant({ ...options, cells: { ...world.cells, source: target, target: source } })).rejects.toThrow(
    'from a to b is under way',
  )
  expect((await moveTenant(options)).state, 'repeated').toBe('reversible')
})
