import { extension, having, named, oneOf, readOnly, type Schema, type Static, Type, writable } from '@icosa/contract'
import { listOf, resourceFamily, Tags, trackedFields } from '@icosa/dialects/arm'
import { api, location, page } from '../api/contract.ts'

const optional = Type.Optional
const responseOnly = <S extends Schema>(schema: S) => readOnly(optional(schema))
const text = () => optional(Type.String({ maxLength: 1024 }))

const WsfcDomainProfile = named('WsfcDomainProfile', {
  clusterBootstrapAccount: text(),
  clusterOperatorAccount: text(),
  domainFqdn: text(),
  fileShareWitnessPath: text(),
  ouPath: text(),
  sqlServiceAccount: text(),
  storageAccountPrimaryKey: text(),
  storageAccountUrl: text(),
})

export const GroupSku = oneOf('Developer', 'Enterprise')

/** Status of a monitor or a machine on its node. */
export const InstanceState = named('InstanceState', {
  state: oneOf('Placed', 'Starting', 'Running', 'Failed'),
  role: optional(oneOf('Primary', 'Secondary')),
  message: optional(Type.String({ description: 'The problem and its remedy.' })),
  host: Type.String(),
  port: Type.Integer(),
})
export interface InstanceState extends Static<typeof InstanceState> {}

const GroupProperties = named('SqlVirtualMachineGroupProperties', {
  clusterConfiguration: responseOnly(oneOf('Domainful')),
  clusterManagerType: responseOnly(oneOf('WSFC')),
  monitor: extension(responseOnly(InstanceState)),
  provisioningError: extension(responseOnly(Type.String())),
  provisioningState: responseOnly(Type.String()),
  scaleType: responseOnly(oneOf('HA')),
  sqlImageOffer: optional(Type.String({ minLength: 1, maxLength: 100 })),
  sqlImageSku: optional(GroupSku),
  wsfcDomainProfile: optional(WsfcDomainProfile),
})

export const Group = named('SqlVirtualMachineGroup', {
  ...trackedFields,
  location,
  properties: optional(GroupProperties),
})
export interface Group extends Static<typeof Group> {}

const GroupInput = having(writable(Group), { properties: optional(writable(GroupProperties)) })
export interface GroupInput extends Static<typeof GroupInput> {}

const family = resourceFamily(api, 'sqlVirtualMachineGroups', 'sqlVirtualMachineGroupName', {
  noun: 'SQL virtual machine group',
  one: Group,
  many: listOf('SqlVirtualMachineGroupListResult', Group),
  page,
  put: {
    summary: 'Create a SQL virtual machine group, or change its tags. Continues in the background.',
    body: GroupInput,
    replies: { 200: Group, 201: Group },
  },
  patch: {
    summary: 'Change the tags of a SQL virtual machine group.',
    body: named('SqlVirtualMachineGroupUpdate', { tags: optional(Tags) }),
    replies: { 200: Group },
  },
  delete: {
    summary: 'Delete a SQL virtual machine group without machines. Continues in the background.',
    replies: { 200: null, 202: null, 204: null },
  },
})

export const groupAt = family.at

export const groups = {
  get: family.get,
  createOrUpdate: family.put,
  delete: family.delete,
  update: family.patch,
  listByResourceGroup: family.listByResourceGroup,
  list: family.list,
  failover: api.post(`${family.at}/failover`, {
    summary: 'Fail over from the primary to another machine of the group. Continues in the background.',
    replies: { 202: null },
    extension: true,
  }),
}
