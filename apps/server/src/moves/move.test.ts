import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { blobStore } from '@icosa/blobs'
import { type Blobs, ownBlobs, sql, systemClock, transactionOrder } from '@icosa/kernel'
import { platform } from '@icosa/platform'
import { example } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stateIn } from './check-store.ts'
import { moveTenant } from './move.ts'
import { interleave, raiseSequences } from './numbers.ts'
import { startTestServer, type TestServer } from './testing/cells.ts'
import { leftovers, notesIn, rowsOf, startWriters, write } from './testing/writers.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer([example, platform])
})
afterAll(() => server[Symbol.asyncDispose]())

test('a tenant moves under writes, none of which is lost, moves back, and leaves nothing behind', async () => {
  await using world = await server.cells('ada', 'bob')
  const { source, target } = world.cells
  for (let n = 0; n < 300; n++) await write(source.database, 'ada', `before-${n}`)
  await write(source.database, 'bob', 'mine')
  await using writers = startWriters(world, 'ada')
  const move = await moveTenant({ ...world, tenant: 'ada', say: console.log })
  console.log(move.detail)
  expect(move).toMatchObject({ state: 'reversible', isEqual: true })
  expect(await world.routed('ada')).toMatchObject({ cell: 'b', isHeld: false })
  const written = writers.acknowledged.length
  await expect.poll(() => writers.acknowledged.length).toBeGreaterThan(written + 20)

  const returned = await moveTenant({ ...world, tenant: 'ada', say: console.log }, 'back')
  expect(returned.state).toBe('returned')
  expect(await world.routed('ada')).toMatchObject({ cell: 'a', isHeld: false })
  const again = await moveTenant({ ...world, tenant: 'ada' })
  expect(again).toMatchObject({ state: 'reversible', isEqual: true })
  const acknowledged = await writers.stop()
  expect((await notesIn(target.database, 'ada')).filter((id) => !id.startsWith('before'))).toEqual(acknowledged)
  const jobs = await target.database.many<{ id: string }>(sql`
    select payload -> 'input' ->> 'noteId' as id from icosa.jobs where tenant = 'ada' order by 1`)
  expect(jobs.map(({ id }) => id).filter((id) => !id.startsWith('before'))).toEqual(acknowledged)

  expect(await moveTenant({ ...world, tenant: 'ada' }, 'finish')).toMatchObject({ state: 'finished' })
  expect(await leftovers(world)).toEqual([])
  expect(await rowsOf(source.database, 'ada')).toBe(0)
  expect(await stateIn(source.database, 'ada')).toBe('moved')
  expect(await notesIn(source.database, 'bob')).toEqual(['mine'])
  expect(await rowsOf(target.database, 'bob')).toBe(0)
  console.log(`${acknowledged.length} writes acknowledged`)
})

async function blobFolder(stack: AsyncDisposableStack): Promise<Blobs> {
  const directory = await mkdtemp(join(tmpdir(), 'icosa-move-blobs-'))
  stack.defer(() => rm(directory, { recursive: true }))
  const options = { clock: systemClock, signingKey: new Uint8Array(32), publicUrl: () => '' }
  return (await blobStore({ directory })(options)).blobs
}

test('blobs move to the store of the other cell, with those that are written late, and back', async () => {
  await using stack = new AsyncDisposableStack()
  await using world = await server.cells('ada', 'bob')
  const blobs = { source: await blobFolder(stack), target: await blobFolder(stack) }
  const own = (store: Blobs, tenant = 'ada') => ownBlobs(store, 'example', tenant)
  const put = (store: Blobs, key: string, content: string, tenant?: string) =>
    own(store, tenant).put(key, Buffer.from(content), { contentType: 'text/x-own' })
  const read = async (store: Blobs, key: string) => {
    const { info, body } = await own(store).get(key)
    return `${info.contentType} ${await text(body)}`
  }
  await put(blobs.source, 'early', 'first')
  await put(blobs.source, 'deleted', 'first')
  await put(blobs.source, 'mine', 'of bob', 'bob')
  const cells = { ...world.cells, blobs }
  let pauses = 0
  const route = {
    ...world.route,
    async hold(tenant: string) {
      if (pauses++ === 0) {
        await put(blobs.source, 'early', 'second')
        await put(blobs.source, 'late', 'second')
        await own(blobs.source).delete('deleted')
      }
      await world.route.hold(tenant)
    },
  }
  const options = { ...world, cells, route, tenant: 'ada' }
  expect(await moveTenant(options)).toMatchObject({ state: 'reversible', isEqual: true })
  expect(await read(blobs.target, 'early')).toBe('text/x-own second')
  expect(await read(blobs.target, 'late')).toBe('text/x-own second')
  expect(await own(blobs.target).head('deleted')).toBeUndefined()
  await put(blobs.target, 'late', 'third')
  expect(await moveTenant(options, 'back')).toMatchObject({ state: 'returned' })
  expect(await read(blobs.source, 'late')).toBe('text/x-own third')
  expect(await own(blobs.target).head('late')).toBeUndefined()
  expect(await moveTenant(options)).toMatchObject({ state: 'reversible', isEqual: true })
  await moveTenant(options, 'finish')
  expect(await own(blobs.source).head('late')).toBeUndefined()
  expect(await own(blobs.source, 'bob').head('mine')).toBeDefined()
  expect(await own(blobs.target, 'bob').head('mine')).toBeUndefined()
})

test('numbers of two cells never collide, and those of a tenant grow wherever it lives', async () => {
  await using world = await server.cells('ada')
  const { source, target } = world.cells
  const next = async ({ database }: typeof source) => {
    await database.script(
      `insert into icosa.timers (due_at, queue, payload) values (now(), 'example', '{"tenant": "ada"}')`,
    )
    return Number((await database.one<{ id: string }>(sql`select max(id)::text as id from icosa.timers`)).id)
  }
  const before = await next(source)
  for (let round = 0; round < 2; round++)
    for (const { database, number } of [source, target]) await interleave(database, number)
  const numbers = [before, await next(source), await next(source), await next(source)]
  await raiseSequences(source.database, target.database)
  numbers.push(await next(target), await next(target))
  await raiseSequences(target.database, source.database)
  await raiseSequences(target.database, source.database)
  numbers.push(await next(source))
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  expect(numbers.slice(1).map((number) => number % 16_384)).toEqual([1, 1, 1, 2, 2, 1])
  expect((numbers[4] ?? 0) - (numbers[3] ?? 0)).toBeLessThanOrEqual(2 * 16_384)
})

test('logs continue in the other cell, although its transactions have lower numbers', async () => {
  await using world = await server.cells('ada')
  const { source, target } = world.cells
  await source.database.script(`update icosa.tenants set earlier_transactions = 10000000000 where id = 'ada'`)
  const order = async ({ database }: typeof source) =>
    (await database.one<{ order: string }>(sql`select ${transactionOrder(sql`'ada'`)}::text as order`)).order
  const before = BigInt(await order(source))
  expect(await moveTenant({ ...world, tenant: 'ada' })).toMatchObject({ state: 'reversible', isEqual: true })
  const after = BigInt(await order(target))
  expect(after).toBeGreaterThan(before)
  await moveTenant({ ...world, tenant: 'ada' }, 'back')
  expect(BigInt(await order(source))).toBeGreaterThan(after)
})

test('names are reserved in the cell that has the tenant, and its work is done there once', async () => {
  await using world = await server.cells('ada', 'bob')
  const { source, target } = world.cells
  await source.database.script(
    `insert into icosa.subscriptions (key, tenant, created_at) values ('mine', 'ada', now())`,
  )
  await write(source.database, 'ada', 'note')
  await source.database.script(`update icosa.jobs set is_running = true, attempt = 1, renewed_at = now()`)
  await moveTenant({ ...world, tenant: 'ada' })
  const names = (database: typeof source.database) =>
    database.many(sql`select purpose, name from icosa.names where tenant = 'ada' and purpose <> 'tag'`)
  expect(await names(target.database)).toEqual([{ purpose: 'subscription', name: 'mine' }])
  await expect(
    target.database.script(`insert into icosa.tenants (id, created_at) values ('eve', now());
      insert into icosa.subscriptions (key, tenant, created_at) values ('mine', 'eve', now())`),
  ).rejects.toThrow()
  const jobs = sql`select attempt, is_running as "isRunning" from icosa.jobs`
  expect(await target.database.many(jobs), 'its worker may still be at it').toEqual([{ attempt: 1, isRunning: true }])
  await target.database.transaction(async (db) => void (await db.run(sql`delete from icosa.jobs`)), 'ada')
  await moveTenant({ ...world, tenant: 'ada' }, 'back')
  expect(await source.database.many(jobs), 'what was done there is not done here').toEqual([])
  expect(await names(source.database)).toEqual([{ purpose: 'subscription', name: 'mine' }])
})
