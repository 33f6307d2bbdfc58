import { resourceId } from '@icosa/dialects/arm/ids'
import {
  created,
  Failure,
  implement,
  invalid,
  noContent,
  notFound,
  ok,
  type ReadingContext,
  type Resource,
} from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import type { ConfigurationStoresSettings } from '../settings.ts'
import type { StoreAddress } from '../stores/address.ts'
import { api } from '../stores/contract.ts'
import { missing } from '../stores/handlers.ts'
import * as stores from '../stores/store.ts'
import { storeType } from '../stores/view.ts'
import {
  type ConnectionStatus,
  connections as connectionsContract,
  linkResources as linkResourcesContract,
  type PrivateEndpointConnection,
  type PrivateLinkResource,
} from './contract.ts'
import { type Endpoints, endpointKey, endpointsOf } from './endpoints.ts'
import * as store from './store.ts'

async function ownerOf(params: StoreAddress & Readonly<Record<string, string>>, { db, caller }: ReadingContext) {
  return (await stores.find(db, caller.tenant, params)) ?? missing(params)
}

export function connections(settings: ConfigurationStoresSettings): Resource<ServiceRuntime> {
  const endpoints = endpointsOf(settings)
  return implement<typeof connectionsContract, ServiceRuntime>(connectionsContract, {
    async listByConfigurationStore({ params, query }, context) {
      const owner = await ownerOf(params, context)
      const { items, next } = await store.list(context.db, owner, query.$skipToken)
      return ok({ value: items.map((row) => toConnection(row, owner)) }, { next })
    },

    async get({ params }, context) {
      const owner = await ownerOf(params, context)
      const name = params.privateEndpointConnectionName
      const row = (await store.find(context.db, owner, name)) ?? notFound('private endpoint connection', name)
      return ok(toConnection(row, owner))
    },

    async createOrUpdate({ params, body }, context) {
      const { db, caller, runtime } = context
      // Serializes concurrent decisions.
      const owner = (await stores.lock(db, caller.tenant, params)) ?? missing(params)
      const name = params.privateEndpointConnectionName
      const before = await store.find(db, owner, name)
      const { privateEndpoint, privateLinkServiceConnectionState: requested } = body.properties ?? {}
      const endpoint = endpointFor(before, privateEndpoint?.id)
      const status = nextStatus(before?.status, requested?.status)
      if (status === 'Approved') demandEndpoint(endpoint, endpoints)
      const description = requested?.description ?? before?.description ?? null
      const row = await store.put(db, owner, { name, endpoint, status, description })
      runtime.directory.forget(owner.configStoreName)
      return before ? ok(toConnection(row, owner)) : created(toConnection(row, owner))
    },

    async delete({ params }, context) {
      const owner = await ownerOf(params, context)
      const removed = await store.remove(context.db, owner, params.privateEndpointConnectionName)
      context.runtime.directory.forget(owner.configStoreName)
      return removed ? ok(undefined) : noContent()
    },
  })
}

/** A connection's endpoint is immutable. */
function endpointFor(before: store.Row | undefined, requested: string | undefined): string | null {
  const current = before?.endpoint
  if (!current || requested === undefined) return requested ?? current ?? null
  if (endpointKey(current) === endpointKey(requested)) return current
  throw new Failure(
    'conflict',
    `The connection belongs to '${current}': delete it, and create one for '${requested}'.`,
    {
      code: 'PrivateEndpointCannotChange',
    },
  )
}

/** Approving opens the store to the endpoint's networks, so these must be configured. */
function demandEndpoint(endpoint: string | null, endpoints: Endpoints): void {
  const at = 'body/properties/privateEndpoint/id'
  if (endpoint === null) invalid([{ at, message: 'is required to approve a connection' }])
  if (!endpoints.has(endpoint))
    invalid([
      {
        at,
        message: `'${endpoint}' is not a private endpoint of this platform: its operator lists them in ICOSA_CONFIGURATION_PRIVATE_ENDPOINTS`,
      },
    ])
}

function toConnection(
  { name, endpoint, status, description }: store.Row,
  owner: stores.Row,
): PrivateEndpointConnection {
  const path = ['configurationStores', owner.configStoreName, 'privateEndpointConnections', name]
  return {
    id: resourceId(owner, api.namespace, ...path),
    name,
    type: `${storeType}/privateEndpointConnections`,
    properties: {
      provisioningState: 'Succeeded',
      ...(endpoint !== null && { privateEndpoint: { id: endpoint } }),
      privateLinkServiceConnectionState: {
        status,
        ...(description !== null && { description }),
        actionsRequired: status === 'Disconnected' ? 'Recreate' : 'None',
      },
    },
  }
}

/** The only link resource of a store. */
const group = 'configurationStores'

export const linkResources = implement(linkResourcesContract, {
  async listByConfigurationStore({ params }, context) {
    return ok({ value: [toLinkResource(await ownerOf(params, context))] })
  },

  async get({ params }, context) {
    const owner = await ownerOf(params, context)
    if (params.groupName.toLowerCase() !== group.toLowerCase()) notFound('private link resource', params.groupName)
    return ok(toLinkResource(owner))
  },
})

function toLinkResource(owner: stores.Row): PrivateLinkResource {
  return {
    id: resourceId(owner, api.namespace, 'configurationStores', owner.configStoreName, 'privateLinkResources', group),
    name: group,
    type: `${storeType}/privateLinkResources`,
    properties: { groupId: group, requiredMembers: [group] },
  }
}

/** Disconnected is final: the connection must be created again. */
const transitions: Readonly<Record<ConnectionStatus, readonly ConnectionStatus[]>> = {
  Pending: ['Approved', 'Rejected'],
  Approved: ['Rejected', 'Disconnected'],
  Rejected: ['Disconnected'],
  Disconnected: [],
}

/** Returns the new status of a connection. A new one is pending, unless it is created with a decision. */
function nextStatus(before: ConnectionStatus | undefined, requested: ConnectionStatus | undefined): ConnectionStatus {
  const from = before ?? 'Pending'
  if (requested === undefined || requested === from || transitions[from].includes(requested)) return requested ?? from
  const targets = transitions[from].join(' or ') || 'nothing else'
  throw new Failure('conflict', `A connection that is ${from} can become ${targets}, not ${requested}.`, {
    code: 'InvalidConnectionState',
  })
}
