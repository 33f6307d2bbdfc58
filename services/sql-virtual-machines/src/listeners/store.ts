import { keyOf } from '@icosa/dialects/arm/names'
import { type Db, type ReadingDb, readPage, sql } from '@icosa/kernel'
import type { MachineScope } from '../machines/store.ts'

export interface ListenerRow {
  readonly tenant: string
  readonly cluster: string
  readonly name: string
  readonly id: string
  readonly availabilityGroup: string | null
  readonly port: number
  readonly probePort: number | null
  /** Ids of machines; empty: all of the group. */
  readonly members: readonly string[]
  readonly createdAt: Date
  readonly machines: readonly MachineScope[]
  readonly openings: readonly { readonly address: string; readonly problem: string | null }[]
}

const columns = sql`tenant, cluster, name, id, availability_group as "availabilityGroup", port, probe_port as "probePort",
  members, created_at as "createdAt",
  (select coalesce(jsonb_agg(jsonb_build_object('subscriptionId', m.subscription, 'resourceGroupName', m.resource_group,
      'sqlVirtualMachineName', m.name) order by m.name_key), '[]')
    from sql_virtual_machines.machines as m where m.id::text = any (listeners.members)) as machines,
  (select coalesce(jsonb_agg(jsonb_build_object('address', h.address, 'problem', o.problem) order by h.address), '[]')
    from sql_virtual_machines.openings as o join sql_virtual_machines.hosts as h on h.id = o.host
    where o.listener = listeners.id and h.expires_at > clock_timestamp()) as openings`

export function find(db: ReadingDb, tenant: string, cluster: string, name: string): Promise<ListenerRow | undefined> {
  return db.maybe(sql`
    select ${columns} from sql_virtual_machines.listeners
    where tenant = ${tenant} and cluster = ${cluster} and name_key = ${keyOf(name)}`)
}

export function findById(db: ReadingDb, id: string): Promise<ListenerRow | undefined> {
  return db.maybe(sql`select ${columns} from sql_virtual_machines.listeners where id = ${id}`)
}

export async function insert(db: Db, row: Omit<ListenerRow, 'openings' | 'machines'>): Promise<ListenerRow> {
  return db.one(sql`
    insert into sql_virtual_machines.listeners (tenant, cluster, name_key, name, id, availability_group, port, probe_port,
      members, created_at)
    values (${row.tenant}, ${row.cluster}, ${keyOf(row.name)}, ${row.name}, ${row.id}, ${row.availabilityGroup}, ${row.port},
      ${row.probePort}, ${row.members}, ${row.createdAt})
    returning ${columns}`)
}

export type Changes = Pick<ListenerRow, 'availabilityGroup' | 'port' | 'probePort' | 'members'>

export async function change(db: Db, id: string, to: Changes): Promise<ListenerRow> {
  await db.run(sql`delete from sql_virtual_machines.openings where listener = ${id}`)
  return db.one(sql`
    update sql_virtual_machines.listeners set availability_group = ${to.availabilityGroup}, port = ${to.port},
      probe_port = ${to.probePort}, members = ${to.members}
    where id = ${id} returning ${columns}`)
}

export async function remove(db: Db, id: string): Promise<void> {
  await freePorts(db, id)
  await db.run(sql`delete from sql_virtual_machines.listeners where id = ${id}`)
}

export async function freePorts(db: Db, id: string): Promise<void> {
  await db.run(sql`delete from sql_virtual_machines.ports where owner = ${id}`)
}

export function list(db: ReadingDb, tenant: string, cluster: string, token: string | undefined) {
  return readPage<ListenerRow>(
    { limit: 100, token, query: ['listeners', tenant, cluster], at: 'query/$skipToken' },
    ({ name }) => [keyOf(name)],
    ([after] = [''], limit) =>
      db.many(sql`
        select ${columns} from sql_virtual_machines.listeners
        where tenant = ${tenant} and cluster = ${cluster} and name_key > ${String(after)} order by name_key limit ${limit}`),
  )
}

/** A listener, for the nodes that open it. */
export interface OpenListener {
  readonly id: string
  readonly cluster: string
  readonly port: number
  readonly probePort: number | null
  /** Addresses of its machines; null: all of the group. */
  readonly members: readonly { readonly host: string; readonly port: number }[] | null
}

export function allListeners(db: ReadingDb): Promise<OpenListener[]> {
  return db.many(sql`
    select l.id, l.cluster, l.port, l.probe_port as "probePort",
      case when l.members = '{}' then null else
        (select coalesce(jsonb_agg(jsonb_build_object('host', h.address, 'port', i.port)), '[]')
          from sql_virtual_machines.instances as i join sql_virtual_machines.hosts as h on h.id = i.host
          where i.id::text = any (l.members)) end as members
    from sql_virtual_machines.listeners as l order by l.id`)
}

export async function setOpening(db: Db, listener: string, host: string, problem: string | null): Promise<void> {
  await db.run(sql`
    insert into sql_virtual_machines.openings (listener, host, problem)
    select id, ${host}, ${problem} from sql_virtual_machines.listeners where id = ${listener}
    on conflict (listener, host) do update set problem = excluded.problem`)
}

/** Whether a live node could open a listener. */
export async function hasHosts(db: ReadingDb): Promise<boolean> {
  const row = await db.maybe(sql`
    select from sql_virtual_machines.hosts where expires_at > clock_timestamp() and problem is null limit 1`)
  return row !== undefined
}
