import { type Db, type ReadingDb, sql } from '@icosa/kernel'

export interface Approval {
  /** The tenant whose users may grant the client a platform token; `*` for all. */
  readonly tenant: string
  readonly clientId: string
  readonly approvedAt: Date
}

export async function add(db: Db, { tenant, clientId, approvedAt }: Approval): Promise<void> {
  await db.run(sql`
    insert into identity_connect.approvals (tenant, client_id, approved_at) values (${tenant}, ${clientId}, ${approvedAt})
    on conflict (tenant, client_id) do nothing`)
}

/** Returns the number of approvals removed. */
export function remove(db: Db, clientId: string, tenant: string | undefined): Promise<number> {
  return db.run(sql`
    delete from identity_connect.approvals
    where client_id = ${clientId} and tenant = coalesce(${tenant ?? null}::text, tenant)`)
}

export interface ListedApproval extends Approval {
  readonly clientName: string | null
  /** The tenant that registered it. */
  readonly owner: string
}

export function list(db: ReadingDb, tenant: string | undefined): Promise<ListedApproval[]> {
  return db.many(sql`
    select a.tenant, a.client_id as "clientId", a.approved_at as "approvedAt", c.tenant as owner,
      c.metadata ->> 'client_name' as "clientName"
    from identity_connect.approvals a join identity_connect.clients c on c.id = a.client_id
    where a.tenant = coalesce(${tenant ?? null}::text, a.tenant) order by a.tenant, a.client_id limit 1000`)
}

/** Whether the user's tenant has approved the client; before sign-in, whether any tenant has. */
export async function isApproved(db: ReadingDb, clientId: string, person: string | undefined): Promise<boolean> {
  const { approved } = await db.one<{ approved: boolean }>(sql`
    select exists (
      select from identity_connect.approvals where client_id = ${clientId} and (${person ?? null}::text is null
        or tenant in ('*', (select tenant from identity_connect.people where id = ${person ?? null})))) as approved`)
  return approved
}
