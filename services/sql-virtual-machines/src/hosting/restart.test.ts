import { once } from 'node:events'
import { loadavg } from 'node:os'
import { sql } from '@icosa/kernel'
import { children, startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { sqlVirtualMachines } from '../index.ts'
import { machinesFolder, testSettings } from '../testing/app.ts'
import { forkNode } from '../testing/node.ts'
import { connectTo, tenantOf } from '../testing/tenant.ts'
import { foldersOf } from './folders.ts'
import { runningIn } from './process.ts'

const poll = { timeout: 120_000, interval: 100 }

test.each([
  ['killed: its machines keep running, and it adopts them', 'SIGKILL'],
  ['stopped: its machines stop, and restart with it', 'SIGTERM'],
] as const)('a node is %s', { timeout: 240_000 }, async (_, signal) => {
  const isKilled = signal === 'SIGKILL'
  await using folder = await machinesFolder()
  const settings = testSettings(folder.path)
  await using app = await startTestApp(sqlVirtualMachines({ ...settings, offersRoom: false }))
  await using nodes = children()
  const start = async () => nodes.add(await forkNode({ databaseUrl: app.databaseUrl, settings }))
  const first = await start()
  const tenant = await tenantOf(app, 'alice')
  await tenant.create('one')
  const { connectionString } = await tenant.credentials('one')
  const client = await connectTo(connectionString)
  await client.query('create table lines as select 1 as id')
  const { id } = await app.platform.database.one<{ id: string }>(sql`select id from sql_virtual_machines.machines`)
  const folders = foldersOf(folder.path, id)
  const before = await runningIn(folders)
  const exited = once(first, 'exit')
  first.kill(signal)
  await exited
  if (isKilled) await client.query('insert into lines values (2)')
  else await expect.poll(() => runningIn(folders), poll).toBeUndefined()
  await client.end().catch(() => {})

  const startedAt = performance.now()
  await start()
  const countRows = async () => {
    const client = await connectTo(connectionString).catch(() => undefined)
    const answer = await client?.query('select count(*)::int as count from lines').catch(() => undefined)
    await client?.end()
    return answer?.rows[0]?.count
  }
  await expect.poll(countRows, poll).toBe(isKilled ? 2 : 1)
  console.log(`back after ${Math.round(performance.now() - startedAt)} ms (load ${loadavg()[0]?.toFixed(1)})`)
  await expect.poll(async () => (await tenant.read('one')).properties?.instance?.state, poll).toBe('Running')
  if (isKilled) expect(await runningIn(folders)).toBe(before)
  // The new node owns it: it can be restarted and deleted.
  await tenant.machines.restart(tenant.machine('one'))
  await app.jobs.drain()
  expect(await runningIn(folders)).not.toBe(before)
  await tenant.machines.delete(tenant.machine('one'))
  await app.jobs.drain()
  expect(await runningIn(folders)).toBeUndefined()
})
