import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectTo } from '../../services/sql-databases/src/testing/tenant.ts'
import { type ArchivedHost, archivedHost } from './archived-host.ts'
import { type ContinuousWorld, patience, startContinuous, timeOf } from './continuous-world.ts'

const dayMs = 86_400_000
let host: ArchivedHost
let world: ContinuousWorld
let acme: Awaited<ReturnType<ContinuousWorld['database']>>
let point: string
beforeAll(async () => {
  host = await archivedHost()
  world = await startContinuous(host)
  await world.startWorker()
}, 300_000)
afterAll(async () => {
  await world?.[Symbol.asyncDispose]()
  await host?.[Symbol.asyncDispose]()
})

/** Inserts a row and returns the time of its commit. */
async function write(text: string): Promise<Date> {
  await using session = await acme.connect('orders')
  await session.query('insert into notes values ($1)', [text])
  return await timeOf(session)
}

async function restore(at: Date, databaseName: string): Promise<string[]> {
  const job = await world.startRestore(point, { RestoreTime: at.toISOString(), databaseName })
  const outcome = await world.outcome(job)
  if (outcome !== 'COMPLETED') return [outcome]
  await using session = await acme.connect(databaseName)
  return (await session.query('select text from notes')).rows.map(({ text }) => text)
}

test('a host that discarded unread WAL is archived anew, with a gap between two complete ranges', async () => {
  acme = await world.database('acme', 'orders')
  point = await world.keep('orders')
  await using session = await acme.connect('orders')
  await session.query('create table notes (text text)')
  const before = await write('before')
  await world.reaches(point, new Date(before.getTime() + 1))
  await world.killWorker()
  await using superuser = await connectTo(host.superuserUrl)
  const drop = 'select pg_drop_replication_slot(slot_name) from pg_replication_slots'
  // The server takes a moment to notice that the WAL receiver is gone.
  await expect
    .poll(
      () =>
        superuser.query(drop).then(
          () => true,
          () => false,
        ),
      patience,
    )
    .toBe(true)
  const between = await write('between')
  await world.startWorker()
  const copiesNow = (await world.archived('bases')).length
  await expect
    .poll(async () => {
      await world.app.clock.advance(600_000)
      return (await world.archived('bases')).length
    }, patience)
    .toBeGreaterThan(copiesNow)
  const after = await write('after')
  await world.reaches(point, new Date(after.getTime() + 1))

  expect(await restore(before, 'then')).toEqual(['before'])
  expect(await restore(after, 'now')).toEqual(['before', 'between', 'after'])
  expect(await restore(between, 'gap')).toEqual([expect.stringMatching(/^FAILED .*archive/)])
}, 300_000)

test('archives older than every recovery window are removed, and the rest stays complete', async () => {
  const old = await world.archived('bases')
  let days = 0
  await expect
    .poll(
      async () => {
        await world.app.clock.advance(dayMs)
        days++
        return (await world.archived('bases')).filter((name) => old.includes(name))
      },
      { ...patience, interval: 2_000 },
    )
    .toEqual([])
  expect((await world.archived('bases')).length).toBeGreaterThan(0)
  expect(days).toBeGreaterThanOrEqual(7)
  await world.app.clock.advance(-days * dayMs) // the host's clock was not advanced
  const late = await write('late')
  await world.reaches(point, new Date(late.getTime() + 1))
  expect((await restore(late, 'late')).at(-1)).toBe('late')
}, 300_000)
