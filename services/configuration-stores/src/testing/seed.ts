import { client } from '@icosa/client'
import type { Seed } from '@icosa/testing'
import { connections, stores } from '../contract.ts'
import { versions } from '../names.ts'

/** A store with a connection, and the operation that made it. */
export const seed: Seed = async (owner, app) => {
  const query = { 'api-version': versions[0] }
  const params = { subscriptionId: 'seeded-subscription', resourceGroupName: 'seeded', configStoreName: 'seeded-store' }
  const body = { location: 'westus', sku: { name: 'Standard' } }
  const { headers } = await client(stores, owner).create({ params, query, body })
  await app.jobs.drain()
  const privateEndpointConnectionName = 'seeded-connection'
  await client(connections, owner).createOrUpdate({
    params: { ...params, privateEndpointConnectionName },
    query,
    body: { properties: { privateLinkServiceConnectionState: { status: 'Pending' } } },
  })
  const poll = new URL(headers.get('azure-asyncoperation') ?? '')
  const operationId = poll.pathname.split('/').at(-1) ?? ''
  return {
    ...params,
    privateEndpointConnectionName,
    groupName: 'configurationStores',
    location: 'global',
    operationId,
  }
}
