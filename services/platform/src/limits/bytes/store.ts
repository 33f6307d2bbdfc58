import { asLimit, type BlobEntry, type Db, type ReadingDb, sql } from '@icosa/kernel'

export interface Owner {
  readonly tenant: string
  readonly service: string
}

/** Bytes reserved for a blob that is being written. */
export interface Reservation extends Owner {
  /** Starts with a slash, unlike any blob's key. */
  readonly id: string
}

/** Adds bytes to a reservation. Fails at the limit. */
export async function reserve(db: Db, { tenant, service, id }: Reservation, bytes: number, now: Date): Promise<void> {
  await db
    .run(sql`
      insert into platform.blobs as blob values (${tenant}, ${service}, ${id}, ${bytes}, ${now})
      on conflict (tenant, service, key) do update set bytes = blob.bytes + excluded.bytes`)
    .catch(asLimit)
}

export async function release(db: Db, { tenant, service, id }: Reservation): Promise<void> {
  await db.run(sql`delete from platform.blobs where tenant = ${tenant} and service = ${service} and key = ${id}`)
}

/** Turns a reservation into a blob, which replaces the previous one with its key. */
export async function settle(db: Db, { tenant, service, id }: Reservation, key: string, bytes: number): Promise<void> {
  // Serializes concurrent writers of one blob.
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`icosa blob ${tenant} ${service} ${key}`}, 0))`)
  await forget(db, { tenant, service }, key)
  await db.run(sql`
    update platform.blobs set key = ${key}, bytes = ${bytes}
    where tenant = ${tenant} and service = ${service} and key = ${id}`)
}

export async function forget(db: Db, { tenant, service }: Owner, key: string): Promise<void> {
  await db.run(sql`delete from platform.blobs where tenant = ${tenant} and service = ${service} and key = ${key}`)
}

/** No write takes this long. */
const abandonedMs = 24 * 3_600_000

export async function dropAbandoned(db: Db, { tenant, service }: Owner, now: Date): Promise<void> {
  await db.run(sql`
    delete from platform.blobs where tenant = ${tenant} and service = ${service} and key like '/%'
      and at < ${new Date(now.getTime() - abandonedMs)}`)
}

/** One page of blobs: keys after `after` up to `until`, or to the end. */
export interface Listed {
  readonly items: readonly Pick<BlobEntry, 'key' | 'size'>[]
  readonly after: string
  readonly until: string | undefined
  /** Start of the listing: rows written since are more accurate. */
  readonly since: Date
}

/** Reconciles the rows of a page with the blob store. */
export async function putListed(db: Db, { tenant, service }: Owner, listed: Listed): Promise<void> {
  const { items, after, until, since } = listed
  const keys = items.map(({ key }) => key)
  await db.run(sql`select set_config('icosa.counting', 'on', true)`)
  await db.run(sql`
    insert into platform.blobs as blob
    select ${tenant}, ${service}, key, bytes, ${since}
    from unnest(${keys}::text[], ${items.map(({ size }) => size)}::bigint[]) as listed(key, bytes)
    on conflict (tenant, service, key) do update set bytes = excluded.bytes where blob.at < ${since}`)
  await db.run(sql`
    delete from platform.blobs where tenant = ${tenant} and service = ${service} and key not like '/%'
      and key > ${after} and (${until ?? null}::text is null or key <= ${until ?? null})
      and at < ${since} and key <> all(${keys}::text[])`)
}

/** All services with tables, whether or not a node runs them. */
export async function servicesWithState(db: ReadingDb): Promise<string[]> {
  const rows = await db.many<{ owner: string }>(
    sql`select distinct owner from icosa.migrations where owner <> 'icosa' order by 1`,
  )
  return rows.map(({ owner }) => owner)
}

export interface LimitedBytes extends Owner {
  readonly bytes: number
  readonly allowed: number
}

/** Usage of limited tenants, closest to the limit first. */
export function limitedBytes(db: ReadingDb, count: number): Promise<LimitedBytes[]> {
  return db.many(sql`
    select tenant, service, amount::float8 as allowed, coalesce((
      select sum(bytes) from platform.blob_bytes as counted
      where counted.tenant = allowed.tenant and allowed.service in (counted.service, '*')), 0)::float8 as bytes
    from platform.limits as allowed where kind = 'bytes'
    order by 4 / greatest(amount, 1) desc, 1, 2 limit ${count}`)
}
