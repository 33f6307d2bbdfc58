import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '@icosa/kernel'
import { type TestApp, testServerUrl } from '@icosa/testing'
import { expect, test } from 'vitest'
import { defaultSettings } from '../settings.ts'
import { onTestHost, physicalNames, startSqlApp } from '../testing/app.ts'
import { type CuttingProxy, cuttingProxy } from '../testing/cutting-proxy.ts'
import { idOf, type Tenant, tenantOf } from '../testing/tenant.ts'
import { installation } from './store.ts'

/** The SQL host for callers; the worker connects through the proxy. */
const address = new URL(testServerUrl).host

/** There is a database for every cut; a new one must not take connections from earlier ones. */
const settings = { tenant: { ...defaultSettings.tenant, connections: 1_000 }, reservedConnections: 0 }
const properties = { maxConnections: 1 }

/** Runs pending jobs until the connection is cut, then retries. Returns false if they ended before the cut. */
async function runInterrupted(app: TestApp, proxy: CuttingProxy, messages: number): Promise<boolean> {
  proxy.cutAfter(messages)
  await app.jobs.drain()
  expect(await openToAll(app)).toEqual([])
  const wasCut = proxy.heal()
  await app.clock.advance(2_000)
  await app.jobs.drain()
  return wasCut
}

/** Our databases that every role of the host could connect to. */
async function openToAll({ platform }: TestApp): Promise<unknown[]> {
  const { prefix } = await installation(platform.database)
  return onTestHost(async (admin) => {
    // The server continues a statement whose client has disconnected.
    const working = sql`
      select from pg_stat_activity where state = 'active' and pid <> pg_backend_pid() and strpos(query, ${prefix}) > 0`
    while ((await admin.query(working)).rowCount) await sleep(20)
    const { rows } = await admin.query(sql`
      select datname from pg_database where starts_with(datname, ${prefix}) and datallowconn
        and has_database_privilege('public', oid, 'connect')`)
    return rows
  })
}

async function cutEverywhere(
  app: TestApp,
  proxy: CuttingProxy,
  begin: (name: string) => Promise<unknown>,
  check: (name: string) => Promise<unknown>,
): Promise<number> {
  for (let messages = 1; ; messages++) {
    const name = `db-${messages}`
    await begin(name)
    const wasCut = await runInterrupted(app, proxy, messages)
    await check(name)
    if (!wasCut) return messages
  }
}

const usable =
  ({ connect, status }: Tenant) =>
  async (name: string) => {
    expect(await status(name)).toBe('Online')
    await using connection = await connect(name)
    await connection.query('create table mine ()')
  }

test('the next attempt completes a creation or deletion that was cut off anywhere', async () => {
  await using proxy = await cuttingProxy(testServerUrl)
  await using app = await startSqlApp({ ...settings, adminUrl: proxy.url, address })
  const tenant = await tenantOf(app, 'acme')
  const { client, of } = tenant
  const create = (name: string) => client.createOrUpdate({ ...of(name), body: { location: 'westeurope', properties } })
  const cuts = await cutEverywhere(app, proxy, create, usable(tenant))
  expect(cuts).toBeGreaterThan(10)
  expect(await physicalNames(app.platform.database)).toHaveLength(cuts)

  const remove = (name: string) => client.delete(of(name))
  const expectDeleted = (name: string) => expect(client.get(of(name))).rejects.toMatchObject({ status: 404 })
  const removals = await cutEverywhere(app, proxy, remove, expectDeleted)
  expect(removals).toBeGreaterThan(4)
  expect(await physicalNames(app.platform.database)).toHaveLength(cuts - removals)
})

test('the next attempt completes a copy that was cut off anywhere, and reopens its source', async () => {
  await using proxy = await cuttingProxy(testServerUrl)
  await using app = await startSqlApp({ ...settings, adminUrl: proxy.url, address })
  const tenant = await tenantOf(app, 'acme')
  const { client, of, create, connect } = tenant
  await create('source')
  {
    await using source = await connect('source')
    await source.query('create table rows as select n from generate_series(1, 10) as n')
  }
  const copyProperties = { ...properties, createMode: 'Copy', sourceDatabaseId: idOf('source') } as const
  const copy = (name: string) =>
    client.createOrUpdate({ ...of(name), body: { location: 'westeurope', properties: copyProperties } })
  const cuts = await cutEverywhere(app, proxy, copy, async (name) => {
    await usable(tenant)(name)
    await using target = await connect(name)
    await target.query('delete from rows')
    await using source = await connect('source')
    expect((await source.query('select count(*)::int as count from rows')).rows).toEqual([{ count: 10 }])
  })
  expect(cuts).toBeGreaterThan(14)
  const failed = sql`select count(*)::int as count from icosa.operations where status <> 'succeeded'`
  expect(await app.platform.database.one(failed)).toEqual({ count: 0 })
})
