import { type Db, sql } from '@icosa/kernel'

const peopleOf = (tenant: string) => sql`select id from identity_connect.people where tenant = ${tenant}`
const clientsOf = (tenant: string) => sql`select id from identity_connect.clients where tenant = ${tenant}`

/** The users and clients of a tenant, whose tokens are revoked. */
export async function subjectsOf(db: Db, tenant: string): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`${peopleOf(tenant)} union all ${clientsOf(tenant)}`)
  return rows.map(({ id }) => id)
}

/** Removes rows of the tenant's users and clients, including those of other tenants' users with these clients. */
export async function removeRows(db: Db, tenant: string): Promise<number> {
  const artifacts = await db.run(sql`
    delete from identity_connect.artifacts
    where account_id in (${peopleOf(tenant)}) or client_id in (${clientsOf(tenant)})`)
  const consents = await db.run(sql`
    delete from identity_connect.consents where client_id in (${clientsOf(tenant)})`)
  const invitations = await db.run(sql`
    delete from identity_connect.links where invitation ->> 'tenant' = ${tenant}`)
  return artifacts + consents + invitations
}
