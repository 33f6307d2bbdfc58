import { type Db, type KeysInUse, type ReadingDb, sql } from '@icosa/kernel'
import type { WrappedKey } from '../encryption/data-keys.ts'
import { uploadIn, uploadKey } from './keys.ts'

export interface Upload {
  readonly id: string
  readonly project: string
  readonly location: string
}

/** Data key that encrypts an upload, if any. */
export interface UploadKey {
  readonly project: string
  readonly dataKey: WrappedKey | null
}

export async function insert(
  db: Db,
  tenant: string,
  { id, project, location }: Upload,
  expiresAt: Date,
  dataKey?: WrappedKey,
): Promise<void> {
  await db.run(sql`
    insert into functions.uploads (tenant, id, project, location, expires_at, data_key)
    values (${tenant}, ${id}, ${project}, ${location}, ${expiresAt}, ${dataKey ? JSON.stringify(dataKey) : null})`)
}

export function find(db: ReadingDb, tenant: string, upload: Upload): Promise<UploadKey | undefined> {
  return db.point(sql`
    select project, data_key as "dataKey" from functions.uploads where tenant = ${tenant} and id = ${upload.id}
      and project = ${upload.project} and location = ${upload.location}`)
}

export const uploadsInUse: KeysInUse = async (db, tenant, keys) => {
  const rows = await db.many<{ id: string }>(sql`
    select id from functions.uploads where tenant = ${tenant} and id = any(${keys.map(uploadIn)})`)
  return rows.map(({ id }) => uploadKey(id))
}

/** Upload of a URL, undefined after the deletion of its tenant. `expires`, in seconds, is from the URL. */
export function findByUrl(
  db: ReadingDb,
  id: string,
  expires: number,
): Promise<(UploadKey & { readonly tenant: string }) | undefined> {
  // By time, which is indexed.
  return db.maybe(sql`
    select tenant, project, data_key as "dataKey" from functions.uploads where id = ${id}
      and expires_at >= to_timestamp(${expires}) and expires_at < to_timestamp(${expires + 1})`)
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
