import { notFound, type ReadingContext } from '@icosa/kernel'
import * as groups from '../groups/store.ts'
import type { InstanceStatus } from '../row-store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { openGroup, openMachine } from '../secrets.ts'
import { busy } from '../work.ts'
import * as store from './store.ts'

export const missing = ({ sqlVirtualMachineName }: store.MachineScope): never =>
  notFound('SQL virtual machine', sqlVirtualMachineName)

/** Where a machine that can be connected to runs, and its owner's password. */
export async function ownerOf(
  { db, caller, tenantVault }: Pick<ReadingContext<ServiceRuntime>, 'db' | 'caller' | 'tenantVault'>,
  scope: store.MachineScope,
): Promise<{ instance: InstanceStatus; password: string }> {
  const row = (await store.find(db, caller.tenant, scope)) ?? missing(scope)
  if (!row.instance || !['Succeeded', 'Updating'].includes(row.state))
    busy('machine', row.sqlVirtualMachineName, row.state)
  const group = row.cluster === null ? undefined : await groups.findById(db, row.cluster)
  const vault = await tenantVault()
  const { admin } = group ? openGroup(vault, group.id, group.secrets) : openMachine(vault, row.id, row.secrets)
  return { instance: row.instance, password: admin }
}
