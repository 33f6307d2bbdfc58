import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { sql } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { defaultSettings } from '../settings.ts'
import { onTestHost, physicalNames, startSqlApp } from '../testing/app.ts'
import { connectTo, idOf, poolIdOf, tenantOf } from '../testing/tenant.ts'

const run = promisify(execFile)
/** The PostgreSQL package of npm has no psql. */
const hasPsql = () => run('psql', ['--version']).then(Boolean, () => false)

test('a database is created, written to, paused, resumed, renamed and deleted', async () => {
  await using app = await startSqlApp()
  const { client, of, create, read, credentials, connect, headers } = await tenantOf(app, 'acme')
  const getJson = async (url: string | null) => (await fetch(String(url), { headers })).json()

  const created = await client.createOrUpdate({
    ...of('orders'),
    body: { location: 'westeurope', sku: { name: 'S1' }, tags: { team: 'shop' } },
  })
  expect(created).toMatchObject({
    status: 201,
    body: {
      id: idOf('orders'),
      name: 'orders',
      type: 'Vendor.Sql/servers/databases',
      tags: { team: 'shop' },
      sku: { name: 'Standard', tier: 'Standard', capacity: 20 },
      properties: { status: 'Creating', requestedServiceObjectiveName: 'S1' },
    },
  })
  await expect(connect('orders')).rejects.toThrow()
  expect(await getJson(created.headers.get('azure-asyncoperation'))).toMatchObject({ status: 'InProgress' })
  await app.jobs.drain()
  expect(await getJson(created.headers.get('azure-asyncoperation'))).toMatchObject({ status: 'Succeeded' })
  expect(await getJson(created.headers.get('location'))).toEqual(await read('orders'))
  expect(await read('orders')).toMatchObject({
    properties: { status: 'Online', currentServiceObjectiveName: 'S1', storageState: 'ReadWrite' },
  })

  const { connectionString, user } = await credentials('orders')
  await using connection = await connectTo(connectionString)
  await connection.query('create table orders as select n, md5(n::text) as text from generate_series(1, 1000) as n')
  const countQuery = 'select count(*)::int as count from orders'
  if (await hasPsql()) {
    const { stdout } = await run('psql', ['-tA', connectionString, '-c', countQuery])
    expect(stdout.trim()).toBe('1000')
  }

  const paused = await client.pause(of('orders'))
  expect([paused.status, await read('orders')]).toMatchObject([202, { properties: { status: 'Pausing' } }])
  await app.jobs.drain()
  expect(await read('orders')).toMatchObject({ properties: { status: 'Paused', pausedDate: expect.any(String) } })
  await expect(connection.query(countQuery)).rejects.toThrow()
  await expect(connect('orders')).rejects.toThrow('not currently accepting connections')
  expect(await client.pause(of('orders'))).toMatchObject({ status: 200, body: { properties: { status: 'Paused' } } })

  expect(await client.resume(of('orders'))).toMatchObject({ status: 202 })
  await app.jobs.drain()
  expect((await read('orders')).properties).toMatchObject({ status: 'Online', resumedDate: expect.any(String) })
  expect((await read('orders')).properties).not.toHaveProperty('pausedDate')

  expect(await client.rename({ ...of('orders'), body: { id: idOf('Sales', 'Microsoft.Sql') } })).toMatchObject({
    status: 200,
  })
  await expect(read('orders')).rejects.toMatchObject({ status: 404, body: { error: { code: 'ResourceNotFound' } } })
  expect(await read('sales')).toMatchObject({ id: idOf('Sales'), name: 'Sales' })
  {
    await using connection = await connect('sales')
    expect((await connection.query(countQuery)).rows).toEqual([{ count: 1000 }])
  }

  await create('orders') // its name is free again
  expect(await client.delete(of('Sales'))).toMatchObject({ status: 202 })
  await app.jobs.drain()
  await expect(read('sales')).rejects.toMatchObject({ status: 404 })
  await expect(connectTo(connectionString)).rejects.toMatchObject({ code: expect.stringMatching(/^28/) })
  const { rowCount } = await onTestHost((admin) => admin.query(sql`select from pg_roles where rolname = ${user}`))
  expect(rowCount).toBe(0)
  expect(await client.delete(of('sales'))).toMatchObject({ status: 204 })
  expect(await physicalNames(app.platform.database)).toHaveLength(1)
})

test('repeating a request returns 200 without work, or the running operation', async () => {
  await using app = await startSqlApp()
  const { client, of, read } = await tenantOf(app, 'acme')
  const body = { location: 'West Europe', sku: { name: 'BC', family: 'Gen4', capacity: 2 } }
  const first = await client.createOrUpdate({ ...of('orders'), body })
  const second = await client.createOrUpdate({ ...of('ORDERS'), body: { ...body, location: 'westeurope' } })
  expect(second.status).toBe(202)
  expect(second.headers.get('location')).toBe(first.headers.get('location'))
  await expect(client.pause(of('orders'))).rejects.toMatchObject({
    status: 409,
    body: { error: { code: 'ConflictingDatabaseOperation' } },
  })
  await app.jobs.drain()

  const whole = await read('orders')
  expect(whole.sku).toEqual({ name: 'BC_Gen4', tier: 'BusinessCritical', family: 'Gen4', capacity: 2 })
  expect(await client.createOrUpdate({ ...of('orders'), body: whole })).toMatchObject({ status: 200, body: whole })
  expect(await client.createOrUpdate({ ...of('orders'), body: { ...body, tags: { a: 'b' } } })).toMatchObject({
    status: 200,
    body: { tags: { a: 'b' } },
  })
  await expect(client.createOrUpdate({ ...of('orders'), body: { location: 'asia' } })).rejects.toMatchObject({
    status: 400,
  })
  await app.jobs.drain()
  expect(await physicalNames(app.platform.database)).toHaveLength(1)
})

test('a delete replaces a running operation', async () => {
  await using app = await startSqlApp()
  const { client, of, read, headers } = await tenantOf(app, 'acme')
  const created = await client.createOrUpdate({ ...of('orders'), body: { location: 'westeurope' } })
  const deleted = await client.delete(of('orders'))
  expect((await client.delete(of('orders'))).headers.get('location')).toBe(deleted.headers.get('location'))
  await app.jobs.drain()
  await expect(read('orders')).rejects.toMatchObject({ status: 404 })
  const outcome = await fetch(String(created.headers.get('azure-asyncoperation')), { headers })
  expect(await outcome.json()).toMatchObject({ status: 'Failed', error: { code: 'OperationInterrupted' } })
  expect((await fetch(String(deleted.headers.get('location')), { headers })).status).toBe(204)
  expect(await physicalNames(app.platform.database)).toEqual([])
})

test('lists databases of a server and of a pool in pages, in both spellings of the namespace', async () => {
  await using app = await startSqlApp({ tenant: { ...defaultSettings.tenant, connections: 200 } })
  const { client, of, headers, pool } = await tenantOf(app, 'acme')
  const {
    params: { databaseName: _, ...server },
    query,
  } = of('any')
  await expect(client.listByServer({ params: server, query })).rejects.toMatchObject({ status: 404 })
  const elasticPoolId = poolIdOf('Small')
  await pool('Small')
  for (let number = 0; number < 103; number++) {
    const properties = number % 2 === 0 ? { elasticPoolId } : {}
    const name = `db-${String(number).padStart(3, '0')}`
    await client.createOrUpdate({ ...of(name), body: { location: 'westeurope', properties } })
  }
  const first = await client.listByServer({ params: server, query })
  expect(first.body.value).toHaveLength(100)
  const nextLink = String(first.body.nextLink).replace('Vendor.Sql', 'Microsoft.Sql')
  const second = JSON.parse(await (await fetch(nextLink, { headers })).text())
  expect(second.value.map(({ id }: { id: string }) => id)).toEqual(
    ['db-100', 'db-101', 'db-102'].map((name) => idOf(name, 'Microsoft.Sql')),
  )
  expect(second).not.toHaveProperty('nextLink')
  const pooled = await client.listByElasticPool({ params: { ...server, elasticPoolName: 'SMALL' }, query })
  expect(pooled.body.value).toHaveLength(52)
  expect(pooled.body.value[0]).toMatchObject({
    sku: { name: 'ElasticPool' },
    properties: { elasticPoolId: elasticPoolId },
  })
})
