import type { TestApp } from '@icosa/testing'
import pg from 'pg'
import { groups, listeners, machines } from '../contract.ts'
import type { GroupInput } from '../groups/contract.ts'
import type { ListenerInput } from '../listeners/contract.ts'
import type { MachineInput } from '../machines/contract.ts'

export const version = { 'api-version': '2017-03-01-preview' }
export const place = { subscriptionId: 'Main', resourceGroupName: 'Web' }
export const groupResourceId = (name: string, namespace = 'Vendor.SqlVirtualMachine') =>
  `/subscriptions/Main/resourceGroups/Web/providers/${namespace}/sqlVirtualMachineGroups/${name}`

/** A tenant's clients, with helpers for tests. */
export async function tenantOf(app: TestApp, tenant: string) {
  const headers = { authorization: `Bearer ${await app.key(tenant)}` }
  const onMachines = app.client(machines, { headers })
  const onGroups = app.client(groups, { headers })
  const onListeners = app.client(listeners, { headers })
  const machine = (sqlVirtualMachineName: string) => ({ params: { ...place, sqlVirtualMachineName }, query: version })
  const group = (sqlVirtualMachineGroupName: string) => ({
    params: { ...place, sqlVirtualMachineGroupName },
    query: version,
  })
  const listener = (of: string, availabilityGroupListenerName: string) => ({
    params: { ...place, sqlVirtualMachineGroupName: of, availabilityGroupListenerName },
    query: version,
  })
  return {
    machines: onMachines,
    groups: onGroups,
    listeners: onListeners,
    machine,
    group,
    listener,
    headers,
    read: async (name: string) => (await onMachines.get(machine(name))).body,
    async create(name: string, body: Partial<MachineInput> = {}) {
      const reply = await onMachines.createOrUpdate({ ...machine(name), body: { location: 'westeurope', ...body } })
      await app.jobs.drain()
      return reply
    },
    /** Creates all concurrently. */
    async createAll(names: readonly string[], body: Partial<MachineInput>) {
      const input = { location: 'westeurope', ...body }
      await Promise.all(names.map((name) => onMachines.createOrUpdate({ ...machine(name), body: input })))
      await app.jobs.drain()
    },
    async createGroup(name: string, body: Partial<GroupInput> = {}) {
      const reply = await onGroups.createOrUpdate({ ...group(name), body: { location: 'westeurope', ...body } })
      await app.jobs.drain()
      return reply
    },
    async listen(of: string, name: string, body: ListenerInput = {}) {
      const reply = await onListeners.createOrUpdate({ ...listener(of, name), body })
      await app.jobs.drain()
      return reply
    },
    credentials: async (name: string) => (await onMachines.listCredentials(machine(name))).body,
    listenerCredentials: async (of: string, name: string) =>
      (await onListeners.listCredentials(listener(of, name))).body,
  }
}

export type Tenant = Awaited<ReturnType<typeof tenantOf>>

/** Creates a group with machines and a listener. */
export async function cluster(tenant: Tenant, name: string, count: number): Promise<string[]> {
  await tenant.createGroup(name)
  const names = Array.from({ length: count }, (_, index) => `${name}-${index + 1}`)
  await tenant.createAll(names, { properties: { sqlVirtualMachineGroupResourceId: groupResourceId(name) } })
  await tenant.listen(name, 'main')
  return names
}

export async function connectTo(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url.replace(/\?.*/, ''),
    ssl: { rejectUnauthorized: false },
    connectionTimeoutMillis: 30_000,
    query_timeout: 30_000,
  })
  client.on('error', () => {}) // the next statement fails
  await client.connect()
  return client
}
