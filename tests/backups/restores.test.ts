import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '@icosa/kernel'
import * as contracts from '@icosa/sql-databases/contract'
import { sized } from '@icosa/testing'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../services/sql-databases/src/databases/contract.ts'
import { idOf, server, type Tenant, version } from '../../services/sql-databases/src/testing/tenant.ts'
import { type ArchivedHost, archivedHost } from './archived-host.ts'
import { type ContinuousWorld, patience, startContinuous } from './continuous-world.ts'

const intervalMs = 5
const writingMs = sized(1_000, 120_000)
const dayMs = 86_400_000

let host: ArchivedHost
let world: ContinuousWorld
let acme: Tenant
let rival: Tenant
/** Commit times of the host, in the order of the writes. */
let commits: readonly number[]

beforeAll(async () => {
  host = await archivedHost({ track_commit_timestamp: 'on' })
  world = await startContinuous({ ...host, retentionDays: 7 })
  await world.startWorker()
}, 180_000)
afterAll(async () => {
  await world?.[Symbol.asyncDispose]()
  await host?.[Symbol.asyncDispose]()
})

type Properties = NonNullable<Database['properties']>

const put = (tenant: Tenant, name: string, properties: Properties, serverName = server.serverName) =>
  tenant.client.createOrUpdate({
    params: { ...server, serverName, subscriptionId: tenant.of(name).params.subscriptionId, databaseName: name },
    query: version,
    body: { location: 'westeurope', properties },
  })

/** Restores a database of a tenant under another name, and waits until it can be used. */
async function restore(tenant: Tenant, name: string, properties: Properties): Promise<void> {
  expect((await put(tenant, name, properties)).body).toMatchObject({ properties: { status: 'Restoring' } })
  await isOnline(tenant, name)
}

const isOnline = (tenant: Tenant, name: string) => expect.poll(() => tenant.status(name), patience).toBe('Online')

const ownId = (name: string, kind = 'databases') =>
  idOf(name).replace('/Main/', '/acme/').replace('/databases/', `/${kind}/`)

const listsOf = ({ headers }: Tenant) => ({
  dropped: world.app.client(contracts.restorableDroppedDatabases, { headers }),
  recoverable: world.app.client(contracts.recoverableDatabases, { headers }),
})

const onServer = (subscriptionId = 'acme') => ({ params: { ...server, subscriptionId }, query: version })

async function droppedOf(tenant: Tenant, name: string) {
  const { value } = (await listsOf(tenant).dropped.listByServer(onServer())).body
  return value.find(({ properties }) => properties.databaseName === name)
}

/** About 200 transactions a second, each of which inserts its number and adds it to a sum. */
async function write(url: string, forMs: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('create table entries (n int primary key)')
  await client.query('create table total (sum bigint not null)')
  await client.query('insert into total values (0)')
  const startedAt = performance.now()
  for (let n = 1; performance.now() - startedAt < forMs; n++) {
    await client.query(
      `with entry as (insert into entries values (${n}) returning n) update total set sum = sum + n from entry`,
    )
    await sleep(Math.max(0, startedAt + n * intervalMs - performance.now()))
  }
  await client.end()
}

/** The numbers of transactions in a database; rejects if it has a part of one. */
async function countIn(name: string): Promise<number> {
  await using session = await acme.connect(name)
  const { rows } = await session.query(
    'select count(*)::int as count, coalesce(max(n), 0) as last, (select sum::int from total) as sum from entries',
  )
  const [{ count, last, sum }] = rows
  expect({ last, sum }).toEqual({ last: count, sum: (count * (count + 1)) / 2 })
  return count
}

test('every database is archived as soon as it exists, and says since when it can be restored', async () => {
  acme = await world.database('acme', 'orders')
  await world.database('acme', 'other')
  rival = await world.database('rival', 'secrets')
  const earliest = async (tenant: Tenant, name: string) => {
    await world.app.clock.advance(10_000) // starts the archive
    return (await tenant.read(name)).properties?.earliestRestoreDate
  }
  await expect.poll(() => earliest(acme, 'orders'), patience).toEqual(expect.any(String))
  const [orders, other] = await Promise.all(['orders', 'other'].map(acme.credentials))
  await Promise.all([orders, other].map((credentials) => write(credentials?.connectionString ?? '', writingMs)))
  await using session = await acme.connect('orders')
  const { rows } = await session.query<{ at: number }>(
    'select (extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000)::float8 as at from entries order by n',
  )
  commits = rows.map(({ at }) => at)
  expect(commits.length).toBeGreaterThan(writingMs / intervalMs / 20)
}, 300_000)

test('a database is restored to random times with exactly what was committed by then', async () => {
  const [first = 0, last = 0] = [commits[0], commits.at(-1)]
  const times = Array.from({ length: sized(1, 50) }, () => Math.floor(first + Math.random() * (last - first)) + 1)
  for (const [index, time] of times.entries()) {
    const name = `then-${index}`
    await restore(acme, name, {
      createMode: 'PointInTimeRestore',
      sourceDatabaseId: ownId('orders'),
      restorePointInTime: new Date(time).toISOString(),
    })
    expect(await countIn(name), new Date(time).toISOString()).toBe(commits.filter((at) => at <= time).length)
    if (index === 0) continue
    await acme.client.delete(acme.of(name))
    await expect.poll(() => acme.status(name).catch(() => 'gone'), patience).toBe('gone')
  }
  expect(await world.recoveryFolders()).toEqual([])
}, 1_800_000)

test('a restored database has nothing of other databases on the host, and its own role and limits', async () => {
  await using session = await acme.connect('then-0')
  const { rows } = await session.query(
    `select relname as name, pg_get_userbyid(relowner) = current_user as own
     from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  )
  expect(rows).toEqual(['entries', 'total'].map((name) => ({ name, own: true })))
  const repeated = await put(acme, 'then-0', {
    createMode: 'PointInTimeRestore',
    sourceDatabaseId: ownId('other'),
    restorePointInTime: new Date().toISOString(),
  }).catch((error) => error)
  expect(repeated).toMatchObject({ status: 409, body: { error: { code: 'DatabaseNameInUse' } } })
})

test('another tenant can neither see nor restore anything', async () => {
  const properties = { sourceDatabaseId: ownId('orders') }
  const at = new Date(commits.at(-1) ?? 0).toISOString()
  const refusal = { status: 400, body: { error: { code: 'SourceDatabaseNotFound' } } }
  for (const request of [
    { ...properties, createMode: 'PointInTimeRestore' as const, restorePointInTime: at },
    { ...properties, createMode: 'Restore' as const, sourceDatabaseDeletionDate: at },
    { createMode: 'Recovery' as const, recoverableDatabaseId: ownId('orders', 'recoverableDatabases') },
  ])
    await expect(put(rival, 'stolen', request)).rejects.toMatchObject(refusal)
  for (const list of Object.values(listsOf(rival)))
    await expect(list.listByServer(onServer())).rejects.toMatchObject({ status: expect.toBeOneOf([403, 404]) })
})

test('times outside of the window are refused with its limits', async () => {
  const { properties } = await acme.read('orders')
  for (const time of [Date.parse(properties?.earliestRestoreDate ?? '') - 1, Date.now() + dayMs])
    await expect(
      put(acme, 'never', {
        createMode: 'PointInTimeRestore',
        sourceDatabaseId: ownId('orders'),
        restorePointInTime: new Date(time).toISOString(),
      }),
    ).rejects.toMatchObject({ status: 400, body: { error: { code: 'RestorePointInTimeOutOfRange' } } })
})

test('a recoverable database is restored to its latest state', async () => {
  const { value } = (await listsOf(acme).recoverable.listByServer(onServer())).body
  const orders = value.find(({ name }) => name === 'orders')
  expect(Date.parse(orders?.properties.lastAvailableBackupDate ?? '')).toBeGreaterThan(commits[0] ?? 0)
  await expect
    .poll(async () => {
      const params = { ...onServer().params, databaseName: 'orders' }
      const { body } = await listsOf(acme).recoverable.get({ params, query: version })
      return Date.parse(body.properties.lastAvailableBackupDate)
    }, patience)
    .toBeGreaterThan(commits.at(-1) ?? 0)
  await restore(acme, 'recovered', { createMode: 'Recovery', sourceDatabaseId: orders?.id ?? '' })
  expect(await countIn('recovered')).toBe(commits.length)
}, 300_000)

test.runIf(process.env.NIGHTLY)(
  'a worker killed during a restore leaves no server, and the next one restores the database',
  async () => {
    await put(acme, 'survivor', {
      createMode: 'PointInTimeRestore',
      sourceDatabaseId: ownId('orders'),
      restorePointInTime: new Date(Math.ceil(commits.at(-1) ?? 0)).toISOString(),
    })
    await expect.poll(world.recoveryFolders, { ...patience, interval: 20 }).not.toEqual([])
    await world.killWorker()
    await world.startWorker()
    await isOnline(acme, 'survivor')
    expect(await countIn('survivor')).toBe(commits.length)
    const clean = async () => {
      await world.app.clock.advance(10_000) // sweeps
      return world.recoveryFolders()
    }
    await expect.poll(clean, patience).toEqual([])
  },
  300_000,
)

test('a deleted database is restored with all that was committed, though its server was deleted as well', async () => {
  const { value: all } = (await acme.client.listByServer(onServer())).body
  const names = all.map(({ name }) => name ?? '')
  for (const name of names) await acme.client.delete(acme.of(name))
  for (const name of names) await expect.poll(() => acme.status(name).catch(() => 'gone'), patience).toBe('gone')
  const servers = world.app.client(contracts.servers, { headers: acme.headers })
  expect((await servers.delete(onServer())).status).toBe(200)

  const dropped = await droppedOf(acme, 'orders')
  const { deletionDate = '', earliestRestoreDate = '' } = dropped?.properties ?? {}
  expect(Date.parse(deletionDate)).toBeGreaterThan(commits.at(-1) ?? 0)
  expect(Date.parse(earliestRestoreDate)).toBeLessThan(commits[0] ?? 0)
  const params = { ...onServer().params, restorableDroppedDatabaseId: dropped?.name ?? '' }
  expect((await listsOf(acme).dropped.get({ params, query: version })).body).toEqual(dropped)
  await expect(
    put(rival, 'stolen', { createMode: 'Restore', restorableDroppedDatabaseId: dropped?.id ?? '' }),
  ).rejects.toMatchObject({ status: 400, body: { error: { code: 'SourceDatabaseNotFound' } } })

  await restore(acme, 'whole', { createMode: 'Restore', restorableDroppedDatabaseId: dropped?.id ?? '' })
  expect(await countIn('whole')).toBe(commits.length)
  const middle = Math.floor(commits[Math.floor(commits.length / 2)] ?? 0) + 1
  await restore(acme, 'half', {
    createMode: 'Restore',
    sourceDatabaseId: ownId('orders'),
    sourceDatabaseDeletionDate: deletionDate,
    restorePointInTime: new Date(middle).toISOString(),
  })
  expect(await countIn('half')).toBe(commits.filter((at) => at <= middle).length)
}, 300_000)

test('databases that came from another host are not taken for archived ones', async () => {
  const { database } = world.app.platform
  expect(await droppedOf(acme, 'orders')).toBeDefined()
  await database.run(sql`update sql_databases.dropped_databases set host = '1' where name = 'orders'`)
  await database.run(sql`update sql_databases.databases set host = '1' where name = 'whole'`)
  expect(await droppedOf(acme, 'orders')).toBeUndefined()
  expect((await acme.read('whole')).properties?.earliestRestoreDate).toBeUndefined()
  await expect(
    put(acme, 'never', {
      createMode: 'PointInTimeRestore',
      sourceDatabaseId: ownId('whole'),
      restorePointInTime: new Date().toISOString(),
    }),
  ).rejects.toMatchObject({ status: 400, body: { error: { code: 'RestorePointNotFound' } } })
  const before = Date.now()
  // Supervision finds it on this host, where it is archived from now on.
  const since = async () => {
    await world.app.clock.advance(60_000)
    return Date.parse((await acme.read('whole')).properties?.earliestRestoreDate ?? '')
  }
  await expect.poll(since, patience).toBeGreaterThanOrEqual(before)
}, 300_000)

test('deleted databases are forgotten when they can no longer be restored', async () => {
  const kept = async () => {
    await world.app.clock.advance(3_600_000)
    return (await world.app.platform.database.many(sql`select from sql_databases.dropped_databases`)).length
  }
  expect(await kept()).toBeGreaterThan(0)
  await world.app.clock.advance(8 * dayMs)
  expect((await listsOf(acme).dropped.listByServer(onServer())).body.value).toEqual([])
  await expect.poll(kept, patience).toBe(0)
}, 300_000)
