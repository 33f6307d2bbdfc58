import { parseResourceId, resourceId } from '@icosa/dialects/arm/ids'
import { Failure, paramsReader } from '@icosa/kernel'
import { api, names } from './api/contract.ts'
import type { GroupScope } from './groups/store.ts'
import type { MachineScope } from './machines/store.ts'
import { originalNamespace } from './names.ts'

export const machineType = `${api.namespace}/sqlVirtualMachines`
export const groupType = `${api.namespace}/sqlVirtualMachineGroups`
export const listenerType = `${groupType}/availabilityGroupListeners`

export const machineId = (scope: MachineScope) =>
  resourceId(scope, api.namespace, 'sqlVirtualMachines', scope.sqlVirtualMachineName)
export const groupIdOf = (scope: GroupScope) =>
  resourceId(scope, api.namespace, 'sqlVirtualMachineGroups', scope.sqlVirtualMachineGroupName)
export const listenerId = (scope: GroupScope, name: string) => `${groupIdOf(scope)}/availabilityGroupListeners/${name}`

const checkNames = paramsReader(names)
const isWord = (said: string | undefined, word: string) => said?.toLowerCase() === word.toLowerCase()

function named(id: string, kind: 'sqlVirtualMachines' | 'sqlVirtualMachineGroups', noun: string) {
  const found = parseResourceId(id)
  const [said, name] = found?.segments ?? []
  const isOurs = [api.namespace, originalNamespace].some((one) => isWord(found?.namespace, one))
  if (!found || !isOurs || found.segments.length !== 2 || !isWord(said, kind) || name === undefined)
    throw new Failure('invalid', `'${id}' is not the id of a ${noun}.`, { code: 'InvalidResourceId' })
  const { subscriptionId, resourceGroupName } = found
  return { subscriptionId, resourceGroupName, name }
}

/** A machine by its id, in either spelling of the namespace. */
export function readMachineId(id: string): MachineScope {
  const { subscriptionId, resourceGroupName, name } = named(id, 'sqlVirtualMachines', 'SQL virtual machine')
  return checkNames({ subscriptionId, resourceGroupName, sqlVirtualMachineName: name })
}

export function readGroupId(id: string): GroupScope {
  const { subscriptionId, resourceGroupName, name } = named(id, 'sqlVirtualMachineGroups', 'SQL virtual machine group')
  return checkNames({ subscriptionId, resourceGroupName, sqlVirtualMachineGroupName: name })
}
