import { expect, test } from 'vitest'
import { poolOperations, pools, servers } from '../contract.ts'
import { minutePasses, onTestHost, startSqlApp } from '../testing/app.ts'
import { type Connection, ended, poolIdOf, server, tenantOf, version } from '../testing/tenant.ts'

const refusal = (status: number, code: string) => ({ status, body: { error: { code } } })
const megabyte = 1024 ** 2

async function write(connection: Connection, megabytes: number): Promise<void> {
  await connection.query(
    `create table notes as select repeat(md5(n::text), 30) from generate_series(1, ${megabytes * 1024}) as n`,
  )
}

test('a pool is created, read, listed, changed and deleted, and databases can only join an existing pool', async () => {
  await using app = await startSqlApp()
  const { create, client, of, read, headers } = await tenantOf(app, 'acme')
  const pool = app.client(pools, { headers })
  const small = { params: { ...server, elasticPoolName: 'Small' }, query: version }
  const body = { location: 'westeurope', sku: { name: 'StandardPool', tier: 'Standard', capacity: 100 } }
  await expect(pool.createOrUpdate({ ...small, body })).rejects.toMatchObject({ status: 404 }) // no such server
  await create('orders')
  const properties = { elasticPoolId: poolIdOf('small') }
  await expect(client.listByElasticPool(small)).rejects.toMatchObject(refusal(404, 'ResourceNotFound'))
  await expect(create('sales', { properties })).rejects.toMatchObject(refusal(400, 'TargetElasticPoolDoesNotExist'))
  const join = client.update({ ...of('orders'), body: { properties } })
  await expect(join).rejects.toMatchObject(refusal(400, 'TargetElasticPoolDoesNotExist'))

  expect(await pool.createOrUpdate({ ...small, body })).toMatchObject({
    status: 201,
    body: {
      id: poolIdOf('Small'),
      type: 'Vendor.Sql/servers/elasticPools',
      sku: { name: 'StandardPool', tier: 'Standard', capacity: 100 },
      properties: { state: 'Ready', maxSizeBytes: 4096 * 1024 ** 3, perDatabaseSettings: { maxCapacity: 100 } },
    },
  })
  await create('sales', { properties })
  expect(await read('sales')).toMatchObject({
    sku: { name: 'ElasticPool', tier: 'Standard', capacity: 0 },
    properties: { elasticPoolId: poolIdOf('small') },
  })
  expect((await client.listByElasticPool(small)).body.value.map(({ name }) => name)).toEqual(['sales'])
  const wrongTier = { properties, sku: { name: 'ElasticPool', tier: 'Premium' } }
  await expect(create('more', wrongTier)).rejects.toMatchObject(refusal(400, 'ElasticPoolTierCombinationInvalid'))

  await expect(pool.delete(small)).rejects.toMatchObject(refusal(409, 'ElasticPoolNotEmpty'))
  const deletion = app.client(servers, { headers }).delete({ params: server, query: version })
  await expect(deletion).rejects.toMatchObject(refusal(409, 'ServerNotEmpty'))
  await client.update({ ...of('sales'), body: { sku: { name: 'S0' } } })
  await app.jobs.drain()
  const { elasticPoolName: _, ...onServer } = small.params
  expect((await pool.listByServer({ params: onServer, query: version })).body.value).toHaveLength(1)
  expect((await pool.delete(small)).status).toBe(200)
  expect((await pool.delete(small)).status).toBe(204)
  await expect(pool.get(small)).rejects.toMatchObject({ status: 404 })
})

test('rejects unsupported configurations of a pool', async () => {
  await using app = await startSqlApp()
  const { pool } = await tenantOf(app, 'acme')
  await pool('small')
  const wrong: [Parameters<typeof pool>[1], number, string][] = [
    [{ sku: { name: 'HugePool' } }, 400, 'InvalidSkuName'],
    [{ sku: { name: 'StandardPool', capacity: 7 } }, 400, 'UnsupportedCapacity'],
    [{ sku: { name: 'StandardPool', tier: 'Basic' } }, 400, 'MismatchedSkuNameAndTier'],
    [{ properties: { zoneRedundant: true } }, 501, 'NotImplemented'],
    [{ properties: { perDatabaseSettings: { minCapacity: 10 } } }, 501, 'NotImplemented'],
    [{ properties: { perDatabaseSettings: { maxCapacity: 101 } } }, 400, 'InvalidRequestContent'],
    [{ properties: { maxConnections: 101 } }, 400, 'InvalidRequestContent'],
    [{ sku: { name: 'BasicPool' }, properties: { maxSizeBytes: 1024 ** 4 } }, 400, 'InvalidMaxSizeTierCombination'],
  ]
  for (const [body, status, code] of wrong)
    await expect(pool('small', body), code).rejects.toMatchObject(refusal(status, code))
})

test('a pool limits the connections of each database, immediately when the limit changes', async () => {
  await using app = await startSqlApp()
  const { create, pool, credentials, headers } = await tenantOf(app, 'acme')
  await pool('small', {
    sku: { name: 'GP_Gen5', capacity: 4 },
    properties: { perDatabaseSettings: { maxCapacity: 1 } },
  })
  await create('orders', { properties: { elasticPoolId: poolIdOf('small') } })
  const { database } = await credentials('orders')
  const limit = async () => {
    const { rows } = await onTestHost((admin) =>
      admin.query(`select datconnlimit as max from pg_database where datname = '${database}'`),
    )
    return rows[0]?.max
  }
  expect(await limit()).toBe(10) // one of four cores
  const response = await pool('small', {
    sku: { name: 'GP_Gen5', capacity: 4 },
    properties: { perDatabaseSettings: { maxCapacity: 2 } },
  })
  expect(response.status).toBe(202)
  const { listByElasticPool } = app.client(poolOperations, { headers })
  const latest = async () =>
    (await listByElasticPool({ params: { ...server, elasticPoolName: 'small' }, query: version })).body.value
  expect(await latest()).toMatchObject([{ properties: { elasticPoolName: 'small', state: 'Pending' } }])
  await app.jobs.drain()
  expect(await latest()).toMatchObject([{ properties: { state: 'Succeeded' } }])
  expect(await limit()).toBe(20)
  const outcome = await fetch(String(response.headers.get('location')), { headers })
  expect(await outcome.json()).toMatchObject({
    id: poolIdOf('small'),
    properties: { perDatabaseSettings: { maxCapacity: 2 } },
  })
})

test('terminates connections beyond the limit of a pool, newest first', async () => {
  await using app = await startSqlApp({ pool: { members: 2 } })
  const { create, client, of, connect, pool } = await tenantOf(app, 'acme')
  await pool('small', { properties: { maxConnections: 3 } })
  const properties = { elasticPoolId: poolIdOf('small') }
  await create('one', { properties })
  await create('two', { properties })
  await create('single')
  const full = refusal(400, 'ElasticPoolDatabaseCountOverLimit')
  await expect(create('three', { properties })).rejects.toMatchObject(full)
  await expect(client.update({ ...of('single'), body: { properties } })).rejects.toMatchObject(full)

  await using connections = new AsyncDisposableStack()
  const open = async (name: string) => connections.use(await connect(name))
  const oldest = [await open('one'), await open('two'), await open('one')]
  const newest = await open('two')
  await minutePasses(app)
  for (const connection of oldest) await connection.query('select 1')
  await ended(newest)

  await client.update({ ...of('two'), body: { sku: { name: 'S0' } } })
  await app.jobs.drain()
  expect((await client.get(of('two'))).body.properties).not.toHaveProperty('elasticPoolId')
  await create('three', { properties })
})

test('databases of an oversized pool are read-only until its limit is raised', async () => {
  await using app = await startSqlApp()
  const { client, of, create, read, connect, pool } = await tenantOf(app, 'acme')
  await pool('small', { properties: { maxSizeBytes: 40 * megabyte } })
  const properties = { elasticPoolId: poolIdOf('small') }
  await create('one', { properties })
  await create('two', { properties })
  await create('other')
  const states = () =>
    Promise.all(['one', 'two', 'other'].map(async (name) => (await read(name)).properties?.storageState))
  {
    await using one = await connect('one')
    await using two = await connect('two')
    await write(one, 10)
    await write(two, 20)
  }
  await minutePasses(app)
  expect(await states()).toEqual(['ReadOnly', 'ReadOnly', 'ReadWrite'])
  await using one = await connect('one')
  await expect(one.query('create table more (n int)')).rejects.toMatchObject({ code: '25006' })

  expect((await pool('small', { properties: { maxSizeBytes: 400 * megabyte } })).status).toBe(202)
  await app.jobs.drain()
  expect(await states()).toEqual(['ReadWrite', 'ReadWrite', 'ReadWrite'])
  expect((await read('one')).properties?.maxSizeBytes).toBe(400 * megabyte)
  const { sku, location, properties: currentProperties } = await read('one')
  const same = {
    ...of('one'),
    body: { location, ...(sku && { sku }), ...(currentProperties && { properties: currentProperties }) },
  }
  expect((await client.createOrUpdate(same)).status).toBe(200)
  const tooMany = create('large', { properties: { ...properties, maxConnections: 101 } })
  await expect(tooMany).rejects.toMatchObject(refusal(400, 'InvalidRequestContent'))
  const tooLarge = create('large', { properties: { ...properties, maxSizeBytes: 1024 ** 3 } })
  await expect(tooLarge).rejects.toMatchObject(refusal(400, 'InvalidMaxSizeTierCombination'))
})
