import { type Db, lockName, sql } from '@icosa/kernel'
import type { Revision } from '../revision.ts'

export interface LeaseKey {
  readonly tenant: string
  readonly revision: string
  readonly id: string
}

type RevisionKey = Pick<Revision, 'tenant' | 'id'>

const leaseSeconds = 10
const unexpired = sql`expires_at > clock_timestamp()`
const newExpiry = sql`clock_timestamp() + make_interval(secs => ${leaseSeconds})`

/**
 * Inserts a lease unless unexpired leases are at the maximum (this node's own count even if it renews them late), nodes that
 * have waited longer first. The advisory lock serializes acquisitions of one revision.
 */
export async function acquire(
  db: Db,
  { tenant, id: revision }: RevisionKey,
  id: string,
  node: string,
  max: number,
): Promise<boolean> {
  await lockName(db, `functions instances ${tenant} ${revision}`)
  const sameRevision = sql`tenant = ${tenant} and revision = ${revision}`
  await db.run(sql`delete from functions.instances where ${sameRevision} and node <> ${node} and not ${unexpired}`)
  const inserted = await db.run(sql`
    insert into functions.instances (tenant, revision, id, node, expires_at)
    select ${tenant}, ${revision}, ${id}, ${node}, ${newExpiry}
    where (select count(*) from functions.instances where ${sameRevision})
      + (select count(*) from functions.instance_waits where ${sameRevision} and node <> ${node} and ${unexpired} and since < coalesce(
          (select since from functions.instance_waits where ${sameRevision} and node = ${node}), clock_timestamp()))
      < ${max}`)
  if (inserted > 0) await db.run(sql`delete from functions.instance_waits where ${sameRevision} and node = ${node}`)
  else
    await db.run(sql`
    insert into functions.instance_waits as w (tenant, revision, node, since, expires_at)
    values (${tenant}, ${revision}, ${node}, clock_timestamp(), clock_timestamp() + interval '3 seconds')
    on conflict (tenant, revision, node) do update set expires_at = excluded.expires_at,
      since = case when w.expires_at > clock_timestamp() then w.since else excluded.since end`)
  return inserted > 0
}

/** Returns the ids of leases that still exist. */
export async function renew(db: Db, leases: readonly LeaseKey[]): Promise<Set<string>> {
  const rows = await db.many<{ id: string }>(sql`
    update functions.instances as i set expires_at = ${newExpiry}
    from unnest(${leases.map(({ tenant }) => tenant)}::text[], ${leases.map(({ revision }) => revision)}::text[],
      ${leases.map(({ id }) => id)}::uuid[]) as lease (tenant, revision, id)
    where i.tenant = lease.tenant and i.revision = lease.revision and i.id = lease.id
    returning i.id`)
  return new Set(rows.map(({ id }) => id))
}

export async function release(db: Db, { tenant, revision, id }: LeaseKey): Promise<void> {
  await db.run(sql`
    delete from functions.instances where tenant = ${tenant} and revision = ${revision} and id = ${id}`)
}

/** Marks an instance as ending, unless fewer than the minimum would stay. Returns whether it did. */
export async function markEnding(db: Db, { tenant, revision, id }: LeaseKey, min: number): Promise<boolean> {
  await lockName(db, `functions instances ${tenant} ${revision}`)
  return (
    (await db.run(sql`
      update functions.instances set ending = true where tenant = ${tenant} and revision = ${revision} and id = ${id}
        and (select count(*) from functions.instances
          where tenant = ${tenant} and revision = ${revision} and not ending and ${unexpired}) > ${min}`)) > 0
  )
}

/** Counts instances in the cell that are not about to end. */
export async function countActive(db: Db, { tenant, id: revision }: RevisionKey): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from functions.instances
    where tenant = ${tenant} and revision = ${revision} and not ending and ${unexpired}`)
  return count
}

/** False if the traffic was moved back to the revision in the meantime. */
export async function retire(db: Db, { tenant, id }: RevisionKey): Promise<boolean> {
  await lockRetirement(db, id)
  const retired = await db.run(sql`
    insert into functions.retired_revisions as r (revision) select ${id}
    where not exists (
      select from functions.revisions as r join functions.functions as f
        on f.tenant = r.tenant and f.subscription_key = r.project and f.location = r.location and f.name_key = r.function
      where r.tenant = ${tenant} and r.id = ${id} and f.revision = r.id and f.state <> 'DELETING')
    on conflict (revision) do update set retired_at = r.retired_at`)
  return retired > 0
}

/** In the transaction that lets a revision serve. */
export async function unretire(db: Db, id: string): Promise<void> {
  await lockRetirement(db, id)
  await db.run(sql`delete from functions.retired_revisions where revision = ${id}`)
}

const lockRetirement = (db: Db, id: string) => lockName(db, `functions revision ${id}`)

export async function retiredAmong(db: Db, revisions: readonly string[]): Promise<Set<string>> {
  const rows = await db.many<{ revision: string }>(sql`
    select revision from functions.retired_revisions where revision = any(${revisions}::text[])`)
  return new Set(rows.map(({ revision }) => revision))
}

/** Returns the ids of those revisions for which another node waits for a lease. */
export async function contendedAmong(db: Db, revisions: readonly RevisionKey[], node: string): Promise<Set<string>> {
  const rows = await db.many<{ revision: string }>(sql`
    select distinct w.revision from functions.instance_waits as w
    join unnest(${revisions.map(({ tenant }) => tenant)}::text[], ${revisions.map(({ id }) => id)}::text[])
      as running (tenant, revision) using (tenant, revision)
    where w.node <> ${node} and w.expires_at > clock_timestamp()`)
  return new Set(rows.map(({ revision }) => revision))
}

/** Deletes leases of nodes that were killed. They have expired and are no longer counted. */
export async function sweep(db: Db): Promise<void> {
  const expired = sql`expires_at < clock_timestamp() - interval '1 minute'`
  await db.run(sql`delete from functions.instances where ${expired}`)
  await db.run(sql`delete from functions.instance_waits where ${expired}`)
}

export function removeRetired(db: Db, tenant: string): Promise<number> {
  return db.run(sql`
    delete from functions.retired_revisions
    where revision in (select id from functions.revisions where tenant = ${tenant})`)
}
