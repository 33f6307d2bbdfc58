import { type Db, empty, type ReadingDb, sql, varying } from '@icosa/kernel'
import type { Filter } from '../data-plane/lists/filters.ts'
import type { Window } from '../data-plane/lists/pages.ts'
import { sealedBytes } from '../encryption/cipher.ts'
import {
  anyOf,
  decrypted,
  columns as itemColumns,
  matching,
  type ReadableStore,
  type Revision,
  type Selection,
  type Stored,
  storeDeleted,
} from '../key-values/store.ts'

interface Store {
  readonly tenant: string
  readonly id: string
}

export type SnapshotStatus = 'provisioning' | 'ready' | 'archived' | 'failed'

export interface SnapshotFilter {
  readonly key: string
  readonly label?: string | null
  readonly tags?: readonly string[] | null
}

/** Properties chosen by the caller. */
export interface NewSnapshot {
  readonly name: string
  readonly filters: readonly SnapshotFilter[]
  /** `key`: one key-value per key, from the last filter that matches it. `key_label`: all matches. */
  readonly compositionType: 'key' | 'key_label'
  readonly tags: Readonly<Record<string, string>>
  readonly retentionSeconds: number
}

export interface Row extends NewSnapshot {
  readonly status: SnapshotStatus
  readonly size: string
  readonly itemsCount: number
  readonly etag: string
  readonly createdAt: Date
  readonly modifiedAt: Date
  readonly expiresAt: Date | null
}

const columns = sql`name, status, filters, composition_type as "compositionType", tags,
  retention_seconds as "retentionSeconds", size, items_count as "itemsCount", etag, created_at as "createdAt",
  modified_at as "modifiedAt", expires_at as "expiresAt"`

const of = ({ tenant, id }: Store) => sql`tenant = ${tenant} and store = ${id}`

/** Returns undefined if the name is in use. */
export function insert(
  db: Db,
  { tenant, id }: Store,
  { name, filters, compositionType, tags, retentionSeconds }: NewSnapshot,
  etag: string,
  now: Date,
): Promise<Row | undefined> {
  return db
    .maybe<Row>(sql`
      insert into configuration_stores.snapshots (tenant, store, name, status, filters, composition_type, tags,
        retention_seconds, etag, created_at, modified_at)
      values (${tenant}, ${id}, ${name}, 'provisioning', ${JSON.stringify(filters)}, ${compositionType},
        ${JSON.stringify(tags)}, ${retentionSeconds}, ${etag}, ${now}, ${now})
      on conflict do nothing returning ${columns}`)
    .catch(storeDeleted)
}

export function find(db: ReadingDb, store: Store, name: string): Promise<Row | undefined> {
  return db.maybe(sql`select ${columns} from configuration_stores.snapshots where ${of(store)} and name = ${name}`)
}

export function lock(db: Db, store: Store, name: string): Promise<Row | undefined> {
  return db.maybe(sql`
    select ${columns} from configuration_stores.snapshots where ${of(store)} and name = ${name} for update`)
}

export interface StatusChange extends Pick<Row, 'status' | 'etag' | 'modifiedAt' | 'expiresAt'> {}

export function setStatus(db: Db, store: Store, name: string, change: StatusChange): Promise<Row> {
  const { status, etag, modifiedAt, expiresAt } = change
  return db.one(sql`
    update configuration_stores.snapshots
    set status = ${status}, etag = ${etag}, modified_at = ${modifiedAt}, expires_at = ${expiresAt}
    where ${of(store)} and name = ${name} returning ${columns}`)
}

export function list(
  db: ReadingDb,
  store: Store,
  { name, status }: { readonly name: Filter; readonly status: Filter },
  { after, limit }: Window,
): Promise<Row[]> {
  return db.many(
    varying(sql`
      select ${columns} from configuration_stores.snapshots
      where ${of(store)} ${name ? sql`and ${anyOf(sql`name`, name)}` : empty}
        ${status ? sql`and ${anyOf(sql`status`, status)}` : empty}
        ${after ? sql`and name > ${after[0]}` : empty}
      order by name limit ${limit}`),
  )
}

/** Prevents changes of the store's encryption, and their completion, until the transaction ends. */
export async function shareLockStore(db: Db, { tenant, id }: Store): Promise<void> {
  await db.run(sql`select 1 from configuration_stores.stores where tenant = ${tenant} and id = ${id} for share`)
}

/** Adds a filter's matches as of a time; with `replaces` instead of earlier ones with the same keys. */
export async function copy(
  db: Db,
  store: Store,
  snapshot: string,
  selection: Selection,
  { asOf, replaces }: { readonly asOf: Date; readonly replaces: boolean },
): Promise<void> {
  const matches = sql`${of(store)} and changed_at <= ${asOf} and replaced_at > ${asOf} ${matching(selection)}`
  if (replaces)
    await db.run(
      varying(sql`
        delete from configuration_stores.snapshot_items where ${of(store)} and snapshot = ${snapshot}
          and key in (select key from configuration_stores.revisions where ${matches})`),
    )
  await db.run(
    varying(sql`
      insert into configuration_stores.snapshot_items
        (tenant, store, snapshot, key, label, number, value, content_type, content, tags, locked, etag, changed_at)
      select tenant, store, ${snapshot}, key, label, number, value, content_type, content, tags, locked, etag,
        changed_at
      from configuration_stores.revisions where ${matches} on conflict do nothing`),
  )
}

/** Counts the copied items. */
export async function measure(db: Db, store: Store, name: string): Promise<void> {
  await db.run(sql`
    update configuration_stores.snapshots set (items_count, size) = (
      select count(*), coalesce(sum(octet_length(key) + octet_length(label) + coalesce(octet_length(value), 0)
        + coalesce(octet_length(content_type), 0) + coalesce(octet_length(content) - ${sealedBytes}, 0)
        + octet_length(tags::text)), 0)
      from configuration_stores.snapshot_items where ${of(store)} and snapshot = ${name})
    where ${of(store)} and name = ${name}`)
}

export async function listItems(
  db: ReadingDb,
  store: ReadableStore,
  snapshot: string,
  { after, limit }: Window,
): Promise<Revision[]> {
  const [key, label] = after ?? []
  const rows = await db.many<Stored>(sql`
    select ${itemColumns} from configuration_stores.snapshot_items where ${of(store)} and snapshot = ${snapshot}
      ${after ? sql`and (key, label) > (${key}, ${label})` : empty}
    order by key, label limit ${limit}`)
  return rows.map((row) => decrypted(store, row))
}

export function removeItems(db: Db, store: Store, limit: number): Promise<number> {
  return db.run(sql`
    delete from configuration_stores.snapshot_items where ctid in
      (select ctid from configuration_stores.snapshot_items where ${of(store)} limit ${limit})`)
}

export function removeExpired(db: Db, now: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from configuration_stores.snapshots where ctid in
      (select ctid from configuration_stores.snapshots where expires_at <= ${now} limit ${limit})`)
}
