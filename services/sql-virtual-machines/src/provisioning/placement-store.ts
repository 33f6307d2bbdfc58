import { type Db, Failure, lockName, sql } from '@icosa/kernel'
import type { Size } from '../sizes.ts'

export interface NewInstance {
  readonly id: string
  readonly tenant: string
  readonly kind: 'machine' | 'monitor'
  readonly cluster: string | null
  readonly size: Size
  readonly sizeName: string
  /** Requested by the caller; undefined: any free one. */
  readonly port: number | undefined
}

interface Candidate {
  readonly id: string
  readonly problem: string | null
  readonly firstPort: number
  readonly lastPort: number
  readonly freeMemory: number
  readonly freeDisk: number
  readonly groupMembers: number
}

/** Serializes placement and port allocation in the cell until the transaction ends. */
const lockPlacement = (db: Db) => lockName(db, 'sql-virtual-machines placement')

/**
 * Reserves capacity for an instance on a live node, preferably one without an instance of the same group. Serialized in the cell,
 * so that no capacity is reserved twice.
 */
export async function place(db: Db, instance: NewInstance): Promise<void> {
  await lockPlacement(db)
  // An instance that was placed and has failed is retried immediately.
  const retry = sql`update sql_virtual_machines.instances set restart = restart + 1 where id = ${instance.id} and phase = 'Failed'`
  await db.run(retry)
  if (await db.maybe(sql`select from sql_virtual_machines.instances where id = ${instance.id}`)) return
  const hosts = await candidates(db, instance.cluster)
  const { memoryBytes, diskBytes } = instance.size
  const fitting = hosts.filter(
    ({ problem, freeMemory, freeDisk }) => problem === null && freeMemory >= memoryBytes && freeDisk >= diskBytes,
  )
  const [best] = fitting.toSorted((a, b) => a.groupMembers - b.groupMembers || b.freeMemory - a.freeMemory)
  if (!best) noRoom(hosts, instance.size)
  const port = await takePort(db, instance.id, instance.port, best)
  await db.run(sql`
    insert into sql_virtual_machines.instances (id, tenant, kind, cluster, host, port, size, memory_bytes, disk_bytes)
    values (${instance.id}, ${instance.tenant}, ${instance.kind}, ${instance.cluster}, ${best.id}, ${port}, ${instance.sizeName},
      ${memoryBytes}, ${diskBytes})`)
}

/**
 * Assigns another port to an instance that has not run yet, if another program uses its port. It keeps that one as well, so that
 * no other instance gets it.
 */
export async function takeAnotherPort(db: Db, id: string): Promise<void> {
  await lockPlacement(db)
  const range = await db.one<Range>(sql`
    select h.first_port as "firstPort", h.last_port as "lastPort"
    from sql_virtual_machines.instances as i join sql_virtual_machines.hosts as h on h.id = i.host where i.id = ${id}`)
  const port = await takePort(db, id, undefined, range)
  await db.run(sql`
    update sql_virtual_machines.instances set port = ${port}, restart = restart + 1 where id = ${id}`)
}

function candidates(db: Db, cluster: string | null): Promise<Candidate[]> {
  return db.many(sql`
    select h.id, h.problem, h.first_port as "firstPort", h.last_port as "lastPort",
      (h.memory_bytes - coalesce(sum(i.memory_bytes), 0))::float8 as "freeMemory",
      (h.disk_bytes - coalesce(sum(i.disk_bytes), 0))::float8 as "freeDisk",
      count(*) filter (where i.cluster = ${cluster}::uuid)::int as "groupMembers"
    from sql_virtual_machines.hosts as h left join sql_virtual_machines.instances as i on i.host = h.id
    where h.expires_at > clock_timestamp() group by h.id order by h.id`)
}

function noRoom(hosts: readonly Candidate[], { memoryBytes, diskBytes }: Size): never {
  const refuse = (message: string): never => {
    throw new Failure('conflict', message, { code: 'NoRoom' })
  }
  if (hosts.length === 0)
    refuse('No node offers capacity for machines: ask the operator to start one with ICOSA_MACHINES=true.')
  const problem = hosts.find((host) => host.problem !== null)?.problem
  if (problem && hosts.every((host) => host.problem !== null)) refuse(`No node can run machines: ${problem}`)
  const needed = `${Math.ceil(memoryBytes / 1024 ** 2)} MB of memory and ${Math.ceil(diskBytes / 1024 ** 3)} GB of disk`
  refuse(
    `No node has room for ${needed}: delete a machine, choose a smaller sqlImageSku, or have the operator add a node.`,
  )
  throw new Error('unreachable')
}

interface Range {
  readonly firstPort: number
  readonly lastPort: number
}

/** Allocates a port, which is unique in the cell. */
export async function takePort(db: Db, owner: string, requested: number | undefined, range: Range): Promise<number> {
  await lockPlacement(db) // otherwise two could select the lowest free port, and the second would fail
  const { firstPort, lastPort } = range
  const requestedPort = requested ?? null
  const row = await db.maybe<{ port: number }>(sql`
    insert into sql_virtual_machines.ports (port, owner)
    select port, ${owner} from generate_series(${firstPort}::int, ${lastPort}::int) as series (port)
    where (${requestedPort}::int is null or port = ${requestedPort}::int)
      and not exists (select from sql_virtual_machines.ports as taken where taken.port = series.port)
    order by port limit 1
    on conflict do nothing returning port`)
  if (row) return row.port
  if (requested === undefined)
    throw new Failure(
      'conflict',
      `All ports from ${firstPort} to ${lastPort} are in use. Ask the operator to extend ICOSA_MACHINES_PORTS.`,
      { code: 'NoPort' },
    )
  const isOutside = requested < firstPort || requested > lastPort
  throw new Failure(
    'conflict',
    isOutside
      ? `Port ${requested} cannot be used: choose one from ${firstPort} to ${lastPort}, or leave it out.`
      : `Port ${requested} is in use: choose another one from ${firstPort} to ${lastPort}, or leave it out.`,
    { code: 'PortNotAvailable' },
  )
}

/** The ports that all live nodes have in common. */
export async function portRange(db: Db): Promise<Range> {
  const row = await db.one<{ firstPort: number | null; lastPort: number | null }>(sql`
    select max(first_port) as "firstPort", min(last_port) as "lastPort" from sql_virtual_machines.hosts
    where expires_at > clock_timestamp()`)
  if (row.firstPort === null || row.lastPort === null)
    throw new Failure(
      'conflict',
      'No node offers capacity for machines: ask the operator to start one with ICOSA_MACHINES=true.',
      {
        code: 'NoRoom',
      },
    )
  return { firstPort: row.firstPort, lastPort: row.lastPort }
}
