import { type Db, empty, Failure, join, type ReadingDb, type Sql, sql, varying } from '@icosa/kernel'
import { type Filter, type Pattern, successor } from '../data-plane/lists/filters.ts'
import type { Window } from '../data-plane/lists/pages.ts'
import type { Cipher } from '../encryption/cipher.ts'

interface Store {
  readonly tenant: string
  readonly id: string
}

/** A store with its cipher, if it has a data key. */
export interface ReadableStore extends Store {
  readonly cipher?: Cipher | undefined
}

export interface WritableStore extends ReadableStore {
  /** Whether new values are encrypted. */
  readonly encrypts: boolean
}

/** The label is empty if there is none. */
export interface Identity {
  readonly key: string
  readonly label: string
}

export interface Content {
  readonly value: string | null
  readonly contentType: string | null
  readonly tags: Readonly<Record<string, string | null>>
  readonly locked: boolean
}

/** A state of a key-value between two changes. */
export interface Revision extends Identity, Content {
  /** Grows with every change of the store. */
  readonly number: string
  readonly etag: string
  readonly changedAt: Date
}

export const columns = sql`key, label, number, value, content_type as "contentType", content, tags, locked, etag,
  changed_at as "changedAt"`

/** A stored row, whose content may be encrypted. */
export type Stored<R extends Revision = Revision> = R & { readonly content: Buffer | null }

/** Decrypts a row, if necessary. */
export function decrypted<R extends Revision>({ cipher }: ReadableStore, { content, ...row }: Stored<R>): R {
  if (content === null) return row as unknown as R
  return { ...(row as unknown as R), ...(cipher ?? encryptionChanged()).open(content, row) }
}

/** The request started before a change of the store's encryption. */
function encryptionChanged(): never {
  throw new Failure('unavailable', 'The encryption of the store has just been changed: try again.', {
    retryAfterSeconds: 1,
  })
}

const of = ({ tenant, id }: Store) => sql`tenant = ${tenant} and store = ${id}`

/** Current rows, by their own index, or those of a past time. */
const during = (asOf: Date | undefined) =>
  asOf ? sql`changed_at <= ${asOf} and replaced_at > ${asOf}` : sql`replaced_at = 'infinity'`

export async function find(
  db: ReadingDb,
  store: ReadableStore,
  { key, label }: Identity,
  asOf?: Date | undefined,
): Promise<Revision | undefined> {
  const row = await db.point<Stored>(sql`
    select ${columns} from configuration_stores.revisions
    where ${of(store)} and key = ${key} and label = ${label} and ${during(asOf)}`)
  return row && decrypted(store, row)
}

/** The last state, even if deleted. */
export interface Latest extends Revision {
  readonly isCurrent: boolean
  /** Time of the last change or deletion. */
  readonly turnedAt: Date
}

export async function latest(
  db: ReadingDb,
  store: ReadableStore,
  { key, label }: Identity,
): Promise<Latest | undefined> {
  const row = await db.maybe<Stored<Latest>>(sql`
    select ${columns}, replaced_at = 'infinity' as "isCurrent",
      case when replaced_at = 'infinity' then changed_at else replaced_at end as "turnedAt"
    from configuration_stores.revisions where ${of(store)} and key = ${key} and label = ${label}
    order by number desc limit 1`)
  return row && decrypted(store, row)
}

export async function end(db: Db, store: Store, { key, label, number }: Revision, at: Date): Promise<void> {
  await db.run(sql`
    update configuration_stores.revisions set replaced_at = ${at}
    where ${of(store)} and key = ${key} and label = ${label} and number = ${number}`)
}

/**
 * Locks the store's encryption settings until the transaction ends. A change of them waits for concurrent writers, and
 * sees all their rows.
 */
export async function begin(db: Db, store: WritableStore, revision: Omit<Revision, 'number'>): Promise<Revision> {
  const { key, label, tags, locked, etag, changedAt } = revision
  const { value, contentType, content } = sealed(store, revision)
  const row = await db.maybe<Pick<Revision, 'number' | 'tags'>>(sql`
    with unchanged as (${ifUnchanged(store)} for share)
    insert into configuration_stores.revisions
      (tenant, store, key, label, value, content_type, content, tags, locked, etag, changed_at)
    select ${store.tenant}, ${store.id}::uuid, ${key}, ${label}, ${value}, ${contentType}, ${content}::bytea,
      ${JSON.stringify(tags)}::jsonb, ${locked}::boolean, ${etag}, ${changedAt}::timestamptz from unchanged
    returning number, tags`)
  return row ? { ...revision, ...row } : await refuseStale(db, store)
}

/** Encrypts a row, if the store requires it. */
export function sealed(
  { encrypts, cipher }: Omit<WritableStore, keyof Store>,
  row: Identity & Pick<Revision, 'value' | 'contentType' | 'etag'>,
): Pick<Stored, 'value' | 'contentType' | 'content'> {
  const { value, contentType } = row
  if (!encrypts) return { value, contentType, content: null }
  return { value: null, contentType: null, content: (cipher ?? encryptionChanged()).seal(row, row) }
}

/** Selects the store if its encryption has not changed since the request began. */
const ifUnchanged = ({ tenant, id, encrypts, cipher }: WritableStore) => sql`
  select from configuration_stores.stores where tenant = ${tenant} and id = ${id}
    and (key_identifier is not null) = ${encrypts}
    and ${encrypts ? sql`data_key = ${cipher?.dataKey ?? encryptionChanged()}` : sql`true`}`

async function refuseStale(db: ReadingDb, { tenant, id }: Store): Promise<never> {
  const store = await db.maybe(sql`select 1 from configuration_stores.stores where tenant = ${tenant} and id = ${id}`)
  return store ? encryptionChanged() : storeNotFound()
}

/** Foreign key violation: the store was deleted during the request. */
export function storeDeleted(error: unknown): never {
  const { code } = Object(error) as { code?: string }
  if (code === '23503') storeNotFound(error)
  throw error
}

function storeNotFound(cause?: unknown): never {
  throw new Failure('notFound', 'The store was not found.', { cause })
}

/** Filters for key-values; a missing one matches all. */
export interface Selection {
  readonly key?: Filter
  readonly label?: Filter
  readonly tags?: ReadonlyMap<string, string | null>
}

/** Conditions on columns that are compared by code point. */
export function matching({ key, label, tags }: Selection): Sql {
  const parts = [
    ...(key ? [anyOf(sql`key`, key)] : []),
    ...(label ? [anyOf(sql`label`, label)] : []),
    ...(tags && tags.size > 0 ? [sql`tags @> ${JSON.stringify(Object.fromEntries(tags))}::jsonb`] : []),
  ]
  return parts.length > 0 ? sql`and ${join(parts, ' and ')}` : empty
}

export function anyOf(column: Sql, patterns: readonly Pattern[]): Sql {
  const exact = patterns.filter(({ kind }) => kind === 'equals').map(({ text }) => text)
  const others = patterns.filter(({ kind }) => kind !== 'equals').map((pattern) => condition(column, pattern))
  const conditions = exact.length > 0 ? [sql`${column} = any(${exact})`, ...others] : others
  return sql`(${join(conditions, ' or ')})`
}

/** A prefix is a range, so that an index is used in any plan. */
function condition(column: Sql, { kind, text }: Pattern): Sql {
  if (kind !== 'startsWith') return sql`${column} like ${`%${escaped(text)}${kind === 'contains' ? '%' : ''}`}`
  const end = successor(text)
  return end === undefined ? sql`${column} >= ${text}` : sql`(${column} >= ${text} and ${column} < ${end})`
}

const escaped = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&')

/** By key and label. */
export async function list(
  db: ReadingDb,
  store: ReadableStore,
  selection: Selection,
  { after, limit, asOf }: Window,
): Promise<Revision[]> {
  const [key, label] = after ?? []
  const rows = await db.many<Stored>(
    varying(sql`
      select ${columns} from configuration_stores.revisions
      where ${of(store)} and ${during(asOf)} ${matching(selection)}
        ${after ? sql`and (key, label) > (${key}, ${label})` : empty}
      order by key, label limit ${limit}`),
  )
  return rows.map((row) => decrypted(store, row))
}

/** Distinct keys or labels. */
export async function listNames(
  db: ReadingDb,
  store: Store,
  what: 'key' | 'label',
  names: Filter,
  { after, limit, asOf }: Window,
): Promise<string[]> {
  const column = what === 'key' ? sql`key` : sql`label`
  const rows = await db.many<{ name: string }>(
    varying(sql`
      select distinct ${column} as name from configuration_stores.revisions
      where ${of(store)} and ${during(asOf)} ${names ? sql`and ${anyOf(column, names)}` : empty}
        ${after ? sql`and ${column} > ${after[0]}` : empty}
      order by 1 limit ${limit}`),
  )
  return rows.map(({ name }) => name)
}

/** The history of key-values, latest first. */
export async function listRevisions(
  db: ReadingDb,
  store: ReadableStore,
  selection: Selection,
  { after, limit, asOf }: Window,
): Promise<Revision[]> {
  const rows = await db.many<Stored>(
    varying(sql`
      select ${columns} from configuration_stores.revisions
      where ${of(store)} ${asOf ? sql`and changed_at <= ${asOf}` : empty} ${matching(selection)}
        ${after ? sql`and number < ${after[0]}` : empty}
      order by number desc limit ${limit}`),
  )
  return rows.map((row) => decrypted(store, row))
}

/** Deletes a batch of a store's rows. Returns their number. */
export function removeBatch(db: Db, store: Store, limit: number): Promise<number> {
  return db.run(sql`
    delete from configuration_stores.revisions where ctid in
      (select ctid from configuration_stores.revisions where ${of(store)} limit ${limit})`)
}

/** Deletes a batch of revisions replaced before these times. */
export function prune(
  db: Db,
  before: { readonly Free: Date; readonly Standard: Date },
  limit: number,
): Promise<number> {
  return db.run(sql`
    delete from configuration_stores.revisions where ctid in (
      select old.ctid from configuration_stores.stores s
      cross join lateral (
        select r.ctid from configuration_stores.revisions r
        where r.tenant = s.tenant and r.store = s.id and r.replaced_at < 'infinity'
          and r.replaced_at < case s.sku when 'Free' then ${before.Free}::timestamptz else ${before.Standard} end
        limit ${limit}) old
      limit ${limit})`)
}
