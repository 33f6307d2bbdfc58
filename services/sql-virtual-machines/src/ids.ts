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
const isWord = (text: string | undefined, word: string) => text?.toLowerCase() === word.toLowerCase()

function parse(id: string, kind: 'sqlVirtualMachines' | 'sqlVirtualMachineGroups', noun: string) {
  const parsed = parseResourceId(id)
  const [type, name] = parsed?.segments ?? []
  const isOurs = [api.namespace, originalNamespace].some((namespace) => isWord(parsed?.namespace, namespace))
  if (!parsed || !isOurs || parsed.segments.length !== 2 || !isWord(type, kind) || name === undefined)
    throw new Failure('invalid', `'${id}' is not the id of a ${noun}.`, { code: 'InvalidResourceId' })
  const { subscriptionId, resourceGroupName } = parsed
  return { subscriptionId, resourceGroupName, name }
}

/** Parses a machine id, in either spelling of the namespace. */
export function readMachineId(id: string): MachineScope {
  const { subscriptionId, resourceGroupName, name } = parse(id, 'sqlVirtualMachines', 'SQL virtual machine')
  return checkNames({ subscriptionId, resourceGroupName, sqlVirtualMachineName: name })
}

export function readGroupId(id: string): GroupScope {
  const { subscriptionId, resourceGroupName, name } = parse(id, 'sqlVirtualMachineGroups', 'SQL virtual machine group')
  return checkNames({ subscriptionId, resourceGroupName, sqlVirtualMachineGroupName: name })
}
