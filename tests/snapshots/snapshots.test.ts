import { loadavg } from 'node:os'
import { client } from '@icosa/client'
import { createKey, createSigningSecret, moveClock } from '@icosa/kernel'
import { credentialsFor, sized, type TestApp } from '@icosa/testing'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { snapshotsIn } from '../../apps/server/src/dev/snapshots/snapshots.ts'
import { type Opened, openInstance } from '../../apps/server/src/testkit/start.ts'
import { seeds } from '../seeds.ts'
import { fingerprintOf } from './fingerprint.ts'

// Uses the seeds of all services, which includes services added later.
const megabytes = sized(5, 100)
const blobs = sized(100, 1000)
let opened: Opened
const orders = '/subscriptions/own/resourceGroups/web/providers/Vendor.Sql/servers/eu/databases/orders'
const version = '?api-version=2017-10-01-preview'

beforeAll(async () => {
  opened = await openInstance({ env: { ICOSA_DB_CONNECTIONS: '40' } })
  await opened.app.settle()
})
afterAll(() => opened.app.close())

/** Adapts a development instance to the interface of seeds. */
function asTestApp(): TestApp {
  const { app, development } = opened
  const { platform, routes } = development.node
  const { database, clock, cellVault } = platform
  return {
    url: app.url,
    databaseUrl: development.database.url,
    platform,
    routes,
    jobs: { drain: app.settle },
    clock: {
      move: async (move) => void (await database.transaction((db) => moveClock(db, move))),
      advance: async (byMs) => void (await app.clock.advance(byMs)),
    },
    key: async (tenant, permissions = ['*']) =>
      (await createKey(database, clock, { tenant, name: 'seed', permissions })).key,
    signingSecret: (tenant, permissions = ['*']) =>
      createSigningSecret(database, clock, cellVault, { tenant, name: 'seed', permissions }),
    client: (contract, target, service) => client(contract, { ...target, baseUrl: `${app.url}/${service?.name}` }),
    [Symbol.asyncDispose]: async () => {},
  }
}

async function connectionString(): Promise<string> {
  const answer = await opened.app.fetch('sql-databases', `${orders}/listCredentials${version}`, { method: 'POST' })
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { connectionString: string }).connectionString
}

async function inOrders<T>(work: (session: pg.Client) => Promise<T>): Promise<T> {
  const session = new pg.Client({ connectionString: await connectionString() })
  session.on('error', () => {})
  await session.connect()
  return work(session).finally(() => session.end().catch(() => {}))
}

const rowsOfOrders = () =>
  inOrders(async (session) => (await session.query('select count(*)::int as n from lines')).rows[0]?.n)

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now()
  const result = await work()
  const load = loadavg()[0]?.toFixed(1)
  console.log(`${what}: ${Math.round(performance.now() - began)} ms (load average ${load})`)
  return result
}

test('all services, a large database and many blobs are restored with equal hashes', async () => {
  const { app, development, config } = opened
  for (const service of development.services)
    await seeds[service.name]?.(await credentialsFor(asTestApp(), service, 'owner'), asTestApp())
  const created = await app.fetch('sql-databases', orders + version, {
    method: 'PUT',
    body: JSON.stringify({ location: 'westeurope', sku: { name: 'S0' } }),
  })
  expect(created.status).toBe(201)
  await app.settle()
  await inOrders(async (session) => {
    await session.query('create table lines (id int primary key, words text)')
    const filled = `insert into lines select n, (select string_agg(md5(n::text || m), '') from generate_series(1, 31) m)`
    await session.query(`${filled} from generate_series(1, ${megabytes * 1000}) n`)
  })
  const own = () => development.node.platform.blobsOf('backup', 'dev')
  for (let n = 0; n < blobs; n++) await own().put(`snapshot/${n}`, Buffer.from(`blob ${n}`.repeat(500)))
  await app.clock.set('2031-05-01T12:00:00Z')
  const frozen = await app.clock.freeze()
  const tenant = await app.tenant('lasting')
  const rows = await rowsOfOrders()

  const folder = snapshotsIn(config)
  const before = await development.whileStopped({ discarding: false }, async () => {
    const { files, bytes } = await timed('files of a snapshot copied', () => folder.save('seeded'))
    console.log(`a snapshot of ${files} files, ${Math.round(bytes / 1024 ** 2)} MB`)
    return fingerprintOf(config.dataDirectory)
  })
  await timed('app.snapshot', () => app.snapshot('whole'))

  await app.clock.reset()
  for (let n = 0; n < blobs; n += 2) await own().delete(`snapshot/${n}`)
  await own().put('snapshot/1', Buffer.from('changed'))
  await inOrders((session) => session.query('delete from lines where id % 3 = 0'))
  await app.tenant('fleeting')
  await app.fetch('sql-databases', orders + version, { method: 'DELETE' })
  await app.settle()
  const [between, after] = await development.whileStopped({ discarding: true }, async () => {
    const changed = await fingerprintOf(config.dataDirectory)
    await timed('files of a snapshot brought back', () => folder.restore('seeded'))
    return [changed, await fingerprintOf(config.dataDirectory)] as const
  })
  expect(between).not.toEqual(before)
  expect(Object.keys(after).length).toBeGreaterThan(200)
  expect(after).toEqual(before)

  await app.tenant('fleeting')
  await timed('app.restore', () => app.restore('whole'))
  expect(await rowsOfOrders(), 'with the password at the snapshot').toBe(rows)
  expect(await app.clock.now()).toEqual(frozen)
  expect((await tenant.fetch('platform', '/clock')).status, 'with a key from before the snapshot').toBe(200)
  expect((await app.snapshots()).map(({ name }) => name)).toEqual(['seeded', 'whole'])
})

test('the duration of a reset is measured', async () => {
  const { app } = opened
  await app.snapshot('icosa-start')
  const times: number[] = []
  for (let n = 0; n < sized(1, 100); n++) {
    await app.tenant(`t${n}`)
    const began = performance.now()
    await app.reset()
    times.push(performance.now() - began)
  }
  const at = (share: number) =>
    Math.round(times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] as number)
  console.log(
    `reset of all services, ${times.length} times: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (load average ${loadavg()[0]?.toFixed(1)})`,
  )
  const answer = await app.fetch('platform', '/clock')
  expect(`${answer.status} ${await answer.text()}`).toContain('200 {')
})
