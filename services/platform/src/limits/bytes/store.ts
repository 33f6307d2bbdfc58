import { asLimit, type BlobEntry, type Db, type ReadingDb, sql } from '@icosa/kernel'

/** Whose bytes. */
export interface Owner {
  readonly tenant: string
  readonly service: string
}

/** A blob that is being written: so much of it was allowed. */
export interface Reservation extends Owner {
  /** Begins with a slash, as no blob's key does. */
  readonly id: string
}

/** Adds to what was allowed, or is refused. */
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

/** It is there: instead of what was allowed for it, and of what was there before under its key. */
export async function settle(db: Db, { tenant, service, id }: Reservation, key: string, bytes: number): Promise<void> {
  // Of two that write one blob at once, one waits for the other.
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`icosa blob ${tenant} ${service} ${key}`}, 0))`)
  await forget(db, { tenant, service }, key)
  await db.run(sql`
    update platform.blobs set key = ${key}, bytes = ${bytes}
    where tenant = ${tenant} and service = ${service} and key = ${id}`)
}

export async function forget(db: Db, { tenant, service }: Owner, key: string): Promise<void> {
  await db.run(sql`delete from platform.blobs where tenant = ${tenant} and service = ${service} and key = ${key}`)
}

/** Nobody writes for so long. */
const abandonedMs = 24 * 3_600_000

export async function dropAbandoned(db: Db, { tenant, service }: Owner, now: Date): Promise<void> {
  await db.run(sql`
    delete from platform.blobs where tenant = ${tenant} and service = ${service} and key like '/%'
      and at < ${new Date(now.getTime() - abandonedMs)}`)
}

/** A part of a list of the store, from after one key to another or to the end. */
export interface Listed {
  readonly items: readonly Pick<BlobEntry, 'key' | 'size'>[]
  readonly after: string
  readonly until: string | undefined
  /** When the list was begun: what was written since is known better. */
  readonly since: Date
}

/** Makes the rows of these keys equal to what the store has. */
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

/** All services that have tables here, whether a node runs them now or not. */
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

/** How far tenants are from their limits, the nearest first. */
export function limitedBytes(db: ReadingDb, count: number): Promise<LimitedBytes[]> {
  return db.many(sql`
    select tenant, service, amount::float8 as allowed, coalesce((
      select sum(bytes) from platform.blob_bytes as counted
      where counted.tenant = allowed.tenant and allowed.service in (counted.service, '*')), 0)::float8 as bytes
    from platform.limits as allowed where kind = 'bytes'
    order by 4 / greatest(amount, 1) desc, 1, 2 limit ${count}`)
}
