import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import type { Metadata } from './metadata.ts'

export interface ClientRow {
  readonly id: string
  readonly tenant: string
  readonly secretHash: Buffer | null
  readonly metadata: Metadata
  readonly createdAt: Date
}

const columns = sql`id, tenant, secret_hash as "secretHash", metadata, created_at as "createdAt"`

export async function insert(db: Db, row: ClientRow): Promise<void> {
  const { id, tenant, secretHash, metadata, createdAt } = row
  await db.run(sql`
    insert into identity_connect.clients (tenant, id, secret_hash, metadata, created_at)
    values (${tenant}, ${id}, ${secretHash}, ${metadata}, ${createdAt})`)
}

/** Oldest first, unpaged as in the specification. */
export function list(db: ReadingDb, tenant: string, limit: number): Promise<ClientRow[]> {
  return db.many(sql`
    select ${columns} from identity_connect.clients where tenant = ${tenant} order by created_at, id limit ${limit}`)
}

export async function count(db: ReadingDb, tenant: string): Promise<number> {
  const { n } = await db.one<{ n: number }>(sql`
    select count(*)::int as n from identity_connect.clients where tenant = ${tenant}`)
  return n
}

export function find(db: ReadingDb, tenant: string, id: string): Promise<ClientRow | undefined> {
  return db.maybe(sql`select ${columns} from identity_connect.clients where tenant = ${tenant} and id = ${id}`)
}

/** Of any tenant: users who sign in do not know the client's tenant. */
export async function findById(db: ReadingDb, id: string): Promise<ClientRow | undefined> {
  if (!/^[\w-]{1,100}$/.test(id)) return undefined // anonymous input
  return db.maybe(sql`select ${columns} from identity_connect.clients where id = ${id}`)
}

export function update(db: Db, tenant: string, id: string, change: Pick<ClientRow, 'metadata' | 'secretHash'>) {
  return db.maybe<ClientRow>(sql`
    update identity_connect.clients set metadata = ${change.metadata}, secret_hash = ${change.secretHash}
    where tenant = ${tenant} and id = ${id} returning ${columns}`)
}

/** Returns whether it existed. */
export async function remove(db: Db, tenant: string, id: string): Promise<boolean> {
  return (await db.run(sql`delete from identity_connect.clients where tenant = ${tenant} and id = ${id}`)) === 1
}
