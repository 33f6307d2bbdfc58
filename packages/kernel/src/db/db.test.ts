import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createTestDatabase } from '@icosa/testing'
import { expect, test } from 'vitest'
import { type Database, type Db, openDatabase, sql } from './db.ts'
import { readMigrations } from './migration/files.ts'
import { migrate } from './migration/migrate.ts'
import { decodeToken, encodeToken, readPage } from './page.ts'

async function opened(): Promise<Database & AsyncDisposable> {
  const testDatabase = await createTestDatabase([])
  const database = openDatabase({ url: testDatabase.url, maxConnections: 4, onError: () => {} })
  await database.script('create table numbers (n int primary key)')
  return Object.assign(database, {
    async [Symbol.asyncDispose]() {
      await database.close()
      await testDatabase[Symbol.asyncDispose]()
    },
  })
}

test('a transaction is atomic, and its handle is unusable afterwards', async () => {
  await using database = await opened()
  await database.transaction((db) => db.run(sql`insert into numbers values (1)`))
  const failing = database.transaction(async (db) => {
    await db.run(sql`insert into numbers values (2)`)
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await database.many(sql`select n from numbers`)).toEqual([{ n: 1 }])

  let leaked: Db | undefined
  await database.transaction(async (db) => {
    leaked = db
  })
  await expect(leaked?.run(sql`insert into numbers values (3)`)).rejects.toThrow('transaction has ended')
})

test('a transaction rolled back by PostgreSQL is not reported as committed', async () => {
  await using database = await opened()
  const ignoring = database.transaction(async (db) => {
    await db.run(sql`insert into numbers values (1)`)
    await db.run(sql`insert into numbers values (1)`).catch(() => {})
    return 'done'
  })
  await expect(ignoring).rejects.toMatchObject({ name: 'InvariantViolation', cause: { code: '23505' } })
  expect(await database.many(sql`select n from numbers`)).toEqual([])
  await database.transaction((db) => db.run(sql`insert into numbers values (1)`))
})

test('a transaction is retried after a deadlock', async () => {
  await using database = await opened()
  await database.script('insert into numbers values (1), (2); alter table numbers add hits int not null default 0')
  const hit = (db: Db, n: number) => db.run(sql`update numbers set hits = hits + 1 where n = ${n}`)
  const both = (first: number, second: number) =>
    database.transaction(async (db) => {
      await hit(db, first)
      await new Promise((resolve) => setTimeout(resolve, 50))
      await hit(db, second)
    })
  await Promise.all([both(1, 2), both(2, 1)])
  expect(await database.many(sql`select hits from numbers`)).toEqual([{ hits: 2 }, { hits: 2 }])
})

test('an error contains its statement but no values', async () => {
  await using database = await opened()
  const failing = database.run(sql`insert into numbers values (${'secret'})`)
  await expect(failing).rejects.toMatchObject({ code: '22P02', statement: 'insert into numbers values ($1)' })
  expect(await database.many(sql`select 1 as one`), 'the connection remains usable').toEqual([{ one: 1 }])
})

test('statements are prepared once, by their text', async () => {
  await using database = await opened()
  await database.transaction(async (db) => {
    for (let n = 0; n < 5; n++) await db.run(sql`insert into numbers values (${n})`)
    const names = await db.many<{ statement: string }>(sql`select statement from pg_prepared_statements`)
    expect(names.filter(({ statement }) => statement.startsWith('insert into numbers'))).toHaveLength(1)
  })
})

test('an applied migration must not change', async () => {
  await using database = await opened()
  const folder = await mkdtemp(join(tmpdir(), 'icosa-migrations-'))
  const own = [{ owner: 'my-service', directory: pathToFileURL(`${folder}/`) }]
  await writeFile(join(folder, '0001_first.sql'), 'create table things (id int)')
  await migrate(database, await readMigrations(own))
  await migrate(database, await readMigrations(own))
  expect(await database.many(sql`select * from my_service.things`)).toEqual([])

  await writeFile(join(folder, '0002_broken.sql'), 'create table more (id int); select nonsense')
  await expect(migrate(database, await readMigrations(own))).rejects.toThrow('nonsense')
  expect(await database.one(sql`select to_regclass('my_service.more') as more`)).toEqual({ more: null })

  await writeFile(join(folder, '0001_first.sql'), 'create table things (id bigint)')
  await expect(migrate(database, await readMigrations(own))).rejects.toThrow('put the change in a new file')
})

test('every row is on exactly one page despite concurrent writes; a token is valid only for its own list', async () => {
  const rows = Array.from({ length: 25 }, (_, n) => ({ n }))
  const query = ['numbers', 'ada']
  const page = (token?: string) =>
    readPage<{ n: number }>(
      { limit: 10, token, query },
      ({ n }) => [n],
      async ([after] = [-1], limit) => rows.filter(({ n }) => n > Number(after)).slice(0, limit),
    )
  const first = await page()
  rows.splice(0, 3) // rows before the page are deleted: nothing is skipped
  const second = await page(first.next)
  const third = await page(second.next)
  expect([first, second, third].map(({ items }) => items.map(({ n }) => n))).toEqual([
    Array.from({ length: 10 }, (_, n) => n),
    Array.from({ length: 10 }, (_, n) => 10 + n),
    Array.from({ length: 5 }, (_, n) => 20 + n),
  ])
  expect(third.next).toBeUndefined()

  const token = encodeToken(['a'], query)
  expect(decodeToken(token, query, 'query/token')).toEqual(['a'])
  for (const wrong of [encodeToken(['a'], ['numbers', 'bob']), 'nonsense', '', `${token}x!`])
    expect(() => decodeToken(wrong, query, 'query/token'), wrong).toThrow('query/token is not a token of this list')
})
