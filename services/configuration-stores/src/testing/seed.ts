import { randomUUID } from 'node:crypto'
import { client } from '@icosa/client'
import type { Seed } from '@icosa/testing'
import { connections, keyValues, snapshots, stores } from '../contract.ts'
import { versions } from '../names.ts'

/** Creates a new store with a connection, a key-value and a snapshot, and returns them with its operation. */
export const seed: Seed = async (owner, app) => {
  const query = { 'api-version': versions[0] }
  const params = {
    subscriptionId: 'seeded-subscription',
    resourceGroupName: 'seeded',
    configStoreName: `seeded-${randomUUID()}`,
  }
  // Explicit, since tests that change them send this again.
  const properties = { disableLocalAuth: false, publicNetworkAccess: 'Enabled' } as const
  const body = { location: 'westus', sku: { name: 'Standard' }, properties }
  const { headers } = await client(stores, owner).create({ params, query, body })
  await app.jobs.drain()
  const privateEndpointConnectionName = 'seeded-connection'
  await client(connections, owner).createOrUpdate({
    params: { ...params, privateEndpointConnectionName },
    query,
    body: { properties: { privateLinkServiceConnectionState: { status: 'Pending' } } },
  })
  const { configStoreName } = params
  const [key, name] = ['seeded-key', 'seeded-snapshot']
  const data = { query: { 'api-version': '1.0' } }
  await client(keyValues, owner).put({ ...data, params: { configStoreName, key }, body: { value: 'seeded' } })
  await client(snapshots, owner).create({
    ...data,
    params: { configStoreName, name },
    body: { filters: [{ key: '*' }] },
  })
  await app.jobs.drain()
  const poll = new URL(headers.get('azure-asyncoperation') ?? '')
  const operationId = poll.pathname.split('/').at(-1) ?? ''
  return {
    ...params,
    privateEndpointConnectionName,
    groupName: 'configurationStores',
    location: 'global',
    operationId,
    key,
    name,
  }
}
