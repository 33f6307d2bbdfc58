import { type Db, lockName, type ReadingDb, sql } from '@icosa/kernel'

/** A key of a tenant, as stored. */
export interface TenantKey {
  readonly purpose: 'seal' | 'derive' | 'inherited'
  readonly id: string
  readonly inUse: boolean
  /** Sealed under a data key of the cell. Null for keys derived from the root of this cell. */
  readonly sealed: Buffer | null
}

/** Oldest first. */
export const read = (db: ReadingDb, tenant: string): Promise<TenantKey[]> =>
  db.many(sql`
    select purpose, id, used_from <= clock_timestamp() as "inUse", sealed
    from icosa.tenant_keys where tenant = ${tenant} order by generation`)

/** Serializes changes of a tenant's keys. */
export const lock = (db: Db, tenant: string) => lockName(db, `icosa tenant keys ${tenant}`)

/** Whether tenants have keys of their own: nodes of earlier versions, which could not open their secrets, are gone. */
export async function hasBegun(db: ReadingDb): Promise<boolean> {
  return (await db.maybe(sql`select from icosa.tenant_key_use`)) !== undefined
}

/** Lets tenants have keys of their own, used after `aheadMs`. Returns false if they already do. */
export async function begin(db: Db, aheadMs: number): Promise<boolean> {
  const since = sql`clock_timestamp() + ${aheadMs} * interval '1 ms'`
  const added = await db.run(sql`insert into icosa.tenant_key_use (since) values (${since}) on conflict do nothing`)
  return added === 1
}

/** The tenant's derived keys stay as they are: it may have handed out what they signed. */
export async function inherit(db: Db, tenants: readonly string[]): Promise<void> {
  await db.run(sql`
    insert into icosa.tenant_keys (tenant, purpose, id, used_from)
    select old.tenant, 'inherited', '', clock_timestamp() from unnest(${tenants}::text[]) as old (tenant)
    where not exists (select from icosa.tenant_keys k where k.tenant = old.tenant)`)
}

/** Uses the key after `aheadMs`, and not before tenants have keys of their own. */
export async function insert(
  db: Db,
  tenant: string,
  { purpose, id, sealed }: Omit<TenantKey, 'inUse'>,
  aheadMs: number,
): Promise<void> {
  await db.run(sql`
    insert into icosa.tenant_keys (tenant, purpose, id, used_from, sealed)
    select ${tenant}, ${purpose}, ${id}, greatest(clock_timestamp() + ${aheadMs} * interval '1 ms', since), ${sealed}
    from icosa.tenant_key_use`)
}
