import type { ResourceEntry } from '@icosa/kernel'
import { groupType } from '../names.ts'
import { groupArn } from './address.ts'
import type { Group, GroupConfiguration } from './contract.ts'
import type { GroupRow } from './store.ts'

export const arnOfGroup = ({ tenant, name }: GroupRow, region: string) => groupArn({ tenant, region }, name)

export function toGroup(row: GroupRow, region: string): Group {
  const { name, description } = row
  return { GroupArn: arnOfGroup(row, region), Name: name, ...(description !== null && { Description: description }) }
}

export function toGroupConfiguration({ configuration, proposed, status, failureReason }: GroupRow): GroupConfiguration {
  return {
    ...(configuration && { Configuration: configuration }),
    ...(proposed && { ProposedConfiguration: proposed }),
    ...(status && { Status: status }),
    ...(failureReason !== null && { FailureReason: failureReason }),
  }
}

/** A group's entry in the platform's registry. */
export function entryOf(row: GroupRow, region: string): ResourceEntry {
  return { id: arnOfGroup(row, region), type: groupType, name: row.name, location: region, tags: row.tags }
}
