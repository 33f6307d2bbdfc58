import { type Db, type Page, type ReadingDb, readPage, sql } from '@icosa/kernel'
import { keyOf } from '../stores/address.ts'
import type { ConnectionStatus } from './contract.ts'

export interface Row {
  readonly name: string
  readonly endpoint: string | null
  readonly status: ConnectionStatus
  readonly description: string | null
}

interface Store {
  readonly tenant: string
  readonly id: string
}

const columns = sql`name, endpoint, status, description`

export function find(db: ReadingDb, { tenant, id }: Store, name: string): Promise<Row | undefined> {
  return db.maybe(sql`
    select ${columns} from configuration_stores.private_endpoint_connections
    where tenant = ${tenant} and store = ${id} and name_key = ${keyOf(name)}`)
}

export function put(db: Db, { tenant, id }: Store, { name, endpoint, status, description }: Row): Promise<Row> {
  return db.one(sql`
    insert into configuration_stores.private_endpoint_connections
      (tenant, store, name_key, name, endpoint, status, description)
    values (${tenant}, ${id}, ${keyOf(name)}, ${name}, ${endpoint}, ${status}, ${description})
    on conflict (tenant, store, name_key) do update
      set endpoint = excluded.endpoint, status = excluded.status, description = excluded.description
    returning ${columns}`)
}

export async function remove(db: Db, { tenant, id }: Store, name: string): Promise<boolean> {
  const removed = await db.run(sql`
    delete from configuration_stores.private_endpoint_connections
    where tenant = ${tenant} and store = ${id} and name_key = ${keyOf(name)}`)
  return removed === 1
}

const pageSize = 100

export function list(db: ReadingDb, { tenant, id }: Store, token: string | undefined): Promise<Page<Row>> {
  return readPage<Row>(
    { limit: pageSize, token, query: ['connections', tenant, id], at: 'query/$skipToken' },
    ({ name }) => [keyOf(name)],
    ([after] = [''], limit) =>
      db.many(sql`
        select ${columns} from configuration_stores.private_endpoint_connections
        where tenant = ${tenant} and store = ${id} and name_key > ${after} order by name_key limit ${limit}`),
  )
}
