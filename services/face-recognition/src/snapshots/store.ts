import { type Db, empty, type ReadingDb, sql } from '@icosa/kernel'
import type { Kind } from '../collections/names.ts'

export interface SnapshotRow {
  /** Tenant that took it. */
  readonly tenant: string
  readonly id: string
  readonly type: Kind['name']
  readonly applyScope: string[]
  readonly userData: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface NewSnapshot extends Omit<SnapshotRow, 'tenant' | 'createdAt' | 'updatedAt'> {
  readonly now: Date
  readonly expiresAt: Date
}

const columns = sql`tenant, id, type, apply_scope as "applyScope", user_data as "userData", created_at as "createdAt",
  updated_at as "updatedAt"`

export async function insert(db: Db, tenant: string, snapshot: NewSnapshot): Promise<void> {
  const { id, type, applyScope, userData, now, expiresAt } = snapshot
  await db.run(sql`
    insert into face_recognition.snapshots
      (tenant, id, type, apply_scope, user_data, created_at, updated_at, expires_at, is_ready)
    values (${tenant}, ${id}, ${type}, ${applyScope}::uuid[], ${userData}, ${now}, ${now}, ${expiresAt}, false)`)
}

export interface Requester {
  readonly tenant: string
  readonly account: string
  readonly now: Date
}

const accessible = ({ tenant, account, now }: Requester) =>
  sql`is_ready and expires_at > ${now} and (tenant = ${tenant} or apply_scope @> array[${account}::uuid])`

export interface Filter {
  readonly type?: Kind['name'] | undefined
  readonly applyScope?: readonly string[] | undefined
}

export function list(db: ReadingDb, requester: Requester, { type, applyScope }: Filter): Promise<SnapshotRow[]> {
  return db.many(sql`
    select ${columns} from face_recognition.snapshots where ${accessible(requester)}
      ${type === undefined ? empty : sql`and type = ${type}`}
      ${applyScope === undefined ? empty : sql`and apply_scope && ${applyScope}::uuid[]`}
    order by created_at, id limit 1000`)
}

export function find(db: ReadingDb, requester: Requester, id: string): Promise<SnapshotRow | undefined> {
  return db.maybe(sql`select ${columns} from face_recognition.snapshots where id = ${id} and ${accessible(requester)}`)
}

export interface Change {
  readonly applyScope?: readonly string[] | undefined
  readonly userData?: string | undefined
}

export async function update(db: Db, { tenant, now }: Requester, id: string, change: Change): Promise<boolean> {
  const { applyScope = null, userData = null } = change
  const count = await db.run(sql`
    update face_recognition.snapshots set apply_scope = coalesce(${applyScope}::uuid[], apply_scope),
      user_data = coalesce(${userData}, user_data), updated_at = ${now}
    where tenant = ${tenant} and id = ${id} and is_ready and expires_at > ${now}`)
  return count === 1
}

export async function remove(db: Db, tenant: string, id: string): Promise<boolean> {
  return (await db.run(sql`delete from face_recognition.snapshots where tenant = ${tenant} and id = ${id}`)) === 1
}

/** Returns false if it was deleted meanwhile. */
export async function markReady(db: Db, tenant: string, id: string): Promise<boolean> {
  const count = await db.run(sql`
    update face_recognition.snapshots set is_ready = true where tenant = ${tenant} and id = ${id}`)
  return count === 1
}

export function expired(db: ReadingDb, now: Date, max: number): Promise<Pick<SnapshotRow, 'tenant' | 'id'>[]> {
  return db.many(sql`
    select tenant, id from face_recognition.snapshots where expires_at <= ${now} order by expires_at limit ${max}`)
}
