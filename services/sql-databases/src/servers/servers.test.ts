import { testServerUrl } from '@icosa/testing'
import { expect, test } from 'vitest'
import { databaseOperations, databaseUsages, firewallRules, servers, serverUsages } from '../contract.ts'
import { startSqlApp } from '../testing/app.ts'
import { server, tenantOf, version } from '../testing/tenant.ts'

const refusal = (status: number, code: string) => ({ status, body: { error: { code } } })

test('a server is created, read, listed, tagged and deleted, and a database creates its server', async () => {
  await using app = await startSqlApp()
  const tenant = await tenantOf(app, 'acme')
  const client = app.client(servers, { headers: tenant.headers })
  const of = (serverName: string) => ({ params: { ...server, serverName }, query: version })
  const body = { location: 'westeurope', tags: { team: 'shop' } }

  expect(await client.createOrUpdate({ ...of('US-1'), body })).toMatchObject({
    status: 201,
    body: {
      id: '/subscriptions/Main/resourceGroups/Web/providers/Vendor.Sql/servers/US-1',
      name: 'US-1',
      type: 'Vendor.Sql/servers',
      location: 'westeurope',
      tags: { team: 'shop' },
      properties: { state: 'Ready', version: '12.0', fullyQualifiedDomainName: new URL(testServerUrl).hostname },
    },
  })
  expect((await client.createOrUpdate({ ...of('us-1'), body: { location: 'West Europe' } })).body.tags).toEqual({})
  await expect(client.createOrUpdate({ ...of('us-1'), body: { location: 'asia' } })).rejects.toMatchObject({
    status: 400,
  })
  expect((await client.update({ ...of('us-1'), body: { tags: { a: 'b' } } })).body).toMatchObject({ tags: { a: 'b' } })

  await expect(client.get(of('eu-1'))).rejects.toMatchObject(refusal(404, 'ResourceNotFound'))
  await tenant.create('orders')
  const { serverName: _, ...group } = server
  const page = await client.listByResourceGroup({ params: group, query: version })
  expect(page.body.value.map(({ name }) => name)).toEqual(['eu-1', 'US-1'])
  const all = await client.list({ params: { subscriptionId: 'main' }, query: version })
  expect(all.body.value).toEqual(page.body.value)

  await expect(client.delete(of('eu-1'))).rejects.toMatchObject(refusal(409, 'ServerNotEmpty'))
  await tenant.client.delete(tenant.of('orders'))
  await app.jobs.drain()
  for (const name of ['eu-1', 'US-1']) expect((await client.delete(of(name))).status).toBe(200)
  expect((await client.delete(of('eu-1'))).status).toBe(204)
  expect((await client.list({ params: group, query: version })).body.value).toEqual([])
})

test('rejects unsupported properties of a server', async () => {
  await using app = await startSqlApp()
  const { headers } = await tenantOf(app, 'acme')
  const client = app.client(servers, { headers })
  const put = (more: object) =>
    client.createOrUpdate({ params: server, query: version, body: { location: 'westeurope', ...more } })
  for (const more of [
    { properties: { administratorLogin: 'admin', administratorLoginPassword: 'Secret-1234' } },
    { identity: { type: 'SystemAssigned' as const } },
  ])
    await expect(put(more)).rejects.toMatchObject({ status: 501, body: { error: { code: 'NotImplemented' } } })
  await put({})
  const rules = app.client(firewallRules, { headers })
  expect((await rules.listByServer({ params: server, query: version })).body.value).toEqual([])
  const rule = rules.createOrUpdate({
    params: { ...server, firewallRuleName: 'all' },
    query: version,
    body: { properties: { startIpAddress: '0.0.0.0', endIpAddress: '255.255.255.255' } },
  })
  await expect(rule).rejects.toMatchObject({
    status: 501,
    body: { error: { message: expect.stringContaining('pg_hba.conf') } },
  })
})

test('returns usages from the SQL host, and the latest operation', async () => {
  await using app = await startSqlApp()
  const { client, of, create, connect, headers } = await tenantOf(app, 'acme')
  const usages = app.client(databaseUsages, { headers })
  const operations = app.client(databaseOperations, { headers })
  await client.createOrUpdate({ ...of('orders'), body: { location: 'westeurope', sku: { name: 'S1' } } })
  expect((await usages.listByDatabase(of('orders'))).body.value).toEqual([])
  expect((await operations.listByDatabase(of('orders'))).body.value).toMatchObject([
    { properties: { databaseName: 'orders', operationFriendlyName: 'CREATE DATABASE', state: 'Pending' } },
  ])
  await app.jobs.drain()
  expect((await operations.listByDatabase(of('orders'))).body.value).toMatchObject([
    { properties: { state: 'Succeeded', percentComplete: 100 } },
  ])

  await using connection = await connect('orders')
  await using _ = await connect('orders')
  await connection.query('create table notes as select repeat(md5(n::text), 30) from generate_series(1, 4096) as n')
  const { rows } = await connection.query('select pg_database_size(current_database())::int as bytes')
  const usageByName = Object.fromEntries(
    (await usages.listByDatabase(of('orders'))).body.value.map(({ name, ...usage }) => [name, usage]),
  )
  expect(usageByName).toMatchObject({
    database_size: { currentValue: rows[0].bytes, limit: 250 * 1024 ** 3, unit: 'Bytes', resourceName: 'orders' },
    connections: { currentValue: 2, limit: 15, unit: 'Count' },
  })

  await create('archive')
  const ofServer = app.client(serverUsages, { headers })
  expect((await ofServer.listByServer({ params: server, query: version })).body.value).toMatchObject([
    { name: 'databases', currentValue: 2, limit: 100 },
  ])
})
