import { createTestDatabase, startPgBouncer, withoutPgBouncer } from '@icosa/testing'
import { expect, test } from 'vitest'
import { type Database, openDatabase, sql } from '../db.ts'
import { DatabaseUnavailable } from './unavailable.ts'

/** A database behind PgBouncer, which shares four sessions among twenty connections. */
async function opened({ direct = true } = {}) {
  const stack = new AsyncDisposableStack()
  const testDatabase = stack.use(await createTestDatabase([]))
  const bouncer = stack.use(await startPgBouncer(testDatabase.url))
  const directUrl = direct ? testDatabase.url : undefined
  const database = openDatabase({ url: bouncer.url, directUrl, maxConnections: 20, onError: () => {} })
  stack.defer(() => database.close())
  await database.script('create table notes (id int primary key, text text)')
  return { database, bouncer, made: testDatabase, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

const write = (database: Database, id: number) =>
  database.transaction(async (db) => {
    await db.run(sql`insert into notes values (${id}, 'a') on conflict (id) do update set text = 'b'`)
    return db.one<{ id: number }>(sql`select id from notes where id = ${id}`)
  })

test.skipIf(withoutPgBouncer)(
  'statements, transactions and point reads work through a pooler that assigns each another session',
  async () => {
    await using node = await opened()
    const { database } = node
    const numbers = Array.from({ length: 300 }, (_, index) => index)
    const rows = await Promise.all(numbers.map((id) => write(database, id)))
    expect(rows.map(({ id }) => id)).toEqual(numbers)
    const read = (id: number) => database.point<{ id: number }>(sql`select id from notes where id = ${id}`)
    expect((await Promise.all(numbers.map(read))).map((row) => row?.id)).toEqual(numbers)
    const { sessions } = await database.one<{ sessions: number }>(sql`
    select count(*)::int as sessions from pg_stat_activity where datname = current_database()`)
    expect(database.load().open, 'connections to the pooler').toBe(20)
    expect(sessions, 'sessions of PostgreSQL').toBeLessThanOrEqual(5)
    const left = await Promise.all(
      numbers.slice(0, 20).map(() =>
        database.one<{ count: number }>(sql`
      select count(*)::int as count from pg_prepared_statements`),
      ),
    )
    expect(new Set(left.map(({ count }) => count)), 'prepared statements left in a session').toEqual(new Set([0]))
  },
)

test.skipIf(withoutPgBouncer)(
  'notifications arrive over a direct connection; without one the listener reports the missing setting',
  async () => {
    await using node = await opened()
    const heard: unknown[] = []
    await node.database.listen({ news: (payload) => heard.push(payload) })
    await node.database.run(sql`select pg_notify('news', 'hello')`)
    await expect.poll(() => heard).toEqual(['hello'])
    await using other = await opened({ direct: false })
    await expect(other.database.listen({ news: () => {} })).rejects.toThrow('cannot pass notifications on')
  },
)

test.skipIf(withoutPgBouncer)('a restarted pooler is reconnected, and a stopped one is an outage', async () => {
  await using node = await opened()
  const { database, bouncer } = node
  await write(database, 1)
  await bouncer.stop()
  await expect.poll(() => database.isReachable()).toBe(false)
  await expect(write(database, 2)).rejects.toBeInstanceOf(DatabaseUnavailable)
  await bouncer.start()
  await expect.poll(() => database.isReachable()).toBe(true)
  expect(await write(database, 2)).toEqual({ id: 2 })
})
