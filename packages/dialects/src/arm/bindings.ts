import { type Clock, type Db, Failure, type ReadingDb, raw, sql } from '@icosa/kernel'
import { resourceTables } from './resource-tables.ts'
import { subscriptionKey } from './subscriptions.ts'

// Subscription management for operators. Resources stay with the tenant that created them, regardless of who owns the
// subscription: every key starts with the tenant.

export interface Binding {
  readonly id: string
  readonly tenant: string
  readonly since: Date
}

/** Idempotent for the same tenant. */
export async function bindSubscription(db: Db, clock: Clock, id: string, tenant: string): Promise<void> {
  const key = subscriptionKey(id)
  if (!/^[\w.@-]{1,100}$/.test(tenant))
    throw new Failure('invalid', 'A tenant name must be 1 to 100 letters, digits or . @ _ -')
  await db.run(sql`
    insert into icosa.subscriptions (key, tenant, created_at) values (${key}, ${tenant}, ${clock.now()})
    on conflict do nothing`)
  const owner = await ownerOf(db, key)
  if (owner !== tenant)
    throw new Failure('conflict', `'${id}' is bound to ${owner}: run \`icosa subscriptions release ${id}\` first.`)
}

export interface Released {
  readonly tenant: string
  /** Number of resources left behind. */
  readonly resources: number
}

/** Requires a transaction. Refuses while the tenant has resources there, unless forced. */
export async function releaseSubscription(db: Db, id: string, force: boolean): Promise<Released> {
  const key = subscriptionKey(id)
  const tenant = await ownerOf(db, key)
  if (tenant === undefined)
    throw new Failure(
      'notFound',
      `'${id}' is not bound to any tenant: \`icosa subscriptions list\` shows those that are.`,
    )
  const counts = await resourcesIn(db, key, tenant)
  const resources = counts.reduce((sum, { count }) => sum + count, 0)
  if (resources > 0 && !force)
    throw new Failure(
      'conflict',
      `${tenant} has ${counts.map(({ table, count }) => `${count} of ${table}`).join(', ')} in '${id}': delete them first, or add --force. They then keep working, but are unreachable until '${id}' is bound to ${tenant} again.`,
    )
  await db.run(sql`delete from icosa.subscriptions where key = ${key}`)
  return { tenant, resources }
}

export function listSubscriptions(db: ReadingDb, tenant?: string): Promise<Binding[]> {
  return db.many(sql`
    select key as id, tenant, created_at as since from icosa.subscriptions
    where ${tenant ?? null}::text is null or tenant = ${tenant ?? null} order by tenant, key limit 10000`)
}

/** Waits for transactions that create resources there. */
async function ownerOf(db: Db, key: string): Promise<string | undefined> {
  const row = await db.maybe<{ tenant: string }>(sql`
    select tenant from icosa.subscriptions where key = ${key} for update`)
  return row?.tenant
}

interface TableCount {
  readonly table: string
  readonly count: number
}

async function resourcesIn(db: ReadingDb, key: string, tenant: string): Promise<TableCount[]> {
  const counts: TableCount[] = []
  for (const table of await resourceTables(db)) {
    const { count } = await db.one<{ count: number }>(sql`
      select count(*)::int as count from ${raw(table)} where tenant = ${tenant} and subscription_key = ${key}`)
    if (count > 0) counts.push({ table, count })
  }
  return counts
}
