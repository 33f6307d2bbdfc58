import { groupId } from '@icosa/dialects/arm/ids'
import type { ResourceEntry } from '@icosa/kernel'
import type { InstanceState } from '../groups/contract.ts'
import { groupIdOf, machineId, machineType } from '../ids.ts'
import { adminRole, mainDatabase } from '../names.ts'
import type { InstanceStatus } from '../row-store.ts'
import { type Expandable, expandable, type Machine } from './contract.ts'
import type { MachineRow } from './store.ts'

export function toInstance({ phase, role, message, host, port }: InstanceStatus): InstanceState {
  return { state: phase, ...(role !== null && { role }), ...(message !== null && { message }), host, port }
}

/** Includes the requested settings. */
export function toMachine(row: MachineRow, expand: readonly Expandable[] = []): Machine {
  const settings = Object.fromEntries(
    expand.flatMap((name) => (row.settings[name] === undefined ? [] : [[name, row.settings[name]]])),
  )
  return {
    id: machineId(row),
    name: row.sqlVirtualMachineName,
    type: machineType,
    location: row.location,
    tags: { ...row.tags },
    properties: {
      ...(row.virtualMachine !== null && { virtualMachineResourceId: row.virtualMachine }),
      provisioningState: row.state,
      ...(row.message !== null && { provisioningError: row.message }),
      sqlImageOffer: row.offer,
      sqlImageSku: row.sku,
      ...(row.license !== null && { sqlServerLicenseType: row.license }),
      sqlManagement: row.management,
      ...(row.groupName !== null &&
        row.groupScope !== null && {
          sqlVirtualMachineGroupResourceId: groupIdOf({ ...row.groupScope, sqlVirtualMachineGroupName: row.groupName }),
        }),
      ...(row.instance && { instance: toInstance(row.instance) }),
      ...settings,
    },
  }
}

/** `*`, or comma-separated names. */
export function readExpand(text: string | undefined): readonly Expandable[] {
  if (text === undefined) return []
  return text === '*' ? expandable : expandable.filter((name) => text.split(',').includes(name))
}

export function entryOf(row: MachineRow): ResourceEntry {
  const { location, tags } = row
  return { id: machineId(row), type: machineType, name: row.sqlVirtualMachineName, scope: groupId(row), location, tags }
}

export interface Address {
  readonly host: string
  readonly port: number
}

/** Credentials for one address, or for all of several. */
export function credentialsAt(addresses: readonly Address[], password: string) {
  const [first] = addresses
  const hosts = addresses.map(({ host, port }) => `${host}:${port}`).join(',')
  return {
    host: first?.host ?? '',
    port: first?.port ?? 0,
    database: mainDatabase,
    user: adminRole,
    password,
    connectionString: `postgresql://${adminRole}:${password}@${hosts}/${mainDatabase}?sslmode=require`,
  }
}
