import { join } from 'node:path'
import type { Size } from '../sizes.ts'
import { type Folders, writeOwn } from './folders.ts'
import { type Programs, socketFolder } from './programs.ts'

export type Workload = 'GENERAL' | 'OLTP' | 'DW'

/** The PostgreSQL configuration of an instance. */
export interface Configuration {
  readonly port: number
  readonly size: Size
  readonly workload: Workload
  /** The address on which it accepts connections. */
  readonly listen: string
  readonly kind: 'machine' | 'member' | 'monitor'
}

const megabytes = (bytes: number) => `${Math.max(1, Math.floor(bytes / 1024 ** 2))}MB`

/** Share of memory for sorting, and planner settings. */
const workloads: Readonly<Record<Workload, { readonly share: number; readonly lines: readonly string[] }>> = {
  GENERAL: { share: 1, lines: [] },
  OLTP: { share: 0.5, lines: ['random_page_cost = 1.1', 'checkpoint_completion_target = 0.9'] },
  DW: { share: 8, lines: ['default_statistics_target = 500', 'enable_partitionwise_aggregate = on'] },
}

export function linesOf({ port, size, workload, listen, kind }: Configuration, sockets: string): string[] {
  const { share, lines } = workloads[workload]
  const { memoryBytes, connections } = size
  return [
    `port = ${port}`,
    `listen_addresses = '${listen}'`,
    `unix_socket_directories = '${sockets}'`,
    'unix_socket_permissions = 0700',
    "password_encryption = 'scram-sha-256'",
    `max_connections = ${connections + (kind === 'machine' ? 3 : 15)}`,
    `shared_buffers = '${megabytes(memoryBytes / 8)}'`,
    `work_mem = '${megabytes((memoryBytes / 4 / connections) * share)}'`,
    `maintenance_work_mem = '${megabytes(memoryBytes / 16)}'`,
    `effective_cache_size = '${megabytes(memoryBytes / 2)}'`,
    `temp_file_limit = '${megabytes(size.diskBytes / 10)}'`,
    `max_wal_size = '${megabytes(Math.min(size.diskBytes / 20, 1024 ** 3))}'`,
    "min_wal_size = '32MB'",
    "wal_keep_size = '128MB'",
    'jit = off',
    "timezone = 'UTC'",
    "log_timezone = 'UTC'",
    'logging_collector = off',
    'log_connections = off',
    'ssl = on',
    "ssl_cert_file = 'server.crt'",
    "ssl_key_file = 'server.key'",
    ...(kind === 'member' ? memberLines(size) : []),
    ...(kind === 'monitor' ? timers : []),
    ...lines,
  ]
}

const memberLines = ({ diskBytes }: Size) => [
  'wal_log_hints = on',
  // A standby that is down for longer is copied again: the primary must not retain WAL until its disk is full.
  `max_slot_wal_keep_size = '${megabytes(diskBytes / 4)}'`,
]

/** A machine that is silent for 4 s is considered dead; its successor waits 2 s more, until the old one cannot write. */
const timers = [
  'pgautofailover.health_check_period = 1000',
  'pgautofailover.health_check_timeout = 2000',
  'pgautofailover.health_check_max_retries = 2',
  'pgautofailover.health_check_retry_delay = 500',
  'pgautofailover.node_considered_unhealthy_timeout = 4000',
  'pgautofailover.primary_demote_timeout = 2000',
  'pgautofailover.startup_grace_period = 3000',
]

/** Client authentication (`pg_hba.conf`). The superuser cannot connect remotely. */
const hbaRules: Readonly<Record<Configuration['kind'], readonly string[]>> = {
  machine: ['host all postgres all reject', 'host all all all scram-sha-256'],
  member: [
    'hostssl replication pgautofailover_replicator all scram-sha-256',
    'hostssl postgres pgautofailover_replicator all scram-sha-256',
    'hostssl postgres pgautofailover_monitor all scram-sha-256',
    'host all postgres,pgautofailover_replicator,pgautofailover_monitor all reject',
    'host all all all scram-sha-256',
  ],
  monitor: ['hostssl pg_auto_failover autoctl_node all scram-sha-256'],
}

/** Written before every start, since a member may have copied another one's. */
export async function configure({ data }: Folders, configuration: Configuration, programs: Programs): Promise<void> {
  const content = `${linesOf(configuration, socketFolder(programs)).join('\n')}\n`
  await writeOwn(join(data, 'icosa.conf'), content, programs)
  const local = ['local all all trust', 'local replication all trust']
  await writeOwn(join(data, 'pg_hba.conf'), `${[...local, ...hbaRules[configuration.kind]].join('\n')}\n`, programs)
}

export const includeOwn = "include_if_exists 'icosa.conf'\n"
