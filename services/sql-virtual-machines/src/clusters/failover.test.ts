import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '@icosa/kernel'
import { sized } from '@icosa/testing'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { foldersOf } from '../hosting/folders.ts'
import * as instances from '../hosting/store.ts'
import { killAll } from '../hosting/tree.ts'
import { type MachinesApp, startMachinesApp } from '../testing/app.ts'
import { cluster, connectTo, type Tenant, tenantOf } from '../testing/tenant.ts'
import { lost, startWriter } from '../testing/writer.ts'
import { openClusters } from './clusters.ts'

const kills = sized(1, 10)
const writesPerSecond = sized(50, 200)

const roles = async (tenant: Tenant, names: readonly string[]) =>
  Promise.all(names.map(async (name) => (await tenant.read(name)).properties?.instance?.role))

async function states(app: MachinesApp, group: string): Promise<string> {
  const members = await openClusters(app.platform)
    .members(group)
    .catch(() => [])
  return members
    .map(({ reported, goal }) => (reported === goal ? reported : `${reported} to ${goal}`))
    .toSorted()
    .join()
}

/** Kills every process of the primary; returns the id of its machine. */
async function killPrimary(app: MachinesApp, group: string): Promise<string> {
  const { database } = app.platform
  const members = await instances.membersOf(database, group)
  const primary = members.find(({ role }) => role === 'Primary')
  if (!primary) throw new Error('There is no primary.')
  await killAll(foldersOf(app.folder, primary.id).all)
  return primary.id
}

test(`a group loses no acknowledged row when its primary dies, ${kills} times, and in a planned failover`, {
  timeout: 1_200_000,
}, async () => {
  await using app = await startMachinesApp()
  const tenant = await tenantOf(app, 'alice')
  const names = await cluster(tenant, 'shop', 2)
  const { connectionString } = await tenant.listenerCredentials('shop', 'main')
  const writer = await startWriter(connectionString, writesPerSecond)
  const { id: group } = await app.platform.database.one<{ id: string }>(sql`select id from sql_virtual_machines.groups`)

  const asAdmin = async <T>(work: (client: pg.Client) => Promise<T>) => {
    const client = await connectTo(connectionString)
    return await work(client).finally(() => client.end())
  }
  // The monitor reports the final states, and the checkpointer has reloaded synchronous commits: the next primary may die.
  const awaitSettled = async () => {
    await expect.poll(() => states(app, group), { timeout: 120_000, interval: 200 }).toBe('primary,secondary')
    await asAdmin((client) => client.query('checkpoint'))
  }
  await awaitSettled()
  for (let round = 1; round <= kills; round++) {
    writer.maxGapMs()
    writer.sinceLast()
    await killPrimary(app, group)
    await sleep(500)
    writer.sinceLast()
    await expect.poll(() => writer.sinceLast(), { timeout: 120_000, interval: 100 }).toBeGreaterThan(0)
    const gap = writer.maxGapMs()
    const writtenAt = performance.now()
    await awaitSettled()
    const rejoinMs = Math.round(performance.now() - writtenAt)
    const load = loadavg()[0]?.toFixed(1)
    console.log(`kill ${round}: no write for ${gap} ms; the old primary rejoined ${rejoinMs} ms later (load ${load})`)
    expect(gap).toBeLessThan(60_000)
  }

  const sortedRoles = async () => (await roles(tenant, names)).toSorted()
  await expect.poll(sortedRoles, { timeout: 60_000 }).toEqual(['Primary', 'Secondary'])
  const before = await roles(tenant, names)
  writer.maxGapMs()
  const checkpointer = await asAdmin((client) =>
    client.query<{ pid: number }>("select pid from pg_stat_activity where backend_type = 'checkpointer'"),
  )
  const { pid } = checkpointer.rows[0] ?? { pid: 0 }
  process.kill(pid, 'SIGSTOP')
  await tenant.groups.failover(tenant.group('shop'))
  const failover = app.jobs.drain()
  await sleep(1_000)
  expect(await states(app, group), 'no failover before commits are synchronous').toBe('primary,secondary')
  process.kill(pid, 'SIGCONT')
  await failover
  await expect.poll(() => roles(tenant, names), { timeout: 60_000 }).toEqual(before.toReversed())
  console.log(`planned: no write for ${writer.maxGapMs()} ms`)
  await writer.stop()
  expect(writer.errors).toEqual([])
  expect(writer.acknowledged.size).toBeGreaterThan(100)
  expect(await lost(connectionString, writer)).toEqual([])
  console.log(`${writer.acknowledged.size} rows acknowledged, none lost`)
})
