import { type Db, type ReadingDb, type Sql, sql, varying } from '@icosa/kernel'
import type { MediaFile } from '../media/store.ts'
import { conditionOf, type SearchContext } from '../search/conditions-store.ts'
import type { Question, Viewer } from '../search/question.ts'
import type { ExportOptions } from './request.ts'
import type { Checkpoint } from './zip/writer.ts'

export interface ExportRow {
  readonly id: string
  readonly owner: string
  readonly request: ExportOptions & { readonly viewer: Viewer }
  readonly status: 'running' | 'done' | 'failed'
  readonly step: string | null
  readonly progress: number
  readonly checkpoint: Checkpoint | null
  readonly size: string | null
  readonly error: string | null
  readonly startedAt: Date
  readonly finishedAt: Date | null
  readonly expiresAt: Date | null
}

const columns = sql`
  id::text as id, owner, request, status, step, progress, checkpoint, size::text as size, error,
  started_at as "startedAt", finished_at as "finishedAt", expires_at as "expiresAt"`

export function insert(
  db: Db,
  tenant: string,
  owner: string,
  request: ExportRow['request'],
  at: Date,
): Promise<ExportRow> {
  return db.one(sql`
    insert into contribution_collection.exports (tenant, owner, request, status, step, started_at)
    values (${tenant}, ${owner}, ${JSON.stringify(request)}::jsonb, 'running', 'waiting', ${at})
    returning ${columns}`)
}

export function find(db: ReadingDb, tenant: string, id: string): Promise<ExportRow | undefined> {
  return db.maybe(sql`select ${columns} from contribution_collection.exports where tenant = ${tenant} and id = ${id}`)
}

export interface NewPart {
  readonly blob: string
  readonly size: number
  readonly directory: Buffer
  readonly text: Buffer
  /** Contributions with content in this part. */
  readonly contributions: readonly string[]
}

/** Stores a part together with the checkpoint after it. */
export async function insertPart(
  db: Db,
  tenant: string,
  id: string,
  part: NewPart,
  checkpoint: Checkpoint,
): Promise<void> {
  await db.run(sql`
    insert into contribution_collection.export_parts (tenant, export, number, blob, size, directory, text)
    select ${tenant}, ${id}::bigint, count(*), ${part.blob}, ${part.size}, ${part.directory}, ${part.text}
    from contribution_collection.export_parts where tenant = ${tenant} and export = ${id}`)
  await db.run(sql`
    insert into contribution_collection.export_items (tenant, export, contribution)
    select ${tenant}, ${id}::bigint, unnest(${part.contributions}::bigint[]) on conflict do nothing`)
  await db.run(sql`
    update contribution_collection.exports set checkpoint = ${JSON.stringify(checkpoint)}::jsonb
    where tenant = ${tenant} and id = ${id}`)
}

/** Stores the end of the zip, replacing that of a killed worker. */
export async function replaceLastPart(db: Db, tenant: string, id: string, part: NewPart): Promise<void> {
  await db.run(sql`
    delete from contribution_collection.export_parts
    where tenant = ${tenant} and export = ${id} and number = ${endNumber}`)
  await db.run(sql`
    insert into contribution_collection.export_parts (tenant, export, number, blob, size, directory, text)
    values (${tenant}, ${id}, ${endNumber}, ${part.blob}, ${part.size}, ${part.directory}, ${part.text})`)
}

/** Sorts after all other parts. */
const endNumber = 2 ** 31 - 1

export async function setStep(db: Db, tenant: string, id: string, step: string, progress: number): Promise<void> {
  await db.run(sql`
    update contribution_collection.exports set step = ${step}, progress = ${progress}
    where tenant = ${tenant} and id = ${id} and status = 'running'`)
}

export interface Outcome {
  readonly contributions: number
  readonly media: number
  readonly size: number
}

export async function finish(
  db: Db,
  tenant: string,
  id: string,
  outcome: Outcome,
  at: Date,
  expiresAt: Date,
): Promise<void> {
  await db.run(sql`
    update contribution_collection.exports set status = 'done', step = 'done', progress = 1, checkpoint = null,
      contributions = ${outcome.contributions}, media = ${outcome.media}, size = ${outcome.size}, finished_at = ${at},
      expires_at = ${expiresAt}
    where tenant = ${tenant} and id = ${id}`)
}

export async function fail(
  db: Db,
  tenant: string,
  id: string,
  error: string,
  at: Date,
  expiresAt: Date,
): Promise<void> {
  await db.run(sql`
    update contribution_collection.exports set status = 'failed', step = 'failed', error = ${error}, finished_at = ${at},
      expires_at = ${expiresAt}
    where tenant = ${tenant} and id = ${id}`)
}

export interface Part {
  readonly number: number
  readonly blob: string
  readonly size: string
}

export function parts(db: ReadingDb, tenant: string, id: string): Promise<Part[]> {
  return db.many(sql`
    select number, blob, size::text as size from contribution_collection.export_parts
    where tenant = ${tenant} and export = ${id} order by number`)
}

/** Yields a column of all parts. */
export async function* inParts(
  db: ReadingDb,
  tenant: string,
  id: string,
  column: 'directory' | 'text',
): AsyncGenerator<Buffer> {
  for (let number = 0; ; number++) {
    const row = await db.maybe<{ directory: Buffer; text: Buffer }>(
      column === 'directory'
        ? sql`select directory, ''::bytea as text from contribution_collection.export_parts
            where tenant = ${tenant} and export = ${id} and number = ${number}`
        : sql`select ''::bytea as directory, text from contribution_collection.export_parts
            where tenant = ${tenant} and export = ${id} and number = ${number}`,
    )
    if (!row) return
    if (row[column].length > 0) yield row[column]
  }
}

/** Expired and abandoned exports. */
export function expired(db: ReadingDb, now: Date, abandonedBefore: Date, limit: number) {
  return db.many<{ tenant: string; id: string }>(sql`
    select tenant, id::text as id from contribution_collection.exports
    where expires_at <= ${now} or started_at < ${abandonedBefore} limit ${limit}`)
}

export async function remove(db: Db, tenant: string, id: string): Promise<boolean> {
  return (await db.run(sql`delete from contribution_collection.exports where tenant = ${tenant} and id = ${id}`)) > 0
}

export function exportsWith(db: ReadingDb, tenant: string, contribution: string): Promise<{ id: string }[]> {
  return db.many(sql`
    select export::text as id from contribution_collection.export_items
    where tenant = ${tenant} and contribution = ${contribution}`)
}

/** Viewers may read originals of their own contributions, and in their jurisdiction. Condition on `contributions as c`. */
const mayHaveOriginals = (tenant: string, { user, isTenant }: Viewer): Sql =>
  isTenant
    ? sql`true`
    : sql`(c.author = ${user} or c.owner = ${user} or c.assignment = any(array(
        select a.id from contribution_collection.assignments as a where a.tenant = ${tenant} and a.moderator = ${user})))`

export interface ExportedFile
  extends Pick<MediaFile, 'id' | 'type' | 'contentType' | 'size' | 'crc32' | 'blob' | 'variants' | 'status'> {
  readonly contribution: string
  readonly mayHaveOriginal: boolean
}

/** Files to export, in order: originals only where permitted, else renditions once they exist. */
export function filesOf(
  db: ReadingDb,
  tenant: string,
  viewer: Viewer,
  contributions: readonly string[],
): Promise<ExportedFile[]> {
  return db.many(
    varying(sql`
      select * from (
        select u.contribution::text as contribution, m.id::text as id, m.type, m.content_type as "contentType",
          m.size::text as size, m.crc32::text as crc32, m.blob, m.variants, m.status, u.position,
          ${mayHaveOriginals(tenant, viewer)} as "mayHaveOriginal"
        from contribution_collection.media_usages as u
        join contribution_collection.media as m on m.tenant = u.tenant and m.id = u.media
        join contribution_collection.contributions as c on c.tenant = u.tenant and c.id = u.contribution
        where u.tenant = ${tenant} and u.contribution = any(${contributions}::bigint[])) as files
      where "mayHaveOriginal" or status = 'ready'
      order by contribution::bigint, position`),
  )
}

export interface Summary {
  readonly contributions: number
  readonly media: number
  readonly totalMediaSize: number
}

/** Size of an export, with originals where the viewer may read them. */
export async function summarize(db: ReadingDb, question: Question, searchContext: SearchContext): Promise<Summary> {
  const copySize = sql`(select (v ->> 'size')::bigint from jsonb_array_elements(m.variants) as v where v ->> 'label' = 'fullsize')`
  const row = await db.one<Record<keyof Summary, string>>(
    varying(sql`
      with found as (
        select c.id, ${mayHaveOriginals(searchContext.tenant, searchContext.viewer)} as may
        from contribution_collection.contributions as c where ${conditionOf(question, searchContext)}),
      files as (
        select case when found.may then m.size else coalesce(${copySize}, m.size) end as size
        from found
        join contribution_collection.media_usages as u on u.tenant = ${searchContext.tenant} and u.contribution = found.id
        join contribution_collection.media as m on m.tenant = u.tenant and m.id = u.media
        where found.may or m.status = 'ready')
      select (select count(*) from found)::text as contributions, (select count(*) from files)::text as media,
        (select coalesce(sum(size), 0) from files)::text as "totalMediaSize"`),
  )
  return {
    contributions: Number(row.contributions),
    media: Number(row.media),
    totalMediaSize: Number(row.totalMediaSize),
  }
}
