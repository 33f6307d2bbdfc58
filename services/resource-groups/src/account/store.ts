import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import type { AccountSettings } from './contract.ts'

export interface Account {
  readonly desired: AccountSettings['GroupLifecycleEventsDesiredStatus']
  readonly status: AccountSettings['GroupLifecycleEventsStatus']
  readonly message: string | null
}

const columns = sql`desired, status, message`

export function find(db: ReadingDb, tenant: string): Promise<Account | undefined> {
  return db.maybe(sql`select ${columns} from resource_groups.accounts where tenant = ${tenant}`)
}

export function setDesired(db: Db, tenant: string, desired: Account['desired']): Promise<Account> {
  return db.one(sql`
    insert into resource_groups.accounts (tenant, desired, status) values (${tenant}, ${desired}, 'IN_PROGRESS')
    on conflict (tenant) do update set desired = excluded.desired, status = excluded.status, message = null
    returning ${columns}`)
}

/** Does nothing if the desired status has changed in the meantime. */
export async function settle(db: Db, tenant: string, desired: Account['desired']): Promise<void> {
  await db.run(sql`
    update resource_groups.accounts set status = desired
    where tenant = ${tenant} and desired = ${desired} and status = 'IN_PROGRESS'`)
}

export async function fail(db: Db, tenant: string, message: string): Promise<void> {
  await db.run(sql`
    update resource_groups.accounts set status = 'ERROR', message = ${message}
    where tenant = ${tenant} and status = 'IN_PROGRESS'`)
}

/** Marks and returns the next tenants with events on, except those being compared already. */
export async function startComparing(db: Db, after: string, limit: number): Promise<string[]> {
  const rows = await db.many<{ tenant: string }>(sql`
    with started as (
      update resource_groups.accounts set looking = true where tenant in (
        select tenant from resource_groups.accounts where status = 'ACTIVE' and not looking and tenant > ${after}
        order by tenant limit ${limit} for update)
      returning tenant)
    select tenant from started order by tenant`)
  return rows.map(({ tenant }) => tenant)
}

export async function stopComparing(db: Db, tenant: string): Promise<void> {
  await db.run(sql`update resource_groups.accounts set looking = false where tenant = ${tenant}`)
}
