import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import type { AccountName } from './email.ts'

export interface AccountRow extends AccountName {
  readonly permissions: readonly string[]
  readonly createdAt: Date
}

const columns = sql`project, name, permissions, created_at as "createdAt"`

/** False if another tenant has an account with this address. An existing account gets the new permissions. */
export async function put(db: Db, tenant: string, row: AccountRow): Promise<boolean> {
  const { project, name, permissions, createdAt } = row
  const changed = await db.run(sql`
    insert into functions.service_accounts as a (tenant, project, name, permissions, created_at)
    values (${tenant}, ${project}, ${name}, ${permissions}, ${createdAt})
    on conflict (project, name) do update set permissions = excluded.permissions where a.tenant = ${tenant}`)
  return changed > 0
}

export function find(db: ReadingDb, tenant: string, { project, name }: AccountName): Promise<AccountRow | undefined> {
  return db.point(sql`
    select ${columns} from functions.service_accounts
    where tenant = ${tenant} and project = ${project} and name = ${name}`)
}

export function list(db: ReadingDb, tenant: string): Promise<AccountRow[]> {
  return db.many(sql`
    select ${columns} from functions.service_accounts where tenant = ${tenant} order by project, name limit 1000`)
}

/** False if there is no such account. */
export async function remove(db: Db, tenant: string, { project, name }: AccountName): Promise<boolean> {
  const removed = await db.run(sql`
    delete from functions.service_accounts where tenant = ${tenant} and project = ${project} and name = ${name}`)
  return removed > 0
}
