import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import type { ObstacleKind } from './obstacle.ts'

export interface HostRow {
  readonly id: string
  readonly address: string
  readonly memoryBytes: number
  readonly diskBytes: number
  readonly firstPort: number
  readonly lastPort: number
  readonly problem: string | null
}

const leaseSeconds = 10
const expiry = sql`clock_timestamp() + make_interval(secs => ${leaseSeconds})`

/** Acquires or renews the lease on a host's folder. Returns false while another process has it. */
export async function renewLease(db: Db, host: HostRow, holder: string): Promise<boolean> {
  const { id, address, memoryBytes, diskBytes, firstPort, lastPort, problem } = host
  return (
    (await db.run(sql`
      insert into sql_virtual_machines.hosts as h (id, address, memory_bytes, disk_bytes, first_port, last_port, problem,
        holder, expires_at)
      values (${id}, ${address}, ${memoryBytes}, ${diskBytes}, ${firstPort}, ${lastPort}, ${problem}, ${holder}, ${expiry})
      on conflict (id) do update set address = excluded.address, memory_bytes = excluded.memory_bytes,
        disk_bytes = excluded.disk_bytes, first_port = excluded.first_port, last_port = excluded.last_port,
        problem = excluded.problem, holder = excluded.holder, expires_at = excluded.expires_at
      where h.holder = excluded.holder or h.expires_at < clock_timestamp()`)) > 0
  )
}

/** Releases the lease, so that the next process need not wait. */
export async function release(db: Db, id: string, holder: string): Promise<void> {
  await db.run(sql`
    update sql_virtual_machines.hosts set expires_at = clock_timestamp() where id = ${id} and holder = ${holder}`)
}

export type Phase = 'Placed' | 'Starting' | 'Running' | 'Failed'
export type Role = 'Primary' | 'Secondary'

export interface InstanceRow {
  readonly id: string
  readonly tenant: string
  readonly kind: 'machine' | 'monitor'
  readonly cluster: string | null
  readonly host: string
  readonly port: number
  readonly size: string
  readonly isWanted: boolean
  readonly restart: number
  readonly restarted: number
  readonly phase: Phase
  readonly role: Role | null
  readonly message: string | null
  readonly obstacle: ObstacleKind | null
}

const columns = sql`id, tenant, kind, cluster, host, port, size, is_wanted as "isWanted", restart, restarted, phase, role,
  message, obstacle`

export async function onHost(db: ReadingDb, host: string): Promise<InstanceRow[]> {
  return db.many(
    sql`select ${columns} from sql_virtual_machines.instances where host = ${host} order by created_at, id`,
  )
}

export async function find(db: ReadingDb, id: string): Promise<InstanceRow | undefined> {
  return db.maybe(sql`select ${columns} from sql_virtual_machines.instances where id = ${id}`)
}

export interface PlacedInstance extends InstanceRow {
  readonly address: string
}

/** An instance with its address. */
export async function findPlaced(db: ReadingDb, id: string): Promise<PlacedInstance | undefined> {
  return db.maybe(sql`
    select ${columns}, (select address from sql_virtual_machines.hosts as h where h.id = host) as address
    from sql_virtual_machines.instances where id = ${id}`)
}

/** The machines of a group, oldest first: the first one is initialized, the others copy. */
export async function membersOf(db: ReadingDb, cluster: string): Promise<PlacedInstance[]> {
  return db.many(sql`
    select ${columns}, (select address from sql_virtual_machines.hosts as h where h.id = host) as address
    from sql_virtual_machines.instances where cluster = ${cluster} and kind = 'machine' order by created_at, id`)
}

export interface Report {
  readonly phase: Phase
  readonly role?: Role | null
  readonly message: string | null
  readonly obstacle?: ObstacleKind | null
  readonly restarted?: number
}

export async function report(db: Db, id: string, status: Report): Promise<void> {
  const { phase, role = null, message, obstacle = null, restarted } = status
  await db.run(sql`
    update sql_virtual_machines.instances set phase = ${phase}, role = ${role}, message = ${message},
      obstacle = ${obstacle}, restarted = coalesce(${restarted ?? null}, restarted), updated_at = clock_timestamp()
    where id = ${id}`)
}

/** After all of it was deleted on the host. */
export async function remove(db: Db, id: string): Promise<void> {
  await db.run(sql`delete from sql_virtual_machines.ports where owner = ${id}`)
  await db.run(sql`delete from sql_virtual_machines.instances where id = ${id}`)
}

export async function request(db: Db, id: string, action: 'restart' | 'remove'): Promise<void> {
  await db.run(
    action === 'restart'
      ? sql`update sql_virtual_machines.instances set restart = restart + 1 where id = ${id}`
      : sql`update sql_virtual_machines.instances set is_wanted = false where id = ${id}`,
  )
}

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

export function releasePorts(db: Db, tenant: string): Promise<number> {
  return db.run(sql`
    delete from sql_virtual_machines.ports where owner in (
      select id from sql_virtual_machines.listeners where tenant = ${tenant}
      union all select id from sql_virtual_machines.instances where tenant = ${tenant})`)
}
