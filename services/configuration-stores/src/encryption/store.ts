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

/** Returns revisions after a position that still have to be encrypted or decrypted. */
export function revisionBatch(
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
    set value = updates.value, content_type = updates.content_type, content = updates.content
    from ${updatesOf(rows)}
    where r.tenant = ${tenant} and r.store = ${id} and r.key = updates.key and r.label = updates.label
      and r.number = updates.number`)
}

export function itemBatch(db: Db, store: Store, encrypts: boolean, limit: number): Promise<ItemRow[]> {
  return db.many(sql`
    select snapshot, ${columns} from configuration_stores.snapshot_items
    where ${of(store)} and (content is null) = ${encrypts} limit ${limit} for update`)
}

export async function replaceItems(db: Db, { tenant, id }: Store, rows: readonly ItemRow[]): Promise<void> {
  await db.run(sql`
    update configuration_stores.snapshot_items i
    set value = updates.value, content_type = updates.content_type, content = updates.content
    from ${updatesOf(rows)}
    join unnest(${rows.map(({ snapshot }) => snapshot)}::text[]) with ordinality as s (snapshot, line)
      on s.line = updates.line
    where i.tenant = ${tenant} and i.store = ${id} and i.snapshot = s.snapshot and i.key = updates.key
      and i.label = updates.label`)
}

const updatesOf = (rows: readonly ValueRow[]): Sql => sql`
  unnest(${rows.map(({ key }) => key)}::text[], ${rows.map(({ label }) => label)}::text[],
    ${rows.map(({ number }) => number)}::bigint[], ${rows.map(({ value }) => value)}::text[],
    ${rows.map(({ contentType }) => contentType)}::text[], ${rows.map(({ content }) => content)}::bytea[])
    with ordinality as updates (key, label, number, value, content_type, content, line)`
