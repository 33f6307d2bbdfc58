import { execFile } from 'node:child_process'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from '@icosa/kernel'
import { sized } from '@icosa/testing'
import { expect, test } from 'vitest'
import { type MachinesApp, machinesFolder, somePorts, startMachinesApp } from '../testing/app.ts'
import { connectTo, tenantOf } from '../testing/tenant.ts'
import { foldersOf } from './folders.ts'

const run = promisify(execFile)
const isRoot = process.getuid?.() === 0
const options = { timeout: 240_000 }
const poll = { timeout: 120_000, interval: 200 }

async function hostProblem({ platform }: MachinesApp): Promise<string | null> {
  const row = await platform.database.maybe<{ problem: string | null }>(sql`
    select problem from sql_virtual_machines.hosts`)
  return row?.problem ?? null
}

test('without a requested port, a machine gets one that no other program uses', options, async () => {
  const ports = somePorts()
  const servers = [0, 1].map((nth) => createServer().listen(ports.first + nth, '0.0.0.0'))
  await using app = await startMachinesApp({ ports })
  const tenant = await tenantOf(app, 'alice')
  await tenant.create('one')
  expect((await tenant.read('one')).properties).toMatchObject({ provisioningState: 'Succeeded' })
  for (const server of servers) await new Promise((done) => server.close(done))
  expect((await tenant.credentials('one')).connectionString).toContain(`:${ports.first + 2}/`)
})

test('reports a requested port that another program uses, and runs once it is free', options, async () => {
  const ports = somePorts()
  const server = createServer().listen(ports.first, '0.0.0.0')
  await using app = await startMachinesApp({ ports })
  const tenant = await tenantOf(app, 'alice')
  const connectivity = { connectivityType: 'PRIVATE', port: ports.first } as const
  const settings = { serverConfigurationsManagementSettings: { sqlConnectivityUpdateSettings: connectivity } }
  await tenant.create('one', { properties: settings })
  const { properties } = await tenant.read('one')
  expect(properties).toMatchObject({
    provisioningState: 'Failed',
    provisioningError: expect.stringMatching(
      new RegExp(`^Port ${ports.first} of the node is in use .* end that program`),
    ),
    instance: { state: 'Failed' },
  })
  await new Promise((done) => server.close(done))
  await tenant.create('one', { properties: settings }) // repeats the PUT, as the message of a 409 advises
  expect((await tenant.read('one')).properties).toMatchObject({ provisioningState: 'Succeeded' })
})

test('reports missing programs and an unwritable folder', options, async () => {
  await using missing = await startMachinesApp({ binaries: '/nowhere/bin' })
  const alice = await tenantOf(missing, 'alice')
  await alice.create('one')
  expect((await alice.read('one')).properties?.provisioningError).toMatch(
    /^No node can run machines: \/nowhere\/bin\/postgres is missing: install PostgreSQL/,
  )

  if (!isRoot) return // only root can switch to a user without the right
  await using closed = await machinesFolder()
  await chmod(closed.path, 0o700)
  await using app = await startMachinesApp({ folder: join(closed.path, 'machines') })
  const bob = await tenantOf(app, 'bob')
  await bob.create('one')
  expect((await bob.read('one')).properties?.provisioningError).toMatch(/cannot be written as postgres: .*traverse/s)
  await chmod(closed.path, 0o711)
  await expect.poll(() => hostProblem(app), poll).toBe(null)
  await bob.create('one')
  expect((await bob.read('one')).properties).toMatchObject({ provisioningState: 'Succeeded' })
})

test('rejects a machine that exceeds the capacity of the nodes', options, async () => {
  await using app = await startMachinesApp({ memoryBytes: 300 * 1024 ** 2 })
  const tenant = await tenantOf(app, 'alice')
  await tenant.create('large', { properties: { sqlImageSku: 'Enterprise' } })
  expect((await tenant.read('large')).properties?.provisioningError).toMatch(/^No node has room for 4096 MB of memory/)
})

test('reports a full disk, and recovers when there is space again', options, async () => {
  if (!isRoot || sized(0, 1) === 0) return // mounts a small disk: in the nightly run
  await using folder = await machinesFolder()
  const disk = join(folder.path, 'disk')
  await mkdir(disk)
  await run('mount', ['-t', 'tmpfs', '-o', 'size=500m,mode=711', 'tmpfs', disk])
  try {
    await using app = await startMachinesApp({ folder: join(disk, 'machines') })
    const tenant = await tenantOf(app, 'alice')
    await tenant.create('one')
    const { connectionString } = await tenant.credentials('one')
    const ballast = join(disk, 'ballast')
    await writeFile(ballast, Buffer.alloc(300 * 1024 ** 2)).catch(() => {})
    await expect
      .poll(async () => (await tenant.read('one')).properties?.instance?.message, poll)
      .toMatch(/^The disk of the node is full: \d+ MB are free/)
    const client = await connectTo(connectionString)
    await client.query('create table big (text text)').catch(() => {})
    for (let row = 0; row < 400; row++)
      await client
        .query('insert into big select repeat(md5(random()::text), 32768) from generate_series(1, 4)')
        .catch(() => {})
    await client.end().catch(() => {})
    await tenant.create('two')
    expect((await tenant.read('two')).properties).toMatchObject({
      provisioningState: 'Failed',
      provisioningError: expect.stringMatching(/^The disk of the node is full/),
    })
    await rm(ballast)
    await expect.poll(async () => (await tenant.read('one')).properties?.instance?.state, poll).toBe('Running')
    const reconnected = await connectTo(connectionString)
    await reconnected.query('select count(*) from big')
    await reconnected.end()
  } finally {
    await run('umount', ['-l', disk])
  }
})

test('reports a data folder that others may read', options, async () => {
  await using app = await startMachinesApp()
  const tenant = await tenantOf(app, 'alice')
  await tenant.create('one')
  const { id } = await app.platform.database.one<{ id: string }>(sql`select id from sql_virtual_machines.machines`)
  const { data } = foldersOf(app.folder, id)
  await chmod(data, 0o777)
  await tenant.machines.restart(tenant.machine('one'))
  const restart = app.jobs.drain()
  await expect
    .poll(async () => (await tenant.read('one')).properties?.instance?.message, poll)
    .toMatch(/invalid permissions/)
  await chmod(data, 0o700)
  await restart
  await expect.poll(async () => (await tenant.read('one')).properties?.instance?.state, poll).toBe('Running')
})
