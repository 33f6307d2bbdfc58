import type { GroupScope } from '../groups/store.ts'
import { listenerId, listenerType, machineId } from '../ids.ts'
import type { AvailabilityGroupListener } from './contract.ts'
import type { ListenerRow } from './store.ts'

export function toListener(row: ListenerRow, scope: GroupScope): AvailabilityGroupListener {
  const problem = row.openings.find((opening) => opening.problem !== null)?.problem
  const open = row.openings.filter((opening) => opening.problem === null)
  return {
    id: listenerId(scope, row.name),
    name: row.name,
    type: listenerType,
    properties: {
      ...(row.availabilityGroup !== null && { availabilityGroupName: row.availabilityGroup }),
      port: row.port,
      ...configurationsOf(row),
      endpoints: open.map(({ address }) => `${address}:${row.port}`),
      provisioningState: open.length > 0 ? 'Succeeded' : problem ? 'Failed' : 'Creating',
      ...(problem && { provisioningError: problem }),
    },
  }
}

function configurationsOf({ probePort, machines }: ListenerRow) {
  if (probePort === null && machines.length === 0) return {}
  const instances = machines.map((machine) => machineId(machine))
  return {
    loadBalancerConfigurations: [
      {
        ...(probePort !== null && { probePort }),
        ...(instances.length > 0 && { sqlVirtualMachineInstances: instances }),
      },
    ],
  }
}
