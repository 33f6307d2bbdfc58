import { type Db, lockName, sql } from '@icosa/kernel'
import type { Revision } from '../revision.ts'

export interface LeaseKey {
  readonly tenant: string
  readonly revision: string
  readonly id: string
}

type Of = Pick<Revision, 'tenant' | 'id'>

const leaseSeconds = 10
const alive = sql`expires_at > clock_timestamp()`
const newExpiry = sql`clock_timestamp() + make_interval(secs => ${leaseSeconds})`

/**
 * Takes a lease unless there are as many as there may be, of nodes that live (as the one does that asks, however late it is
 * to renew its own); nodes that have waited for longer come first. Whoever asks waits for whoever asked just before.
 */
export async function take(
  db: Db,
  { tenant, id: revision }: Of,
  id: string,
  node: string,
  max: number,
): Promise<boolean> {
  await lockName(db, `functions instances ${tenant} ${revision}`)
  const ours = sql`tenant = ${tenant} and revision = ${revision}`
  await db.run(sql`delete from functions.instances where ${ours} and node <> ${node} and not ${alive}`)
  const taken = await db.run(sql`
    insert into functions.instances (tenant, revision, id, node, expires_at)
    select ${tenant}, ${revision}, ${id}, ${node}, ${newExpiry}
    where (select count(*) from functions.instances where ${ours})
      + (select count(*) from functions.instance_waits where ${ours} and node <> ${node} and ${alive} and since < coalesce(
          (select since from functions.instance_waits where ${ours} and node = ${node}), clock_timestamp()))
      < ${max}`)
  if (taken > 0) await db.run(sql`delete from functions.instance_waits where ${ours} and node = ${node}`)
  else
    await db.run(sql`
    insert into functions.instance_waits as w (tenant, revision, node, since, expires_at)
    values (${tenant}, ${revision}, ${node}, clock_timestamp(), clock_timestamp() + interval '3 seconds')
    on conflict (tenant, revision, node) do update set expires_at = excluded.expires_at,
      since = case when w.expires_at > clock_timestamp() then w.since else excluded.since end`)
  return taken > 0
}

/** Those of these that are still ours. */
export async function renew(db: Db, leases: readonly LeaseKey[]): Promise<Set<string>> {
  const rows = await db.many<{ id: string }>(sql`
    update functions.instances as i set expires_at = ${newExpiry}
    from unnest(${leases.map(({ tenant }) => tenant)}::text[], ${leases.map(({ revision }) => revision)}::text[],
      ${leases.map(({ id }) => id)}::uuid[]) as held (tenant, revision, id)
    where i.tenant = held.tenant and i.revision = held.revision and i.id = held.id
    returning i.id`)
  return new Set(rows.map(({ id }) => id))
}

export async function release(db: Db, { tenant, revision, id }: LeaseKey): Promise<void> {
  await db.run(sql`
    delete from functions.instances where tenant = ${tenant} and revision = ${revision} and id = ${id}`)
}

/** Whether an instance may end because enough others stay. */
export async function leave(db: Db, { tenant, revision, id }: LeaseKey, min: number): Promise<boolean> {
  await lockName(db, `functions instances ${tenant} ${revision}`)
  return (
    (await db.run(sql`
      update functions.instances set ending = true where tenant = ${tenant} and revision = ${revision} and id = ${id}
        and (select count(*) from functions.instances
          where tenant = ${tenant} and revision = ${revision} and not ending and ${alive}) > ${min}`)) > 0
  )
}

/** How many there are that mean to stay, in the whole cell. */
export async function staying(db: Db, { tenant, id: revision }: Of): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from functions.instances
    where tenant = ${tenant} and revision = ${revision} and not ending and ${alive}`)
  return count
}

export async function retire(db: Db, revision: string): Promise<void> {
  await db.run(sql`insert into functions.retired_revisions (revision) values (${revision}) on conflict do nothing`)
}

export async function retiredAmong(db: Db, revisions: readonly string[]): Promise<Set<string>> {
  const rows = await db.many<{ revision: string }>(sql`
    select revision from functions.retired_revisions where revision = any(${revisions}::text[])`)
  return new Set(rows.map(({ revision }) => revision))
}

/** Those of these revisions for whose instances another node waits. */
export async function awaitedAmong(db: Db, revisions: readonly Of[], node: string): Promise<Set<string>> {
  const rows = await db.many<{ revision: string }>(sql`
    select distinct w.revision from functions.instance_waits as w
    join unnest(${revisions.map(({ tenant }) => tenant)}::text[], ${revisions.map(({ id }) => id)}::text[])
      as held (tenant, revision) using (tenant, revision)
    where w.node <> ${node} and w.expires_at > clock_timestamp()`)
  return new Set(rows.map(({ revision }) => revision))
}

/** What nodes that were killed left. Nobody counts it any more. */
export async function sweep(db: Db): Promise<void> {
  const over = sql`expires_at < clock_timestamp() - interval '1 minute'`
  await db.run(sql`delete from functions.instances where ${over}`)
  await db.run(sql`delete from functions.instance_waits where ${over}`)
}
