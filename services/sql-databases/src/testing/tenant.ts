import { setTimeout as sleep } from 'node:timers/promises'
import type { TestApp } from '@icosa/testing'
import pg from 'pg'
import { databases, pools, servers } from '../contract.ts'
import type { Database } from '../databases/contract.ts'
import type { ElasticPool } from '../pools/contract.ts'

export const version = { 'api-version': '2017-10-01-preview' }
export const server = { subscriptionId: 'Main', resourceGroupName: 'Web', serverName: 'eu-1' }
export const idOf = (databaseName: string, namespace = 'Vendor.Sql') =>
  `/subscriptions/Main/resourceGroups/Web/providers/${namespace}/servers/eu-1/databases/${databaseName}`

export const poolIdOf = (pool: string) => idOf('x').replace('databases/x', `elasticPools/${pool}`)

/** A tenant's client, with helpers for tests. */
export async function tenantOf(app: TestApp, tenant: string, subscriptionId = server.subscriptionId) {
  const headers = { authorization: `Bearer ${await app.key(tenant)}` }
  const client = app.client(databases, { headers })
  const of = (databaseName: string) => ({ params: { ...server, subscriptionId, databaseName }, query: version })

  const read = async (name: string): Promise<Database> => (await client.get(of(name))).body
  const credentials = async (name: string) => (await client.listCredentials(of(name))).body
  return {
    client,
    headers,
    of,
    read,
    status: async (name: string) => (await read(name)).properties?.status,
    credentials,
    async create(name: string, more: Partial<Database> = {}) {
      const reply = await client.createOrUpdate({ ...of(name), body: { location: 'westeurope', ...more } })
      await app.jobs.drain()
      return reply
    },
    /** Creates or changes a pool. */
    async pool(elasticPoolName: string, more: Partial<ElasticPool> = {}) {
      const at = { params: { ...server, subscriptionId }, query: version }
      await app.client(servers, { headers }).createOrUpdate({ ...at, body: { location: 'westeurope' } })
      const params = { ...at.params, elasticPoolName }
      const body = { location: 'westeurope', ...more }
      return app.client(pools, { headers }).createOrUpdate({ params, query: version, body })
    },
    /** Connects to a database with its credentials. */
    connect: async (name: string) => connectTo((await credentials(name)).connectionString),
  }
}

export type Tenant = Awaited<ReturnType<typeof tenantOf>>

export interface Connection extends AsyncDisposable {
  readonly query: pg.Client['query']
}

export async function connectTo(url: string): Promise<Connection> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {}) // the server may terminate it at any time: the next statement fails
  await client.connect()
  return { query: client.query.bind(client), [Symbol.asyncDispose]: () => client.end().catch(() => {}) }
}

/** Resolves when the server has terminated the connection. */
export async function ended({ query }: Connection): Promise<void> {
  while (
    await query('select 1').then(
      () => true,
      () => false,
    )
  )
    await sleep(20)
}
