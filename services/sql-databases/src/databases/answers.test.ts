import { sql } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { minutePasses, onTestHost, startSqlApp } from '../testing/app.ts'
import { idOf, tenantOf } from '../testing/tenant.ts'

const refusal = (status: number, code: string) => ({ status, body: { error: { code } } })

test("a sku is taken in its maker's form, and comes back with its capacity", async () => {
  await using app = await startSqlApp()
  const { client, of, read } = await tenantOf(app, 'acme')
  const put = (sku: { name: string; tier?: string; capacity?: number }) =>
    client.createOrUpdate({ ...of('orders'), body: { location: 'westeurope', sku } })
  expect(await put({ name: 'Standard', tier: 'Standard', capacity: 10 })).toMatchObject({
    status: 201,
    body: {
      sku: { name: 'Standard', tier: 'Standard', capacity: 10 },
      properties: { requestedServiceObjectiveName: 'S0' },
    },
  })
  await app.jobs.drain()
  expect((await put({ name: 'S0' })).status).toBe(200) // the same by its other name
  const forms: [Parameters<typeof put>[0], string, object][] = [
    [{ name: 'Standard', capacity: 50 }, 'S2', { name: 'Standard', tier: 'Standard', capacity: 50 }],
    [{ name: 'P1', capacity: 125 }, 'P1', { name: 'Premium', tier: 'Premium', capacity: 125 }],
    [{ name: 'Basic', tier: 'Basic', capacity: 5 }, 'Basic', { name: 'Basic', tier: 'Basic', capacity: 5 }],
    [{ name: 'DataWarehouse', capacity: 900 }, 'DW100c', { name: 'DW100c', tier: 'DataWarehouse', capacity: 900 }],
  ]
  for (const [sku, objective, shown] of forms) {
    expect((await put(sku)).status, objective).toBe(202)
    await app.jobs.drain()
    const { sku: found, properties } = await read('orders')
    expect(found).toEqual(shown)
    expect(properties).toMatchObject({ currentServiceObjectiveName: objective, currentSku: shown })
  }
  await expect(put({ name: 'Standard', capacity: 11 })).rejects.toMatchObject(refusal(400, 'UnsupportedCapacity'))
  await expect(put({ name: 'S0', capacity: 20 })).rejects.toMatchObject(refusal(400, 'MismatchedSkuNameAndCapacity'))
})

test('a collation of SQL Server becomes the nearest of PostgreSQL, and the answer says which', async () => {
  await using app = await startSqlApp()
  const { client, of, create, read, connect, credentials } = await tenantOf(app, 'acme')
  const collation = 'SQL_Latin1_General_CP1_CI_AS'
  await create('orders', { properties: { collation } })
  const { properties } = await read('orders')
  expect(properties).toMatchObject({ collation, hostCollation: 'en-US-u-ks-level2' })
  const { database } = await credentials('orders')
  const { rows } = await onTestHost((admin) =>
    admin.query(`select datlocprovider as provider from pg_database where datname = '${database}'`),
  )
  expect(rows).toEqual([{ provider: 'i' }])
  await using connection = await connect('orders')
  const sorted = await connection.query(
    `select word from (values ('b'), ('C'), ('A'), ('ä')) as words (word) order by 1`,
  )
  expect(sorted.rows.map(({ word }) => word)).toEqual(['A', 'ä', 'b', 'C'])

  const again = { location: 'westeurope', properties: { collation } }
  expect((await client.createOrUpdate({ ...of('orders'), body: again })).status).toBe(200)
  await expect(create('other', { properties: { collation: 'Klingon_CI_AS' } })).rejects.toMatchObject({
    status: 501,
    body: { error: { message: expect.stringContaining('Klingon_CI_AS') } },
  })
})

test('a database says its collation, from when it could be restored, and where its secondary would be', async () => {
  await using app = await startSqlApp()
  const { client, of, create, read } = await tenantOf(app, 'acme')
  await create('orders')
  const { rows } = await onTestHost((admin) =>
    admin.query(`select datcollate as collation from pg_database where datname = 'template0'`),
  )
  const { properties, ...database } = await read('orders')
  expect(properties).toMatchObject({
    collation: rows[0]?.collation,
    hostCollation: rows[0]?.collation,
    earliestRestoreDate: properties?.creationDate,
    defaultSecondaryLocation: 'westeurope',
  })
  expect(
    await client.createOrUpdate({ ...of('orders'), body: { ...database, properties: properties ?? {} } }),
  ).toMatchObject({ status: 200 })
})

test('databases from before their collation was known learn it within a minute', async () => {
  await using app = await startSqlApp()
  const { create, read } = await tenantOf(app, 'acme')
  await create('orders', { properties: { collation: 'de-DE' } })
  await app.platform.database.run(sql`update sql_databases.databases set host_collation = null`)
  expect((await read('orders')).properties).not.toHaveProperty('hostCollation')
  await minutePasses(app)
  expect((await read('orders')).properties).toMatchObject({ collation: 'de-DE', hostCollation: 'de-DE' })
})

test('nobody gets credentials for what does not exist yet or no longer', async () => {
  await using app = await startSqlApp()
  const { client, of, credentials } = await tenantOf(app, 'acme')
  const busy = refusal(409, 'ConflictingDatabaseOperation')
  await client.createOrUpdate({ ...of('orders'), body: { location: 'westeurope' } })
  await expect(credentials('orders')).rejects.toMatchObject(busy)
  await app.jobs.drain()
  expect(await credentials('orders')).toHaveProperty('password')
  const properties = { createMode: 'Copy' as const, sourceDatabaseId: idOf('orders') }
  await client.createOrUpdate({ ...of('archive'), body: { location: 'westeurope', properties } })
  await expect(credentials('archive')).rejects.toMatchObject(busy)
  await client.delete(of('orders'))
  await expect(credentials('orders')).rejects.toMatchObject(busy)
  await app.jobs.drain()
})

test('names of system databases are not given away', async () => {
  await using app = await startSqlApp()
  const { client, of, create, read } = await tenantOf(app, 'acme')
  const reserved = refusal(400, 'CannotUseReservedDatabaseName')
  for (const name of ['master', 'MSDB', 'model', 'tempdb', 'resource', 'postgres', 'template0', 'Template1'])
    await expect(create(name), name).rejects.toMatchObject(reserved)
  await create('orders')
  const renamed = client.rename({ ...of('orders'), body: { id: idOf('Master') } })
  await expect(renamed).rejects.toMatchObject(reserved)
  await expect(read('master')).rejects.toMatchObject({ status: 404 })
})
