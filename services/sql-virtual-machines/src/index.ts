import { type Service, serviceWithRuntime } from '@icosa/kernel'
import { machineBackup } from './backups/backup.ts'
import { openListener } from './listeners/jobs.ts'
import { management } from './management.ts'
import { moves } from './moves.ts'
import { serviceName } from './names.ts'
import { patchingJobs } from './patching/jobs.ts'
import { machineJobs } from './provisioning/jobs.ts'
import { type ServiceRuntime, startWith } from './runtime.ts'
import { groupSecrets, machineSecrets } from './secrets.ts'
import type { MachinesSettings } from './settings.ts'
import { views } from './views.ts'

export type { MachinesSettings } from './settings.ts'

/** PostgreSQL machines on nodes with capacity, groups that fail over, and listeners that follow the primary. */
export function sqlVirtualMachines(settings: MachinesSettings): Service {
  const jobs = machineJobs()
  const { findDue, patch } = patchingJobs(jobs.change)
  return serviceWithRuntime<ServiceRuntime>({
    letter: 'V',
    name: serviceName,
    title: 'SQL virtual machines',
    moves,
    views,
    apis: [management(jobs)],
    start: startWith(settings),
    migrations: new URL('../migrations/', import.meta.url),
    retention: {
      groups: 'their tenants delete them',
      machines: 'their tenants delete them',
      listeners: 'their tenants delete them',
      hosts: 'one for each folder of a node',
      instances: 'deleted with their machine or group',
      ports: 'deleted with their instance or listener',
      openings: 'deleted with their listener',
    },
    sealed: [machineSecrets, groupSecrets],
    backups: [machineBackup(jobs)],
    jobs: [...Object.values(jobs), openListener, findDue, patch],
    schedules: [{ job: findDue, everyMs: 60_000 }],
  })
}
