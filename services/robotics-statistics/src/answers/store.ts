import { type ReadingDb, sql } from '@icosa/kernel'
import { ofAllEvents } from '../season/lists.ts'

/** Version and modification time of a list. */
export interface State {
  readonly version: number
  readonly modified: number
}

export interface ListKey {
  readonly tenant: string
  readonly season: number
  readonly scope: string
  readonly list: string
}

export interface Change extends State, Omit<ListKey, 'tenant'> {}

/** Returns lists changed since a version: imports of a tenant commit in version order, so none is missed. */
export function changesSince(db: ReadingDb, tenant: string, version: number): Promise<Change[]> {
  return db.many<Change>(sql`
    select season, scope, list, version::float8, modified::float8 from robotics_statistics.lists
    where tenant = ${tenant} and version > ${version} order by robotics_statistics.lists.version`)
}

export interface StoredAnswer extends State {
  readonly etag: string
  readonly items: number
  readonly gzip: Buffer
  readonly br: Buffer
}

export function findAnswer(
  db: ReadingDb,
  { tenant, season, scope, list }: ListKey,
  part: string,
): Promise<StoredAnswer | undefined> {
  return db.maybe<StoredAnswer>(sql`
    select version::float8, modified::float8, etag, items, gzip, br from robotics_statistics.answers
    where tenant = ${tenant} and season = ${season} and scope = ${scope} and list = ${list} and part = ${part}`)
}

export interface Item {
  readonly key: string
  readonly content: string
  readonly teams: readonly number[]
  readonly modified: number
}

export interface Items extends State {
  readonly items: readonly Item[]
}

/** Returns a list with its state, from one snapshot. */
export async function findItems(db: ReadingDb, { tenant, season, scope, list }: ListKey): Promise<Items | undefined> {
  const rows = await db.many<Omit<Item, 'modified'> & State & { itemModified: number | null }>(sql`
    select l.version::float8, l.modified::float8, i.key, i.content, i.teams, i.modified::float8 as "itemModified"
    from robotics_statistics.lists l
    left join robotics_statistics.items i on i.tenant = l.tenant and i.season = l.season and i.list = l.list
      and (i.scope = l.scope or l.scope = ${ofAllEvents})
    where l.tenant = ${tenant} and l.season = ${season} and l.scope = ${scope} and l.list = ${list}
    order by i.scope, i.position`)
  const [first] = rows
  if (!first) return undefined
  const items = rows.flatMap(({ key, content, teams, itemModified }) =>
    itemModified === null ? [] : { key, content, teams, modified: itemModified },
  )
  return { version: first.version, modified: first.modified, items }
}
