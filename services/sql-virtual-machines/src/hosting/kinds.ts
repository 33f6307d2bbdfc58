import { join } from 'node:path'
import type pg from 'pg'
import { type MonitorAddress, monitorUri } from '../clusters/monitor.ts'
import { monitorSize, type Size } from '../sizes.ts'
import { type Configuration, configure, type Workload } from './configuration.ts'
import { type Folders, isFolder } from './folders.ts'
import { initialize } from './initialize.ts'
import { Obstacle } from './obstacle.ts'
import type { Command } from './process.ts'
import { noKeeper, type Programs, runAs, socketFolder } from './programs.ts'
import { type Login, makeRole, prepareRoles } from './roles.ts'

/** What an instance is, independent of where it runs. */
export type Kind = StandaloneKind | MemberKind | MonitorKind

interface MachineConfiguration {
  readonly size: Size
  readonly workload: Workload
  readonly isLocal: boolean
  readonly password: string
  readonly login: Login | undefined
}

export interface StandaloneKind extends MachineConfiguration {
  readonly kind: 'machine'
}

export interface MemberKind extends MachineConfiguration {
  readonly kind: 'member'
  readonly monitor: MonitorAddress
  readonly replication: string
  /** The first one is initialized; the others copy. */
  readonly isFirst: boolean
  /** Whether there is a primary to copy: without one, it would start a cluster of its own. */
  hasPrimary(): Promise<boolean>
}

/** An instance cannot start yet, but nothing is wrong. */
export class NotYet extends Error {}

export interface MonitorKind {
  readonly kind: 'monitor'
  readonly password: string
}

export interface Site {
  readonly folders: Folders
  readonly programs: Programs
  readonly port: number
  /** Its address for machines of other nodes. */
  readonly address: string
  /** Its bind address. */
  readonly listen: string
  readonly signal: AbortSignal
}

const configurationOf = (kind: Kind, { port, listen }: Site): Configuration =>
  kind.kind === 'monitor'
    ? { kind: 'monitor', port, size: monitorSize, workload: 'GENERAL', listen }
    : { kind: kind.kind, port, size: kind.size, workload: kind.workload, listen: kind.isLocal ? loopback : listen }

const loopback = '127.0.0.1'

/** Initializes it if necessary and writes the configuration. Returns the command to start. */
export async function prepare(kind: Kind, site: Site): Promise<Command> {
  const { folders, programs, signal } = site
  const configuration = configurationOf(kind, site)
  if (kind.kind !== 'member' || kind.isFirst) await initialize(folders, programs, signal)
  if (await isFolder(folders.data)) await configure(folders, configuration, programs)
  if (kind.kind === 'machine') return { program: join(programs.binaries, 'postgres'), args: ['-D', folders.data] }
  const keeper = programs.keeper ?? missing()
  const env = { PGHOST: socketFolder(programs) }
  if (!(await isRegistered(folders))) {
    if (kind.kind === 'member' && !kind.isFirst && !(await kind.hasPrimary()))
      throw new NotYet('It is waiting for the first machine of its group.')
    await register(kind, keeper, site, env)
    await configure(folders, configuration, programs)
  }
  return { program: keeper, args: ['run', '--pgdata', folders.data], env: { ...env, ...passwordOf(kind) } }
}

function missing(): never {
  throw new Obstacle('KeeperMissing', noKeeper)
}

/** pg_autoctl mirrors the data path below its home. */
const stateFolder = ({ home, data }: Folders) => join(home, '.local/share/pg_autoctl', data)

const isRegistered = async (folders: Folders) => isFolder(join(stateFolder(folders), 'registered'))

const passwordOf = (kind: Kind): Record<string, string> =>
  kind.kind === 'member' ? { PGPASSWORD: kind.replication } : {}

async function register(
  kind: MemberKind | MonitorKind,
  keeper: string,
  { folders, programs, port, address, listen, signal }: Site,
  more: Record<string, string>,
): Promise<void> {
  // Not as arguments, which all users of the node can see.
  const secret = kind.kind === 'member' ? { PG_AUTOCTL_MONITOR: monitorUri(kind.monitor) } : {}
  const env = { HOME: folders.home, XDG_RUNTIME_DIR: folders.home, ...more, ...passwordOf(kind), ...secret }
  const run = (...args: string[]) => runAs(programs, keeper, args, { env, signal, folder: folders.all })
  const shared = ['--pgdata', folders.data, '--pgport', String(port), '--hostname', address]
  const secured = ['--ssl-self-signed', '--skip-pg-hba', '--pgctl', join(programs.binaries, 'pg_ctl')]
  if (kind.kind === 'monitor') await run('create', 'monitor', ...shared, ...secured)
  else {
    const connection = [
      '--pghost',
      socketFolder(programs),
      '--username',
      'postgres',
      '--dbname',
      'postgres',
      '--listen',
      listen,
    ]
    await run('create', 'postgres', ...shared, ...secured, ...connection)
    await run('config', 'set', '--pgdata', folders.data, 'replication.password', kind.replication)
  }
  await runAs(programs, 'mkdir', ['-p', join(stateFolder(folders), 'registered')])
}

/** Once it responds: sets its passwords, and creates the tenant's roles and database. A standby copies them. */
export async function setUp(kind: Kind, client: pg.Client): Promise<void> {
  if (kind.kind === 'monitor') return makeRole(client, { name: 'autoctl_node', password: kind.password }, '')
  if (kind.kind === 'member') {
    await makeRole(client, { name: 'pgautofailover_replicator', password: kind.replication }, 'replication')
    // For the monitor's health checks, which use a built-in password.
    await makeRole(client, { name: 'pgautofailover_monitor', password: 'pgautofailover_monitor' }, '')
  }
  await prepareRoles(client, kind.password, kind.login)
}
