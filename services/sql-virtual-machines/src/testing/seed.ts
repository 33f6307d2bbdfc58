import { randomUUID } from 'node:crypto'
import { client } from '@icosa/client'
import { sql } from '@icosa/kernel'
import type { Seed } from '@icosa/testing'
import { groups, listeners, machines } from '../contract.ts'
import { groupResourceId, place, version } from './tenant.ts'

/** Creates a group with a listener, a machine in it and one outside. They stay `Creating`: no worker has to run. */
export const seed: Seed = async (owner, app) => {
  // A node without capacity: a listener's ports are those of nodes.
  await app.platform.database.run(sql`
    insert into sql_virtual_machines.hosts (id, address, memory_bytes, disk_bytes, first_port, last_port, problem, holder, expires_at)
    values (${randomUUID()}, '127.0.0.1', 0, 0, 1024, 65535, 'It only offers ports.', ${randomUUID()}, clock_timestamp() + interval '1 day')`)
  const body = { location: 'westeurope', tags: { for: 'orders' } }
  const sqlVirtualMachineGroupName = 'shop'
  const group = { ...place, sqlVirtualMachineGroupName }
  const makeGroup = () =>
    client(groups, owner).createOrUpdate({
      params: group,
      query: version,
      body: { ...body, properties: { sqlImageOffer: 'PostgreSQL15', sqlImageSku: 'Developer' } },
    })
  const { createOrUpdate } = client(machines, owner)
  const properties = { sqlVirtualMachineGroupResourceId: groupResourceId(sqlVirtualMachineGroupName) }
  const isMachineAccepted = () =>
    createOrUpdate({
      params: { ...place, sqlVirtualMachineName: 'shop-1' },
      query: version,
      body: { ...body, properties },
    }).then(
      () => true,
      (error: { readonly status?: number }) => {
        if (error.status !== 409) throw error
        return false
      },
    )
  // A worker may have failed the group in the meantime, without a node that runs machines: then it is created again.
  do await makeGroup()
  while (!(await isMachineAccepted()))
  const sqlVirtualMachineName = 'alone'
  const { headers } = await createOrUpdate({
    params: { ...place, sqlVirtualMachineName },
    query: version,
    body: {
      ...body,
      properties: {
        sqlImageOffer: 'PostgreSQL15',
        sqlImageSku: 'Express',
        virtualMachineResourceId:
          '/subscriptions/Main/resourceGroups/Web/providers/Vendor.Compute/virtualMachines/alone',
      },
    },
  })
  const availabilityGroupListenerName = 'main'
  await client(listeners, owner).createOrUpdate({
    params: { ...group, availabilityGroupListenerName },
    query: version,
    body: { properties: { availabilityGroupName: 'orders', port: 15_500 } },
  })
  const operationId = /operationResults\/([^?]+)/.exec(headers.get('location') ?? '')?.[1] ?? ''
  return { ...group, sqlVirtualMachineName, availabilityGroupListenerName, operationId, location: 'global' }
}
