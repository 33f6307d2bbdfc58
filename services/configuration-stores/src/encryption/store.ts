import { type Db, type Sql, sql } from '@icosa/kernel'
import type { Stored } from '../key-values/store.ts'

export interface Store {
  readonly tenant: string
  readonly id: string
}

/** The number of a revision. */
export type Position = string

export type ValueRow = Pick<Stored, 'key' | 'label' | 'number' | 'value' | 'contentType' | 'content' | 'etag'>
export interface ItemRow extends ValueRow {
  readonly snapshot: string
}

const columns = sql`key, label, number, value, content_type as "contentType", content, etag`
const of = ({ tenant, id }: Store) => sql`tenant = ${tenant} and store = ${id}`

/** Revisions after one that are encrypted, or are not, and are to be the contrary. */
export function someRevisions(
  db: Db,
  store: Store,
  after: Position,
  encrypts: boolean,
  limit: number,
): Promise<ValueRow[]> {
  return db.many(sql`
    select ${columns} from configuration_stores.revisions
    where ${of(store)} and number > ${after} and (content is null) = ${encrypts}
    order by number limit ${limit} for update`)
}

export async function replaceRevisions(db: Db, { tenant, id }: Store, rows: readonly ValueRow[]): Promise<void> {
  await db.run(sql`
    update configuration_stores.revisions r
    set value = given.value, content_type = given.content_type, content = given.content
    from ${given(rows)}
    where r.tenant = ${tenant} and r.store = ${id} and r.key = given.key and r.label = given.label
      and r.number = given.number`)
}

export function someItems(db: Db, store: Store, encrypts: boolean, limit: number): Promise<ItemRow[]> {
  return db.many(sql`
    select snapshot, ${columns} from configuration_stores.snapshot_items
    where ${of(store)} and (content is null) = ${encrypts} limit ${limit} for update`)
}

export async function replaceItems(db: Db, { tenant, id }: Store, rows: readonly ItemRow[]): Promise<void> {
  await db.run(sql`
    update configuration_stores.snapshot_items i
    set value = given.value, content_type = given.content_type, content = given.content
    from ${given(rows)}
    join unnest(${rows.map(({ snapshot }) => snapshot)}::text[]) with ordinality as s (snapshot, line)
      on s.line = given.line
    where i.tenant = ${tenant} and i.store = ${id} and i.snapshot = s.snapshot and i.key = given.key
      and i.label = given.label`)
}

const given = (rows: readonly ValueRow[]): Sql => sql`
  unnest(${rows.map(({ key }) => key)}::text[], ${rows.map(({ label }) => label)}::text[],
    ${rows.map(({ number }) => number)}::bigint[], ${rows.map(({ value }) => value)}::text[],
    ${rows.map(({ contentType }) => contentType)}::text[], ${rows.map(({ content }) => content)}::bytea[])
    with ordinality as given (key, label, number, value, content_type, content, line)`
