import { type Db, type KeysInUse, lockName, type ReadingDb, sql } from '@icosa/kernel'
import type { Position } from './content/exif.ts'
import { original } from './formats.ts'
import { folderOf } from './receive.ts'
import type { Variant } from './usages-store.ts'

/** Renditions are stored next to their original: either all files of a folder are in use or none. */
export const blobsInUse: KeysInUse = async (db, tenant, keys) => {
  const originals = new Map(keys.map((key) => [key, `${folderOf(key)}${original}`]))
  const rows = await db.many<{ blob: string }>(sql`
    select distinct blob from contribution_collection.media
    where tenant = ${tenant} and blob = any(${[...new Set(originals.values())]})`)
  const used = new Set(rows.map(({ blob }) => blob))
  return keys.filter((key) => used.has(originals.get(key) ?? ''))
}

export interface MediaFile {
  readonly id: string
  readonly owner: string
  readonly type: 'image' | 'video' | 'audio'
  readonly contentType: string
  readonly size: string
  readonly sha256: Buffer
  readonly crc32: string | null
  readonly blob: string
  readonly width: number | null
  readonly height: number | null
  readonly duration: number | null
  readonly place: { readonly latLong: Position } | null
  readonly variants: readonly Variant[]
  readonly status: 'processing' | 'ready' | 'failed'
  readonly step: string | null
  readonly progress: number | null
  readonly error: string | null
}

const columns = sql`
  id::text as id, owner, type, content_type as "contentType", size::text as size, sha256, crc32::text as crc32, blob,
  width, height, duration, place, variants, status, step, progress, error`

export type NewFile = Pick<MediaFile, 'owner' | 'type' | 'contentType' | 'sha256' | 'blob' | 'place'> & {
  readonly size: number
  readonly crc32: number
  readonly width: number | null
  readonly height: number | null
}

/** Serializes adding and removing files with this content. */
export const lockContent = (db: Db, tenant: string, sha256: Buffer): Promise<void> =>
  lockName(db, `contribution-collection media ${tenant} ${sha256.toString('hex')}`)

/** Another file of the tenant with the same bytes. */
export function findByContent(db: ReadingDb, tenant: string, sha256: Buffer): Promise<MediaFile | undefined> {
  return db.maybe(sql`
    select ${columns} from contribution_collection.media
    where tenant = ${tenant} and sha256 = ${sha256} order by id limit 1`)
}

export function insert(db: Db, tenant: string, file: NewFile, at: Date): Promise<MediaFile> {
  return db.one(sql`
    insert into contribution_collection.media (tenant, owner, type, content_type, size, sha256, crc32, blob, width,
      height, place, status, step, progress, created_at, updated_at)
    values (${tenant}, ${file.owner}, ${file.type}, ${file.contentType}, ${file.size}, ${file.sha256}, ${file.crc32},
      ${file.blob}, ${file.width}, ${file.height}, ${JSON.stringify(file.place)}::jsonb, 'processing', 'waiting', 0, ${at}, ${at})
    returning ${columns}`)
}

/** A file that shares the blob of an identical one. */
export function insertSame(db: Db, tenant: string, owner: string, same: string, at: Date): Promise<MediaFile> {
  return db.one(sql`
    insert into contribution_collection.media (tenant, owner, type, content_type, size, sha256, crc32, blob, width,
      height, duration, place, metadata, variants, status, step, progress, error, created_at, updated_at)
    select tenant, ${owner}, type, content_type, size, sha256, crc32, blob, width, height, duration, place, metadata,
      variants, status, step, progress, error, ${at}, ${at}
    from contribution_collection.media where tenant = ${tenant} and id = ${same}
    returning ${columns}`)
}

export function find(db: ReadingDb, tenant: string, id: string): Promise<MediaFile | undefined> {
  return db.maybe(sql`select ${columns} from contribution_collection.media where tenant = ${tenant} and id = ${id}`)
}

export function findByBlob(db: ReadingDb, tenant: string, blob: string): Promise<MediaFile | undefined> {
  return db.maybe(sql`
    select ${columns} from contribution_collection.media where tenant = ${tenant} and blob = ${blob} limit 1`)
}

export interface Reading {
  readonly width?: number | null
  readonly height?: number | null
  readonly duration?: number | null
  readonly place?: MediaFile['place']
}

/** Sets metadata of all files with this blob. */
export async function setReading(db: Db, tenant: string, blob: string, reading: Reading): Promise<void> {
  const { width = null, height = null, duration = null, place = null } = reading
  await db.run(sql`
    update contribution_collection.media set width = coalesce(${width}, width), height = coalesce(${height}, height),
      duration = coalesce(${duration}, duration), place = coalesce(${place && JSON.stringify(place)}::jsonb, place)
    where tenant = ${tenant} and blob = ${blob}`)
}

export async function setProgress(
  db: Db,
  tenant: string,
  blob: string,
  step: string,
  progress: number,
  at: Date,
): Promise<void> {
  await db.run(sql`
    update contribution_collection.media set step = ${step}, progress = ${progress}, updated_at = ${at}
    where tenant = ${tenant} and blob = ${blob} and status = 'processing'`)
}

export async function setReady(
  db: Db,
  tenant: string,
  blob: string,
  variants: readonly Variant[],
  at: Date,
): Promise<void> {
  await db.run(sql`
    update contribution_collection.media set variants = ${JSON.stringify(variants)}::jsonb, status = 'ready', step = null,
      progress = 1, error = null, updated_at = ${at}
    where tenant = ${tenant} and blob = ${blob}`)
}

export async function setFailed(db: Db, tenant: string, blob: string, error: string, at: Date): Promise<void> {
  await db.run(sql`
    update contribution_collection.media set status = 'failed', step = null, error = ${error}, updated_at = ${at}
    where tenant = ${tenant} and blob = ${blob} and status = 'processing'`)
}

/** Unused files uploaded in a time range, which keeps the hourly scan small. */
export function unused(
  db: ReadingDb,
  { from, before }: { readonly from: Date; readonly before: Date },
  limit: number,
): Promise<{ tenant: string; id: string }[]> {
  return db.many(sql`
    select m.tenant, m.id::text as id from contribution_collection.media as m
    where m.created_at >= ${from} and m.created_at < ${before}
      and not exists (select from contribution_collection.media_usages as u where u.tenant = m.tenant and u.media = m.id)
      and not exists (select from contribution_collection.assignments as a where a.tenant = m.tenant and a.cover = m.id)
    order by m.tenant, m.id limit ${limit}`)
}

/** Detaches all files from a contribution, and returns their ids. */
export async function takeUsages(db: Db, tenant: string, contribution: string): Promise<string[]> {
  const rows = await db.many<{ media: string }>(sql`
    delete from contribution_collection.media_usages
    where tenant = ${tenant} and contribution = ${contribution} returning media::text as media`)
  return [...new Set(rows.map(({ media }) => media))].sort()
}

/** Deletes an unused file. Returns its blob if it is no longer referenced. */
export async function remove(db: Db, tenant: string, id: string): Promise<string | undefined> {
  const file = await find(db, tenant, id)
  if (!file) return undefined
  await lockContent(db, tenant, file.sha256)
  const removed = await db.run(sql`
    delete from contribution_collection.media as m where m.tenant = ${tenant} and m.id = ${id}
      and not exists (select from contribution_collection.media_usages as u where u.tenant = m.tenant and u.media = m.id)
      and not exists (select from contribution_collection.assignments as a where a.tenant = m.tenant and a.cover = m.id)`)
  if (removed === 0 || (await findByBlob(db, tenant, file.blob))) return undefined
  return file.blob
}

/** Whether a file belongs to a public contribution, or is an assignment's cover. */
export async function isPublic(db: ReadingDb, tenant: string, id: string, now: Date): Promise<boolean> {
  const { allowed } = await db.one<{ allowed: boolean }>(sql`
    select exists (
      select from contribution_collection.media_usages as u
      join contribution_collection.contributions as c on c.tenant = u.tenant and c.id = u.contribution
      join contribution_collection.assignments as a on a.tenant = c.tenant and a.id = c.assignment
      where u.tenant = ${tenant} and u.media = ${id} and c.is_public and c.deleted_at is null
        and a.deleted_at is null and (a.embargo is null or a.embargo <= ${now})
    ) or exists (
      select from contribution_collection.assignments as a
      where a.tenant = ${tenant} and a.cover = ${id} and a.deleted_at is null) as allowed`)
  return allowed
}

/** Whether a user may read a non-public file or an original: as uploader, assignment owner or moderator. */
export async function isReadableBy(db: ReadingDb, tenant: string, id: string, user: string): Promise<boolean> {
  const { allowed } = await db.one<{ allowed: boolean }>(sql`
    select exists (select from contribution_collection.media as m
      where m.tenant = ${tenant} and m.id = ${id} and m.owner = ${user}
    ) or exists (
      select from contribution_collection.media_usages as u
      join contribution_collection.contributions as c on c.tenant = u.tenant and c.id = u.contribution
      join contribution_collection.assignments as a on a.tenant = c.tenant and a.id = c.assignment
      where u.tenant = ${tenant} and u.media = ${id} and c.deleted_at is null
        and (c.owner = ${user} or a.moderator = ${user})) as allowed`)
  return allowed
}

export async function countOf(db: ReadingDb, tenant: string, owner: string): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from contribution_collection.media where tenant = ${tenant} and owner = ${owner}`)
  return count
}
