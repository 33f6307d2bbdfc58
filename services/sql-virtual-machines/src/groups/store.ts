import { keyOf } from '@icosa/dialects/arm/names'
import { type ListScope, pageInScope } from '@icosa/dialects/arm/page'
import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import { at, type InstanceStatus, instanceStatus, operableRows } from '../row-store.ts'
import type { State, Work } from '../work.ts'

export interface GroupScope {
  readonly subscriptionId: string
  readonly resourceGroupName: string
  readonly sqlVirtualMachineGroupName: string
}

export interface GroupRow extends GroupScope {
  readonly tenant: string
  readonly id: string
  readonly location: string
  readonly tags: Readonly<Record<string, string>>
  readonly offer: string
  readonly sku: 'Developer' | 'Enterprise'
  readonly secrets: Buffer
  readonly state: State
  readonly message: string | null
  readonly work: string
  readonly operation: string
  readonly createdAt: Date
  readonly monitor: InstanceStatus | null
}

const columns = sql`tenant, subscription as "subscriptionId", resource_group as "resourceGroupName",
  name as "sqlVirtualMachineGroupName", id, location, tags, offer, sku, secrets, state, message, work, operation,
  created_at as "createdAt",
  ${instanceStatus(sql`groups.id`)} as monitor`

const byName = (tenant: string, scope: GroupScope) => at(tenant, scope, scope.sqlVirtualMachineGroupName)
const rows = operableRows<GroupRow, GroupScope>(sql`sql_virtual_machines.groups`, columns, byName)
export const { begin, find, findById, findLocked, findWork, setTags, settle } = rows

export type NewGroup = Omit<GroupRow, 'message' | 'monitor'>

export async function insert(db: Db, row: NewGroup): Promise<GroupRow> {
  return db.one(sql`
    insert into sql_virtual_machines.groups (tenant, subscription_key, group_key, name_key, subscription, resource_group,
      name, id, location, tags, offer, sku, secrets, state, work, operation, created_at)
    values (${row.tenant}, ${keyOf(row.subscriptionId)}, ${keyOf(row.resourceGroupName)},
      ${keyOf(row.sqlVirtualMachineGroupName)}, ${row.subscriptionId}, ${row.resourceGroupName},
      ${row.sqlVirtualMachineGroupName}, ${row.id}, ${row.location}, ${JSON.stringify(row.tags)}, ${row.offer}, ${row.sku},
      ${row.secrets}, ${row.state}, ${row.work}, ${row.operation}, ${row.createdAt})
    returning ${columns}`)
}

/** Deletes its listeners as well. */
export async function remove(db: Db, { id, work }: Work): Promise<void> {
  await db.run(sql`
    delete from sql_virtual_machines.ports
    where owner in (select listener.id from sql_virtual_machines.listeners as listener where listener.cluster = ${id})`)
  await db.run(sql`delete from sql_virtual_machines.groups where id = ${id} and work = ${work}`)
}

export async function countMachines(db: ReadingDb, id: string): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from sql_virtual_machines.machines where cluster = ${id}`)
  return count
}

export function list(db: ReadingDb, tenant: string, scope: ListScope, token: string | undefined) {
  return pageInScope<GroupRow>(
    { kind: 'groups', tenant, scope, token },
    ({ sqlVirtualMachineGroupName }) => sqlVirtualMachineGroupName,
    (condition, limit) =>
      db.many(sql`
        select ${columns} from sql_virtual_machines.groups where ${condition} order by group_key, name_key limit ${limit}`),
  )
}
