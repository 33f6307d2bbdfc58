import { keyOf } from '@icosa/dialects/arm/names'
import { type ListScope, pageInScope } from '@icosa/dialects/arm/page'
import { type Db, type ReadingDb, readPage, sql } from '@icosa/kernel'
import type { ImageSku } from '../api/contract.ts'
import { at, type InstanceStatus, instanceStatus, operableRows } from '../row-store.ts'
import type { State, Work } from '../work.ts'
import type { Settings } from './choices.ts'
import type { License, Management } from './contract.ts'

export interface MachineScope {
  readonly subscriptionId: string
  readonly resourceGroupName: string
  readonly sqlVirtualMachineName: string
}

export interface MachineRow extends MachineScope {
  readonly tenant: string
  readonly id: string
  readonly cluster: string | null
  /** The name of its group, in the caller's spelling. */
  readonly groupName: string | null
  readonly groupScope: { readonly subscriptionId: string; readonly resourceGroupName: string } | null
  readonly location: string
  readonly tags: Readonly<Record<string, string>>
  readonly virtualMachine: string | null
  readonly license: License | null
  readonly management: Management
  readonly offer: string
  readonly sku: ImageSku
  readonly settings: Settings
  readonly secrets: Buffer
  readonly state: State
  readonly message: string | null
  readonly work: string
  readonly operation: string
  readonly createdAt: Date
  readonly patchedAt: Date | null
  /** When the settings of automatic backups were last changed; null: not since creation. */
  readonly backupsSetAt: Date | null
  readonly instance: InstanceStatus | null
}

const columns = sql`tenant, subscription as "subscriptionId", resource_group as "resourceGroupName",
  name as "sqlVirtualMachineName", id, cluster, location, tags, virtual_machine as "virtualMachine", license, management,
  offer, sku, settings, secrets, state, message, work, operation, created_at as "createdAt", patched_at as "patchedAt",
  backups_set_at as "backupsSetAt",
  (select g.name from sql_virtual_machines.groups as g where g.id = machines.cluster) as "groupName",
  (select jsonb_build_object('subscriptionId', g.subscription, 'resourceGroupName', g.resource_group)
    from sql_virtual_machines.groups as g where g.id = machines.cluster) as "groupScope",
  ${instanceStatus(sql`machines.id`)} as instance`

const byName = (tenant: string, scope: MachineScope) => at(tenant, scope, scope.sqlVirtualMachineName)
const rows = operableRows<MachineRow, MachineScope>(sql`sql_virtual_machines.machines`, columns, byName)
export const { begin, find, findById, findLocked, findWork, setTags, settle } = rows

export type NewMachine = Omit<
  MachineRow,
  'groupName' | 'groupScope' | 'message' | 'patchedAt' | 'backupsSetAt' | 'instance' | 'tags'
> & { readonly tags: Readonly<Record<string, string>> }

export async function insert(db: Db, row: NewMachine): Promise<MachineRow> {
  await db.run(sql`
    insert into sql_virtual_machines.machines (tenant, subscription_key, group_key, name_key, subscription,
      resource_group, name, id, cluster, location, tags, virtual_machine, license, management, offer, sku, settings, secrets,
      state, work, operation, created_at)
    values (${row.tenant}, ${keyOf(row.subscriptionId)}, ${keyOf(row.resourceGroupName)},
      ${keyOf(row.sqlVirtualMachineName)}, ${row.subscriptionId}, ${row.resourceGroupName}, ${row.sqlVirtualMachineName},
      ${row.id}, ${row.cluster}, ${row.location}, ${JSON.stringify(row.tags)}, ${row.virtualMachine}, ${row.license},
      ${row.management}, ${row.offer}, ${row.sku}, ${JSON.stringify(row.settings)}, ${row.secrets}, ${row.state}, ${row.work},
      ${row.operation}, ${row.createdAt})`)
  return db.one(sql`select ${columns} from sql_virtual_machines.machines where id = ${row.id}`)
}

export type Changes = Pick<MachineRow, 'tags' | 'virtualMachine' | 'license' | 'management' | 'settings' | 'secrets'>

export async function setChoices(db: Db, { id }: MachineRow, to: Changes, now: Date): Promise<MachineRow | undefined> {
  const settings = JSON.stringify(to.settings)
  return rows.change(
    db,
    id,
    sql`tags = ${JSON.stringify(to.tags)}, virtual_machine = ${to.virtualMachine}, license = ${to.license},
      management = ${to.management}, settings = ${settings}, secrets = ${to.secrets},
      backups_set_at = case when settings -> 'autoBackupSettings'
        is distinct from ${settings}::jsonb -> 'autoBackupSettings' then ${now} else backups_set_at end`,
  )
}

export async function remove(db: Db, { id, work }: Work): Promise<void> {
  await db.run(sql`delete from sql_virtual_machines.machines where id = ${id} and work = ${work}`)
}

export function list(db: ReadingDb, tenant: string, scope: ListScope, token: string | undefined) {
  return pageInScope<MachineRow>(
    { kind: 'machines', tenant, scope, token },
    ({ sqlVirtualMachineName }) => sqlVirtualMachineName,
    (condition, limit) =>
      db.many(sql`
        select ${columns} from sql_virtual_machines.machines where ${condition} order by group_key, name_key limit ${limit}`),
  )
}

export function listOfGroup(db: ReadingDb, tenant: string, cluster: string, token: string | undefined) {
  return readPage<MachineRow>(
    { limit: 100, token, query: ['machines of', tenant, cluster], at: 'query/$skipToken' },
    ({ sqlVirtualMachineName, id }) => [keyOf(sqlVirtualMachineName), id],
    ([name, id] = ['', '00000000-0000-0000-0000-000000000000'], limit) =>
      db.many(sql`
        select ${columns} from sql_virtual_machines.machines
        where cluster = ${cluster} and tenant = ${tenant} and (name_key, id) > (${name}, ${id}::uuid)
        order by name_key, id limit ${limit}`),
  )
}

/** Machines with this automation enabled. */
export function withSetting(db: ReadingDb, name: 'autoPatchingSettings' | 'autoBackupSettings'): Promise<MachineRow[]> {
  return db.many(sql`
    select ${columns} from sql_virtual_machines.machines
    where settings -> ${name} ->> 'enable' = 'true' and state = 'Succeeded' order by cluster, name_key`)
}

export async function setPatched(db: Db, id: string, at: Date): Promise<void> {
  await db.run(sql`update sql_virtual_machines.machines set patched_at = ${at} where id = ${id}`)
}

/** Groups with a running operation, or with a machine that is not running. */
export async function busyClusters(db: ReadingDb): Promise<string[]> {
  const rows = await db.many<{ cluster: string }>(sql`
    select distinct m.cluster from sql_virtual_machines.machines as m
    left join sql_virtual_machines.instances as i on i.id = m.id
    where m.cluster is not null and (m.state <> 'Succeeded' or i.phase is distinct from 'Running')`)
  return rows.map(({ cluster }) => cluster)
}
