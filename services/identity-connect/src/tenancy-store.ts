import { type Db, sql } from '@icosa/kernel'

const peopleOf = (tenant: string) => sql`select id from identity_connect.people where tenant = ${tenant}`
const clientsOf = (tenant: string) => sql`select id from identity_connect.clients where tenant = ${tenant}`

/** Whose tokens end: the people and the applications of a tenant. */
export async function subjectsOf(db: Db, tenant: string): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`${peopleOf(tenant)} union all ${clientsOf(tenant)}`)
  return rows.map(({ id }) => id)
}

/** Of people and applications of the tenant, and what people of others have with these applications. */
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
