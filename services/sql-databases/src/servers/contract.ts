import { having, named, oneOf, readOnly, type Static, Type, writable } from '@icosa/contract'
import { listOf, Tags, trackedFields } from '@icosa/dialects/arm'
import { api } from '../databases/contract.ts'

const { get, put, patch, delete: remove, inGroup, inSubscription } = api
const optional = Type.Optional

const ServerProperties = named('ServerProperties', {
  administratorLogin: optional(Type.String({ maxLength: 128 })),
  administratorLoginPassword: optional(Type.String({ maxLength: 128 })),
  fullyQualifiedDomainName: readOnly(optional(Type.String())),
  state: readOnly(optional(Type.String())),
  version: optional(oneOf('12.0')),
})
export interface ServerProperties extends Static<typeof ServerProperties> {}

const ResourceIdentity = named('ResourceIdentity', { type: optional(oneOf('SystemAssigned')) })

export const Server = named('Server', {
  ...trackedFields,
  location: Type.String({ pattern: '^[A-Za-z0-9 ._()-]{1,100}$' }),
  kind: readOnly(optional(Type.String())),
  identity: optional(ResourceIdentity),
  properties: optional(ServerProperties),
})
export interface Server extends Static<typeof Server> {}

const ServerInput = having(writable(Server), { properties: optional(writable(ServerProperties)) })
export interface ServerInput extends Static<typeof ServerInput> {}

const ServerUpdate = named('ServerUpdate', { properties: optional(writable(ServerProperties)), tags: optional(Tags) })

const ServerListResult = listOf('ServerListResult', Server)
const path = '/servers/{serverName}'
const page = { $skipToken: optional(Type.String({ maxLength: 2000 })) }

/** Beyond the specification, which has databases on servers but cannot create one. */
export const servers = {
  list: get(inSubscription('/servers'), {
    summary: 'List the servers of a subscription.',
    query: page,
    replies: { 200: ServerListResult },
    extension: true,
  }),
  listByResourceGroup: get(inGroup('/servers'), {
    summary: 'List the servers of a resource group.',
    query: page,
    replies: { 200: ServerListResult },
    extension: true,
  }),
  get: get(inGroup(path), { summary: 'Read a server.', replies: { 200: Server }, extension: true }),
  createOrUpdate: put(inGroup(path), {
    summary: 'Create a server, or change its tags.',
    body: ServerInput,
    replies: { 200: Server, 201: Server },
    extension: true,
  }),
  update: patch(inGroup(path), {
    summary: 'Change the tags of a server.',
    body: ServerUpdate,
    replies: { 200: Server },
    extension: true,
  }),
  delete: remove(inGroup(path), {
    summary: 'Delete a server that has neither databases nor elastic pools.',
    replies: { 200: null, 204: null },
    extension: true,
  }),
}
