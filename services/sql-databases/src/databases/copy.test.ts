import { expect, test } from 'vitest'
import { physicalNames, startSqlApp } from '../testing/app.ts'
import { idOf, tenantOf } from '../testing/tenant.ts'

test('a copy has the rows of its source and its own role, and is independent of it', async () => {
  await using app = await startSqlApp()
  const { client, of, create, status, connect, read } = await tenantOf(app, 'acme')
  await create('orders', { sku: { name: 'S2' }, properties: { collation: 'de-DE' } })
  const { create: createOther } = await tenantOf(app, 'other', 'theirs')
  await using open = await connect('orders')
  await open.query('create schema shop')
  await open.query('create table shop.orders as select n from generate_series(1, 1000) as n')
  await open.query('alter default privileges in schema shop grant select on tables to public')

  const properties = { createMode: 'Copy', sourceDatabaseId: idOf('Orders', 'microsoft.sql') } as const
  await expect(createOther('stolen', { properties })).rejects.toMatchObject({
    status: 400,
    body: { error: { code: 'SourceDatabaseNotFound' } },
  })
  const response = await client.createOrUpdate({ ...of('archive'), body: { location: 'westeurope', properties } })
  expect(response).toMatchObject({
    status: 201,
    body: { sku: { name: 'Standard', capacity: 50 }, properties: { status: 'Copying' } },
  })
  await app.jobs.drain()
  expect(await read('archive')).toMatchObject({ properties: { status: 'Online', collation: 'de-DE' } })
  expect(await create('archive', { properties })).toMatchObject({ status: 200 })

  await expect(open.query('select 1')).rejects.toThrow() // disconnected during the copy
  {
    await using source = await connect('orders')
    await source.query('delete from shop.orders where n > 10')
    await using copy = await connect('archive')
    expect((await copy.query('select count(*)::int as count from shop.orders')).rows).toEqual([{ count: 1000 }])
    await copy.query('alter table shop.orders add column paid boolean')
    await copy.query('drop table shop.orders')
    await copy.query('create table public.fresh ()')
    expect((await source.query('select count(*)::int as count from shop.orders')).rows).toEqual([{ count: 10 }])
  }

  await client.delete(of('orders'))
  await app.jobs.drain()
  await expect(status('orders')).rejects.toMatchObject({ status: 404 })
  expect(await physicalNames(app.platform.database)).toHaveLength(1)
  await using copy = await connect('archive')
  await copy.query('select * from public.fresh')
})

test('a paused database can be copied and stays paused', async () => {
  await using app = await startSqlApp()
  const { client, of, create, status, connect } = await tenantOf(app, 'acme')
  await create('orders')
  {
    await using source = await connect('orders')
    await source.query('create table kept as select 1 as one')
  }
  await client.pause(of('orders'))
  await app.jobs.drain()
  await create('archive', { properties: { createMode: 'Copy', sourceDatabaseId: idOf('orders') } })
  expect([await status('orders'), await status('archive')]).toEqual(['Paused', 'Online'])
  await expect(connect('orders')).rejects.toThrow('not currently accepting connections')
  await using copy = await connect('archive')
  expect((await copy.query('select * from kept')).rows).toEqual([{ one: 1 }])
})
