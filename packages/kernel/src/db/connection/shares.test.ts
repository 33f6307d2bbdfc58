import { createTestDatabase } from '@icosa/testing'
import { expect, test } from 'vitest'
import { openDatabase, sql } from '../db.ts'

test('a tenant with hanging statements leaves connections for others, and those for further ones', async () => {
  await using testDatabase = await createTestDatabase([])
  const database = openDatabase({ url: testDatabase.url, maxConnections: 8, onError: () => {} })
  const ask = (fairnessKey: string) => database.of(fairnessKey).one<{ one: number }>(sql`select 1 as one`)
  const { promise: released, resolve: letGo } = Promise.withResolvers<void>()
  const hanging = Array.from({ length: 100 }, () =>
    database.of('evil').transaction(async (db) => {
      await db.run(sql`select 1`)
      await released
    }),
  )
  await expect.poll(() => database.load().waiting).toBe(94)
  expect(await Promise.all(Array.from({ length: 50 }, () => ask('acme')))).toHaveLength(50)
  expect(await ask('late')).toEqual({ one: 1 })
  expect(await database.one(sql`select 2 as two`), 'internal work').toEqual({ two: 2 })
  expect(database.load().waiting, 'the flood still waits').toBe(94)
  letGo()
  await Promise.all(hanging)
  expect(database.load()).toMatchObject({ waiting: 0 })
  await database.close()
})

test('a connection that breaks while in use is released', async () => {
  await using testDatabase = await createTestDatabase([])
  const database = openDatabase({ url: testDatabase.url, maxConnections: 2, onError: () => {} })
  for (let time = 0; time < 10; time++)
    await expect(database.of('ada').run(sql`select pg_terminate_backend(pg_backend_pid())`)).rejects.toThrow()
  expect(await database.of('ada').one(sql`select 1 as one`)).toEqual({ one: 1 })
  expect(database.load().waiting).toBe(0)
  await database.close()
})
