import { completeBefore, type Db, type ReadingDb, sql, transactionOrder } from '@icosa/kernel'
import type { Place } from '../functions/store.ts'

export interface LogLine {
  readonly at: Date
  /** The invocation that printed it, if known. */
  readonly invocation: string | null
  readonly stream: 'stdout' | 'stderr' | 'platform'
  readonly text: string
}

export interface NewLine extends Place, LogLine {
  readonly tenant: string
}

export async function write(db: Db, lines: readonly NewLine[]): Promise<void> {
  await db.run(sql`
    insert into functions.log_lines (tenant, project, location, function, at, invocation, stream, text, xact)
    select written.*, ${transactionOrder(sql`written.tenant`)} from unnest(${lines.map(({ tenant }) => tenant)}::text[], ${lines.map(({ project }) => project)}::text[],
      ${lines.map(({ location }) => location)}::text[], ${lines.map((line) => line.function)}::text[],
      ${lines.map(({ at }) => at)}::timestamptz[], ${lines.map(({ invocation }) => invocation)}::text[],
      ${lines.map(({ stream }) => stream)}::text[], ${lines.map(({ text }) => text)}::text[])
      as written(tenant, project, location, function, at, invocation, stream, text)`)
}

const of = (tenant: string, { project, location, function: id }: Place) => sql`
  tenant = ${tenant} and project = ${project} and location = ${location} and function = ${id}`

/** Keeps the newest lines of a function. */
export async function trim(db: Db, tenant: string, place: Place, keep: number): Promise<void> {
  await db.run(sql`
    delete from functions.log_lines where ${of(tenant, place)} and (xact, number) < (
      select xact, number from functions.log_lines where ${of(tenant, place)}
      order by xact desc, number desc offset ${keep} limit 1)`)
}

/** Position after a line. */
export interface Cursor {
  readonly xact: string
  readonly number: string
}

export type StoredLine = LogLine & Cursor

const columns = sql`at, invocation, stream, text, xact::text, number::text`

/** The newest lines, in ascending order. */
export async function newest(db: ReadingDb, tenant: string, place: Place, limit: number): Promise<StoredLine[]> {
  const lines = await db.many<StoredLine>(sql`
    select ${columns} from functions.log_lines
    where ${of(tenant, place)} and xact < ${completeBefore(sql`${tenant}`)}
    order by log_lines.xact desc, log_lines.number desc limit ${limit}`)
  return lines.reverse()
}

/** Lines after a position, except those that uncommitted lines may still precede. */
export function after(
  db: ReadingDb,
  tenant: string,
  place: Place,
  { xact, number }: Cursor,
  limit: number,
): Promise<StoredLine[]> {
  return db.many(sql`
    select ${columns} from functions.log_lines
    where ${of(tenant, place)} and (xact, number) > (${xact}::xid8, ${number}::bigint)
      and xact < ${completeBefore(sql`${tenant}`)}
    order by log_lines.xact, log_lines.number limit ${limit}`)
}

export async function remove(db: Db, tenant: string, place: Place): Promise<void> {
  await db.run(sql`delete from functions.log_lines where ${of(tenant, place)}`)
}
