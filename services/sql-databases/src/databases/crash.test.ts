import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, sql } from '@icosa/kernel'
import { sized, type TestApp, testServerUrl } from '@icosa/testing'
import { expect, test } from 'vitest'
import { onTestHost, physicalNames, startSqlApp } from '../testing/app.ts'
import { type Tenant, tenantOf } from '../testing/tenant.ts'
import { installation } from './store.ts'

const count = sized(8, 24)
const names = Array.from({ length: count }, (_, number) => `db-${number}`)
/** Few enough for a tenant's connections: each database needs one. */
const databasesPerTenant = 25

async function startWorker({ databaseUrl }: TestApp, workers: DisposableStack): Promise<ChildProcess> {
  const options = JSON.stringify({ databaseUrl, blobs: tmpdir() })
  const env = { ...process.env, DATABASE_URL: testServerUrl }
  const child = workers.adopt(fork(new URL('../testing/worker.ts', import.meta.url), [options], { env }), (worker) => {
    worker.kill('SIGKILL')
  })
  const exited = once(child, 'exit').then(() => Promise.reject(new Error('the worker exited at its start')))
  await Promise.race([once(child, 'message'), exited])
  return child
}

async function statuses(database: Database): Promise<Record<string, number>> {
  const rows = await database.many<{ status: string; count: number }>(sql`
    select status, count(*)::int as count from sql_databases.databases group by status`)
  return Object.fromEntries(rows.map(({ status, count: number }) => [status, number]))
}

const running = async (database: Database) =>
  (
    await database.one<{ count: number }>(
      sql`select count(*)::int as count from icosa.operations where status = 'running'`,
    )
  ).count

/** Numbers of databases and roles on the SQL host. */
async function onHost(database: Database) {
  const { prefix } = await installation(database)
  return onTestHost(async (admin) => ({
    databases: (await admin.query(sql`select from pg_database where starts_with(datname, ${prefix})`)).rowCount,
    roles: (await admin.query(sql`select from pg_roles where starts_with(rolname, ${prefix})`)).rowCount,
  }))
}

test(`${count} databases created concurrently while a worker is killed all exist exactly once`, async () => {
  await using app = await startSqlApp()
  using workers = new DisposableStack()
  const { database } = app.platform
  const tenants = await Promise.all(
    Array.from({ length: Math.ceil(count / databasesPerTenant) }, (_, number) =>
      tenantOf(app, `tenant-${number}`, `subscription-${number}`),
    ),
  )
  const ownerOf = (number: number) => tenants[number % tenants.length] as Tenant
  const each = <T>(work: (tenant: Tenant, name: string) => Promise<T>) =>
    Promise.all(names.map((name, number) => work(ownerOf(number), name)))
  const [doomed] = await Promise.all([startWorker(app, workers), startWorker(app, workers)])

  const body = { location: 'westeurope' }
  const replies = await each(({ client, of }, name) => client.createOrUpdate({ ...of(name), body }))
  expect(replies.every(({ status }) => status === 201)).toBe(true)
  while (((await statuses(database)).Online ?? 0) < count / 4) await sleep(20)
  doomed.kill('SIGKILL')
  expect(await running(database)).toBeGreaterThan(0)
  while ((await statuses(database)).Online !== count) await sleep(100)

  expect(await onHost(database)).toEqual({ databases: count, roles: count })
  const outcomes = await database.many(sql`select status, count(*)::int as count from icosa.operations group by status`)
  expect(outcomes).toEqual([{ status: 'succeeded', count }])
  for (const [number, name] of names.entries()) {
    await using connection = await ownerOf(number).connect(name)
    await connection.query('create table mine ()')
  }

  await each(({ client, of }, name) => client.delete(of(name)))
  while ((await statuses(database)).Shutdown) await sleep(100)
  expect(await physicalNames(database)).toEqual([])
})
