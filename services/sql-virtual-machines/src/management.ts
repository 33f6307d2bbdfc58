import { Type } from '@icosa/contract'
import { listedOperations } from '@icosa/dialects/arm/provider-operations'
import { armServer } from '@icosa/dialects/arm/server'
import type { Api } from '@icosa/kernel'
import { api } from './api/contract.ts'
import { Group } from './groups/contract.ts'
import { groups } from './groups/handlers.ts'
import { AvailabilityGroupListener } from './listeners/contract.ts'
import { listeners } from './listeners/handlers.ts'
import { Machine } from './machines/contract.ts'
import { machines } from './machines/handlers.ts'
import { originalNamespace, versions } from './names.ts'
import type { MachineJobs } from './provisioning/jobs.ts'
import { queries } from './queries/handlers.ts'
import type { ServiceRuntime } from './runtime.ts'

export function management(jobs: MachineJobs): Api<ServiceRuntime> {
  const resources = {
    AvailabilityGroupListeners: listeners,
    Queries: queries,
    SqlVirtualMachineGroups: groups(jobs),
    SqlVirtualMachines: machines(jobs),
  }
  const contracts = Object.values(resources).map(({ contract }) => contract)
  const result = Type.Union(Machine, Group, AvailabilityGroupListener)
  return {
    dialect: armServer(api, { original: originalNamespace, versions, result }),
    resources: { ...resources, Operations: listedOperations(api, contracts, 'SQL virtual machines') },
  }
}
