import { expect, test } from 'vitest'
import { startMachinesApp } from '../testing/app.ts'
import { connectTo, tenantOf } from '../testing/tenant.ts'

test('a machine is a PostgreSQL server: created, connected to, deleted', { timeout: 120_000 }, async () => {
  await using app = await startMachinesApp()
  const tenant = await tenantOf(app, 'alice')
  const created = await tenant.create('first', { tags: { for: 'orders' } })
  expect(created.status).toBe(201)
  expect(created.body.properties?.provisioningState).toBe('Creating')
  const machine = await tenant.read('first')
  expect(machine.properties).toMatchObject({
    provisioningState: 'Succeeded',
    instance: { state: 'Running', role: 'Primary' },
  })
  const { connectionString } = await tenant.credentials('first')
  const client = await connectTo(connectionString)
  await client.query('create table lines (id int primary key)')
  await client.query('insert into lines values (1)')
  await expect(client.query("copy lines from program 'echo 2'")).rejects.toThrow(/permission denied|must be superuser/)
  await expect(client.query('create role other')).rejects.toThrow(/permission denied/)
  await client.end()
  // Every address in 127/8 is local: a server that listens on all interfaces would accept this.
  await expect(connectTo(connectionString.replace('127.0.0.1', '127.0.0.2'))).rejects.toThrow(/ECONNREFUSED/)
  await tenant.machines.delete(tenant.machine('first'))
  await app.jobs.drain()
  await expect(tenant.read('first')).rejects.toMatchObject({ status: 404 })
  await expect(connectTo(connectionString)).rejects.toThrow(/ECONNREFUSED/)
})
