import { sql } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { minutePasses, onTestHost, startSqlApp } from '../testing/app.ts'
import { idOf, tenantOf } from '../testing/tenant.ts'

const refusal = (status: number, code: string) => ({ status, body: { error: { code } } })

test('accepts a sku by tier and capacity, and returns it so', async () => {
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
  for (const [sku, objective, expected] of forms) {
    expect((await put(sku)).status, objective).toBe(202)
    await app.jobs.drain()
    const { sku: actual, properties } = await read('orders')
    expect(actual).toEqual(expected)
    expect(properties).toMatchObject({ currentServiceObjectiveName: objective, currentSku: expected })
  }
  await expect(put({ name: 'Standard', capacity: 11 })).rejects.toMatchObject(refusal(400, 'UnsupportedCapacity'))
  await expect(put({ name: 'S0', capacity: 20 })).rejects.toMatchObject(refusal(400, 'MismatchedSkuNameAndCapacity'))
})

test('maps a SQL Server collation to the nearest of PostgreSQL, and returns it', async () => {
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

  const sameBody = { location: 'westeurope', properties: { collation } }
  expect((await client.createOrUpdate({ ...of('orders'), body: sameBody })).status).toBe(200)
  await expect(create('other', { properties: { collation: 'Klingon_CI_AS' } })).rejects.toMatchObject({
    status: 501,
    body: { error: { message: expect.stringContaining('Klingon_CI_AS') } },
  })
})

test('returns the collation and the location of the secondary', async () => {
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
    defaultSecondaryLocation: 'westeurope',
  })
  expect(properties, 'nothing is archived').not.toHaveProperty('earliestRestoreDate')
  expect(
    await client.createOrUpdate({ ...of('orders'), body: { ...database, properties: properties ?? {} } }),
  ).toMatchObject({ status: 200 })
})

test('fills in a missing collation of older databases within a minute', async () => {
  await using app = await startSqlApp()
  const { create, read } = await tenantOf(app, 'acme')
  await create('orders', { properties: { collation: 'de-DE' } })
  await app.platform.database.run(sql`update sql_databases.databases set host_collation = null`)
  expect((await read('orders')).properties).not.toHaveProperty('hostCollation')
  await minutePasses(app)
  expect((await read('orders')).properties).toMatchObject({ collation: 'de-DE', hostCollation: 'de-DE' })
})

test('returns no credentials of a database that does not exist yet, or is being deleted', async () => {
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

test('rejects names of system databases', async () => {
  await using app = await startSqlApp()
  const { client, of, create, read } = await tenantOf(app, 'acme')
  const reserved = refusal(400, 'CannotUseReservedDatabaseName')
  for (const name of ['master', 'MSDB', 'model', 'tempdb', 'resource', 'postgres', 'template0', 'Template1'])
    await expect(create(name), name).rejects.toMatchObject(reserved)
  await create('orders')
  const rename = client.rename({ ...of('orders'), body: { id: idOf('Master') } })
  await expect(rename).rejects.toMatchObject(reserved)
  await expect(read('master')).rejects.toMatchObject({ status: 404 })
})
