import { sql } from '@icosa/kernel'
import { example, startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { resetState } from './store.ts'

test('a reset empties one tenant or one service and leaves the others', async () => {
  await using app = await startTestApp(example)
  const { database } = app.platform
  const write = (tenant: string) =>
    database.run(
      sql`insert into example.notes (tenant, id, title, text, created_at) values (${tenant}, 'n', 't', '', now())`,
    )
  for (const tenant of ['ada', 'bob']) await write(tenant)
  const tenants = () => database.many(sql`select tenant from example.notes order by tenant`)

  expect(await database.transaction((db) => resetState(db, { tenant: 'ada' }))).toEqual({
    rows: 1,
    blobPrefixes: ['example/ada/'],
  })
  expect(await tenants()).toEqual([{ tenant: 'bob' }])
  expect(await database.transaction((db) => resetState(db, { service: 'example' }))).toMatchObject({ rows: 1 })
  expect(await tenants()).toEqual([])
  await expect(database.transaction((db) => resetState(db, { service: 'nothing' }))).rejects.toMatchObject({
    kind: 'invalid',
  })
})
