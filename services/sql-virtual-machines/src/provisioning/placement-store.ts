import { type Db, Failure, lockName, sql } from '@icosa/kernel'
import type { Size } from '../sizes.ts'

export interface ToPlace {
  readonly id: string
  readonly tenant: string
  readonly kind: 'machine' | 'monitor'
  readonly cluster: string | null
  readonly size: Size
  readonly sizeName: string
  /** That the caller wants; otherwise one is chosen. */
  readonly port: number | undefined
}

interface Candidate {
  readonly id: string
  readonly problem: string | null
  readonly firstPort: number
  readonly lastPort: number
  readonly freeMemory: number
  readonly freeDisk: number
  readonly mates: number
}

/** Until the transaction ends, nothing else in the cell takes room or a port. */
const lockPlacement = (db: Db) => lockName(db, 'sql-virtual-machines placement')

/**
 * Finds a node that lives and has room, if possible one on which nothing of the same group is, and takes the room. One after
 * another in a cell, so that none is given away twice.
 */
export async function place(db: Db, wanted: ToPlace): Promise<void> {
  await lockPlacement(db)
  // One that has its place already, and failed there, tries again at once.
  const again = sql`update sql_virtual_machines.instances set restart = restart + 1 where id = ${wanted.id} and phase = 'Failed'`
  await db.run(again)
  if (await db.maybe(sql`select from sql_virtual_machines.instances where id = ${wanted.id}`)) return
  const all = await candidates(db, wanted.cluster)
  const { memoryBytes, diskBytes } = wanted.size
  const fitting = all.filter(
    ({ problem, freeMemory, freeDisk }) => problem === null && freeMemory >= memoryBytes && freeDisk >= diskBytes,
  )
  const [best] = fitting.toSorted((a, b) => a.mates - b.mates || b.freeMemory - a.freeMemory)
  if (!best) noRoom(all, wanted.size)
  const port = await takePort(db, wanted.id, wanted.port, best)
  await db.run(sql`
    insert into sql_virtual_machines.instances (id, tenant, kind, cluster, host, port, size, memory_bytes, disk_bytes)
    values (${wanted.id}, ${wanted.tenant}, ${wanted.kind}, ${wanted.cluster}, ${best.id}, ${port}, ${wanted.sizeName},
      ${memoryBytes}, ${diskBytes})`)
}

/**
 * Another port for an instance that has not run yet, where a program that is not ours has the one it was given. It keeps that
 * one, too, so that nobody is given it next.
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
      count(*) filter (where i.cluster = ${cluster}::uuid)::int as mates
    from sql_virtual_machines.hosts as h left join sql_virtual_machines.instances as i on i.host = h.id
    where h.expires_at > clock_timestamp() group by h.id order by h.id`)
}

function noRoom(all: readonly Candidate[], { memoryBytes, diskBytes }: Size): never {
  const refuse = (message: string): never => {
    throw new Failure('conflict', message, { code: 'NoRoom' })
  }
  if (all.length === 0) refuse('No node offers room for machines: the operator starts one with ICOSA_MACHINES=true.')
  const problem = all.find((one) => one.problem !== null)?.problem
  if (problem && all.every((one) => one.problem !== null)) refuse(`No node can run machines: ${problem}`)
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

/** A port is one owner's in the whole cell. */
export async function takePort(db: Db, owner: string, wanted: number | undefined, range: Range): Promise<number> {
  await lockPlacement(db) // or two take the lowest free port, and the second is told that there is none
  const { firstPort, lastPort } = range
  const asked = wanted ?? null
  const row = await db.maybe<{ port: number }>(sql`
    insert into sql_virtual_machines.ports (port, owner)
    select port, ${owner} from generate_series(${firstPort}::int, ${lastPort}::int) as series (port)
    where (${asked}::int is null or port = ${asked}::int)
      and not exists (select from sql_virtual_machines.ports as taken where taken.port = series.port)
    order by port limit 1
    on conflict do nothing returning port`)
  if (row) return row.port
  if (wanted === undefined)
    throw new Failure(
      'conflict',
      `All ports from ${firstPort} to ${lastPort} are in use. Ask the operator to extend ICOSA_MACHINES_PORTS.`,
      { code: 'NoPort' },
    )
  const isOutside = wanted < firstPort || wanted > lastPort
  throw new Failure(
    'conflict',
    isOutside
      ? `Port ${wanted} cannot be used: choose one from ${firstPort} to ${lastPort}, or leave it out.`
      : `Port ${wanted} is taken: choose another one from ${firstPort} to ${lastPort}, or leave it out.`,
    { code: 'PortNotAvailable' },
  )
}

/** The ports that every living host has. */
export async function portRange(db: Db): Promise<Range> {
  const row = await db.one<{ firstPort: number | null; lastPort: number | null }>(sql`
    select max(first_port) as "firstPort", min(last_port) as "lastPort" from sql_virtual_machines.hosts
    where expires_at > clock_timestamp()`)
  if (row.firstPort === null || row.lastPort === null)
    throw new Failure(
      'conflict',
      'No node offers room for machines: the operator starts one with ICOSA_MACHINES=true.',
      {
        code: 'NoRoom',
      },
    )
  return { firstPort: row.firstPort, lastPort: row.lastPort }
}
