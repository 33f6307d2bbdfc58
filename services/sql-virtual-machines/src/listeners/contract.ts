import { extension, having, named, readOnly, type Schema, type Static, Type, writable } from '@icosa/contract'
import { listOf, namespaced, resourceFields } from '@icosa/dialects/arm'
import { api, page } from '../api/contract.ts'
import { groupAt } from '../groups/contract.ts'
import { Credentials } from '../machines/contract.ts'

const optional = Type.Optional
const responseOnly = <S extends Schema>(schema: S) => readOnly(optional(schema))
const text = () => optional(Type.String({ maxLength: 1024 }))
const Port = optional(Type.Integer({ minimum: 1024, maximum: 65_535 }))

const LoadBalancerConfiguration = named('LoadBalancerConfiguration', {
  loadBalancerResourceId: text(),
  privateIpAddress: optional(named('PrivateIPAddress', { ipAddress: text(), subnetResourceId: text() })),
  probePort: Port,
  publicIpAddressResourceId: text(),
  sqlVirtualMachineInstances: optional(Type.Array(namespaced({ maxLength: 1000 }), { maxItems: 20 })),
})

const ListenerProperties = named('AvailabilityGroupListenerProperties', {
  availabilityGroupName: optional(Type.String({ minLength: 1, maxLength: 128 })),
  createDefaultAvailabilityGroupIfNotExist: optional(Type.Boolean()),
  endpoints: extension(responseOnly(Type.Array(Type.String()))),
  loadBalancerConfigurations: optional(Type.Array(LoadBalancerConfiguration, { maxItems: 1 })),
  port: Port,
  provisioningError: extension(responseOnly(Type.String())),
  provisioningState: responseOnly(Type.String()),
})

export const AvailabilityGroupListener = named('AvailabilityGroupListener', {
  ...resourceFields,
  properties: optional(ListenerProperties),
})
export interface AvailabilityGroupListener extends Static<typeof AvailabilityGroupListener> {}

const ListenerInput = having(writable(AvailabilityGroupListener), {
  properties: optional(writable(ListenerProperties)),
})
export interface ListenerInput extends Static<typeof ListenerInput> {}

const at = `${groupAt}/availabilityGroupListeners/{availabilityGroupListenerName}` as const

export const listeners = {
  get: api.get(at, { summary: 'Read an availability group listener.', replies: { 200: AvailabilityGroupListener } }),
  createOrUpdate: api.put(at, {
    summary: 'Create or replace an availability group listener. Continues in the background if the response is 201.',
    body: ListenerInput,
    replies: { 200: AvailabilityGroupListener, 201: AvailabilityGroupListener },
  }),
  delete: api.delete(at, {
    summary: 'Delete an availability group listener.',
    replies: { 200: null, 202: null, 204: null },
  }),
  listByGroup: api.get(`${groupAt}/availabilityGroupListeners`, {
    summary: 'List the availability group listeners of a group.',
    query: page,
    replies: { 200: listOf('AvailabilityGroupListenerListResult', AvailabilityGroupListener) },
  }),
  listCredentials: api.post(`${at}/listCredentials`, {
    summary: 'Read the addresses of a listener and the credentials.',
    replies: { 200: Credentials },
    extension: true,
    reads: true,
  }),
}
