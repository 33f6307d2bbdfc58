import type { Views } from '@icosa/contract'
import { demoScope } from '@icosa/dialects/arm/names'
import { resultPanel } from '@icosa/statements/contract'

export const views: Views = {
  group: 'Data',
  scope: demoScope,
  resources: {
    SqlVirtualMachines_List: {
      title: 'SQL machines',
      type: 'Vendor.SqlVirtualMachine/sqlVirtualMachines',
      about: 'A SQL machine is a dedicated PostgreSQL server.',
      columns: ['name', 'properties.provisioningState', 'properties.sqlImageOffer', 'location', 'tags'],
      example: { location: 'westeurope' },
      labels: { Queries_Run: 'Run SQL' },
      panels: [
        {
          title: 'Query',
          operation: 'Queries_Run',
          about: 'One statement, as the owner of the machine. It writes only if you say so.',
          body: { statement: 'select current_user, version()', write: false, database: 'main' },
          show: resultPanel,
        },
      ],
    },
    SqlVirtualMachineGroups_List: {
      title: 'SQL machine groups',
      type: 'Vendor.SqlVirtualMachine/sqlVirtualMachineGroups',
      about: 'The machines in a group fail over to each other without losing data.',
      columns: ['name', 'properties.provisioningState', 'properties.sqlImageOffer', 'location', 'tags'],
      example: { location: 'westeurope' },
    },
    AvailabilityGroupListeners_ListByGroup: {
      title: 'Listeners',
      about: 'A listener is an address that follows the primary of its group.',
      columns: ['name', 'properties.provisioningState', 'properties.availabilityGroupName', 'properties.port'],
      example: { properties: { loadBalancerConfigurations: [{ probePort: 15999 }] } },
    },
  },
  others: [
    ...['SqlVirtualMachineGroups_ListByResourceGroup', 'SqlVirtualMachines_ListBySqlVmGroup'],
    ...['SqlVirtualMachines_ListByResourceGroup', 'Operations_List'],
  ],
}
