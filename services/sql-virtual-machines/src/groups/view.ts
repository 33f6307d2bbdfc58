import { groupId } from '@icosa/dialects/arm/ids'
import type { ResourceEntry } from '@icosa/kernel'
import { groupIdOf, groupType } from '../ids.ts'
import { toInstance } from '../machines/view.ts'
import type { Group } from './contract.ts'
import type { GroupRow } from './store.ts'

export function toGroup(row: GroupRow): Group {
  return {
    id: groupIdOf(row),
    name: row.sqlVirtualMachineGroupName,
    type: groupType,
    location: row.location,
    tags: { ...row.tags },
    properties: {
      provisioningState: row.state,
      ...(row.message !== null && { provisioningError: row.message }),
      sqlImageOffer: row.offer,
      sqlImageSku: row.sku,
      scaleType: 'HA',
      ...(row.monitor && { monitor: toInstance(row.monitor) }),
    },
  }
}

export function entryOf(row: GroupRow): ResourceEntry {
  const { location, tags, sqlVirtualMachineGroupName: name } = row
  return { id: groupIdOf(row), type: groupType, name, scope: groupId(row), location, tags }
}
