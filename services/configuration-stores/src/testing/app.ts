import { type Client, client } from '@icosa/client'
import { startTestApp, type TestApp, type TestAppOptions } from '@icosa/testing'
import { accessKeys, connections, deletedStores, linkResources, managedKeyValues, stores } from '../contract.ts'
import { configurationStores } from '../index.ts'
import { serviceName, versions } from '../names.ts'
import { type Received, receive, type StoreClient, storeClient } from './store-client.ts'

const contract = { ...stores, ...deletedStores, ...accessKeys, ...managedKeyValues }

export interface StoresApp extends AsyncDisposable {
  readonly app: TestApp
  /** Management client of a tenant. */
  manager(tenant: string, permissions?: readonly string[]): Promise<Manager>
  /** Data-plane endpoint of a store. */
  endpointOf(name: string): string
  /** Creates a store, and a client with its first key. */
  open(
    name: string,
    options?: { readonly tenant?: string; readonly sku?: string; readonly properties?: object },
  ): Promise<OpenedStore>
}

export interface Manager {
  readonly stores: Client<typeof contract>
  readonly connections: Client<typeof connections>
  readonly links: Client<typeof linkResources>
  readonly authorization: string
}

export interface OpenedStore extends StoreClient {
  readonly params: ReturnType<typeof addressOf>
  readonly manager: Manager
  keys(): Promise<{ id: string; value: string; name: string; readOnly: boolean }[]>
}

/** Every tenant has its own subscription. */
export const addressOf = (tenant: string, configStoreName: string, resourceGroupName = 'tests') => ({
  subscriptionId: `sub-of-${tenant}`,
  resourceGroupName,
  configStoreName,
})

export const plain = (sku = 'Standard') => ({ location: 'westus', sku: { name: sku } })

export async function startStores(options: Partial<TestAppOptions> = {}): Promise<StoresApp> {
  const app = await startTestApp({
    services: [configurationStores({ privateEndpoints })],
    ...options,
  })
  const endpointOf = (name: string) => `${app.url}/${serviceName}/stores/${name}`

  async function manager(tenant: string, permissions?: readonly string[]): Promise<Manager> {
    const authorization = `Bearer ${await app.key(tenant, permissions)}`
    const target = {
      baseUrl: `${app.url}/${serviceName}`,
      headers: { authorization },
      query: { 'api-version': versions[0] },
    }
    return {
      stores: client(contract, target),
      connections: client(connections, target),
      links: client(linkResources, target),
      authorization,
    }
  }

  return {
    app,
    manager,
    endpointOf,
    async open(name, { tenant = 'acme', sku, properties } = {}) {
      const params = addressOf(tenant, name)
      const tenantManager = await manager(tenant)
      await tenantManager.stores.create({
        ...versioned,
        params,
        body: { ...plain(sku), ...(properties && { properties }) },
      })
      await app.jobs.drain()
      const keys = async () => (await tenantManager.stores.listKeys({ ...versioned, params })).body.value
      const [first] = await keys()
      if (!first) throw new Error('The store has no keys.')
      return { ...storeClient(endpointOf(name), first), params, manager: tenantManager, keys }
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

/** Private endpoints of the test platform; requests of tests come from the network of `here`. */
export const office = {
  here: '/subscriptions/s/privateEndpoints/office',
  elsewhere: '/subscriptions/s/privateEndpoints/other',
}
const privateEndpoints = { [office.here]: ['127.0.0.0/8', '::1'], [office.elsewhere]: ['10.9.0.0/16'] }

/** Reads at a store's endpoint with a manager's token. */
export function receiveWith({ authorization }: Manager, endpoint: string, path: string): Promise<Received> {
  return receive(fetch(`${endpoint}${path}?api-version=1.0`, { headers: { authorization } }))
}

/** Query of every request of the typed client. */
export const versioned = { query: { 'api-version': versions[0] } }

/** A version with soft delete. */
export const later = { query: { 'api-version': '2022-05-01' } }
