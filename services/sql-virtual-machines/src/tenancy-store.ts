import { type Db, type ReadingDb, sql } from '@icosa/kernel'

/** Requests the removal of a tenant's machines. */
export async function requestRemoval(db: Db, tenant: string): Promise<void> {
  await db.run(sql`update sql_virtual_machines.instances set is_wanted = false where tenant = ${tenant}`)
}

/** Nodes with remaining machines of a tenant, and whether they are alive. */
export function hostsOf(db: ReadingDb, tenant: string): Promise<{ address: string; isAlive: boolean }[]> {
  return db.many(sql`
    select distinct h.address, h.expires_at > clock_timestamp() as "isAlive"
    from sql_virtual_machines.instances as i join sql_virtual_machines.hosts as h on h.id = i.host
    where i.tenant = ${tenant} order by 1`)
}

export function removeRows(db: Db, tenant: string): Promise<number> {
  return db.run(sql`
    delete from sql_virtual_machines.ports where owner in (
      select id from sql_virtual_machines.listeners where tenant = ${tenant}
      union all select id from sql_virtual_machines.instances where tenant = ${tenant})`)
}
