import { type Db, type KeysInUse, type ReadingDb, sql } from '@icosa/kernel'
import { uploadIn, uploadKey } from './keys.ts'

export interface Upload {
  readonly id: string
  readonly project: string
  readonly location: string
}

export async function insert(db: Db, tenant: string, upload: Upload, expiresAt: Date): Promise<void> {
  await db.run(sql`
    insert into functions.uploads (tenant, id, project, location, expires_at)
    values (${tenant}, ${upload.id}, ${upload.project}, ${upload.location}, ${expiresAt})`)
}

export async function exists(db: ReadingDb, tenant: string, upload: Upload): Promise<boolean> {
  const row = await db.point<{ id: string }>(sql`
    select id from functions.uploads where tenant = ${tenant} and id = ${upload.id}
      and project = ${upload.project} and location = ${upload.location}`)
  return row !== undefined
}

export const uploadsInUse: KeysInUse = async (db, tenant, keys) => {
  const rows = await db.many<{ id: string }>(sql`
    select id from functions.uploads where tenant = ${tenant} and id = any(${keys.map(uploadIn)})`)
  return rows.map(({ id }) => uploadKey(id))
}

/** Tenant of an upload URL, undefined after its deletion. `expires`, in seconds, is from the URL. */
export async function tenantOf(db: ReadingDb, id: string, expires: number): Promise<string | undefined> {
  // By time, which is indexed.
  const row = await db.maybe<{ tenant: string }>(sql`
    select tenant from functions.uploads where id = ${id}
      and expires_at >= to_timestamp(${expires}) and expires_at < to_timestamp(${expires + 1})`)
  return row?.tenant
}

/** Uploads that can no longer be deployed. */
export async function expired(
  db: ReadingDb,
  before: Date,
): Promise<{ readonly tenant: string; readonly id: string }[]> {
  return db.many(
    sql`select tenant, id from functions.uploads where expires_at < ${before} order by expires_at limit 1000`,
  )
}

export async function remove(db: Db, ids: readonly { readonly tenant: string; readonly id: string }[]): Promise<void> {
  await db.run(sql`
    delete from functions.uploads where (tenant, id) in
      (select * from unnest(${ids.map(({ tenant }) => tenant)}::text[], ${ids.map(({ id }) => id)}::text[]))`)
}
