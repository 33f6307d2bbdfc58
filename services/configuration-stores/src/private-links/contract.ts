import { extension, named, oneOf, readOnly, type Static, Type, writable } from '@icosa/contract'
import { listOf, resourceFields } from '@icosa/dialects/arm'
import { api, provisioningState } from '../stores/contract.ts'

const { get, put, delete: remove, inGroup } = api

const status = oneOf('Pending', 'Approved', 'Rejected', 'Disconnected')
export type ConnectionStatus = Static<typeof status>

const PrivateEndpointConnection = named('PrivateEndpointConnection', {
  ...resourceFields,
  properties: Type.Optional(
    named('PrivateEndpointConnectionProperties', {
      provisioningState: readOnly(Type.Optional(provisioningState)),
      privateEndpoint: Type.Optional(named('PrivateEndpoint', { id: Type.Optional(Type.String({ maxLength: 2048 })) })),
      privateLinkServiceConnectionState: named('PrivateLinkServiceConnectionState', {
        status: Type.Optional(status),
        description: Type.Optional(Type.String({ maxLength: 1000 })),
        actionsRequired: readOnly(Type.Optional(oneOf('None', 'Recreate'))),
      }),
    }),
  ),
})
export interface PrivateEndpointConnection extends Static<typeof PrivateEndpointConnection> {}

const PrivateLinkResource = named('PrivateLinkResource', {
  ...resourceFields,
  properties: named('PrivateLinkResourceProperties', {
    groupId: readOnly(Type.String()),
    requiredMembers: readOnly(Type.Array(Type.String())),
  }),
})
export interface PrivateLinkResource extends Static<typeof PrivateLinkResource> {}

const store = '/configurationStores/{configStoreName}' as const
const connection = inGroup(`${store}/privateEndpointConnections/{privateEndpointConnectionName}`)

export const connections = {
  listByConfigurationStore: get(inGroup(`${store}/privateEndpointConnections`), {
    summary: 'List the private endpoint connections of a configuration store.',
    query: { $skipToken: extension(Type.Optional(Type.String({ maxLength: 2000 }))) },
    replies: { 200: listOf('PrivateEndpointConnectionListResult', PrivateEndpointConnection) },
  }),
  get: get(connection, {
    summary: 'Read a private endpoint connection.',
    replies: { 200: PrivateEndpointConnection },
  }),
  createOrUpdate: put(connection, {
    summary: 'Create a private endpoint connection, or approve, reject or disconnect it.',
    body: writable(PrivateEndpointConnection),
    replies: { 200: PrivateEndpointConnection, 201: PrivateEndpointConnection },
  }),
  delete: remove(connection, {
    summary: 'Delete a private endpoint connection.',
    replies: { 200: null, 202: null, 204: null },
  }),
}

export const linkResources = {
  listByConfigurationStore: get(inGroup(`${store}/privateLinkResources`), {
    summary: 'List the private link resources of a configuration store.',
    replies: { 200: listOf('PrivateLinkResourceListResult', PrivateLinkResource) },
  }),
  get: get(inGroup(`${store}/privateLinkResources/{groupName}`), {
    summary: 'Read a private link resource.',
    replies: { 200: PrivateLinkResource },
  }),
}
