import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { runProgram } from '@icosa/compute'
import { Failure } from '@icosa/kernel'
import { type Account, commandAs } from '@icosa/module'
import { openSession } from '../wal-archive/session.ts'
import { give } from './account.ts'

/** A PostgreSQL server that only its own node can reach. */
export interface PrivateServer extends AsyncDisposable {
  /** The folder of its socket. */
  readonly host: string
  readonly port: number
}

export interface ServerOptions {
  /** Contains `data`, a base backup, and `wal`, WAL segment files. Only the server's account may enter it. */
  readonly folder: string
  readonly program: string
  readonly account: Account | undefined
  readonly superuser: string
  /** Target time; undefined replays all WAL. */
  readonly at: Date | undefined
  readonly signal: AbortSignal
}

const port = 5432
/** Limit of a socket path, in bytes. */
const maxSocketPath = 100
/** Enough to replay a day's WAL of a busy server. */
const deadlineMs = 12 * 3_600_000

/** Ignores the original's settings: they are for another machine, and may name programs to run. */
const settings = (folder: string, at: Date | undefined) => ({
  listen_addresses: '',
  unix_socket_directories: folder,
  unix_socket_permissions: '0700',
  port,
  hba_file: join(folder, 'pg_hba.conf'),
  ident_file: join(folder, 'pg_ident.conf'),
  hot_standby: 'off',
  restore_command: `cp "${folder.replaceAll('%', '%%')}/wal/%f" "%p"`,
  recovery_target_timeline: 'current',
  // Time zone names, such as Z, cannot be resolved yet when this is read.
  ...(at && { recovery_target_time: at.toISOString().replace('Z', '+00'), recovery_target_action: 'promote' }),
  shared_buffers: '64MB',
  max_connections: 10,
  max_locks_per_transaction: 1_024,
  max_prepared_transactions: 64,
  max_worker_processes: 2,
  max_wal_senders: 0,
  max_wal_size: '1GB',
  huge_pages: 'off',
  autovacuum: 'off',
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  archive_mode: 'off',
  logging_collector: 'off',
  log_destination: 'stderr',
  lc_messages: 'C',
  timezone: 'UTC',
})

/** Logged if there was no commit after the target time: then the end of the WAL has the state of that time. */
const noLaterCommit = /recovery ended before configured recovery target was reached/

/** Point-in-time recovery: replays WAL up to a time. */
export async function startPrivateServer(options: ServerOptions): Promise<PrivateServer> {
  const { folder, account } = options
  if (join(folder, `.s.PGSQL.${port}`).length > maxSocketPath)
    throw new Failure('unavailable', `${folder} is too long for a socket: ask the operator for a shorter data folder.`)
  const data = join(folder, 'data')
  for (const name of ['postgresql.auto.conf', 'postgresql.conf', 'postmaster.pid', 'standby.signal'])
    await rm(join(data, name), { force: true })
  await writeOwned(join(folder, 'pg_hba.conf'), 'local all all trust\n', account)
  await writeOwned(join(folder, 'pg_ident.conf'), '', account)
  await writeOwned(join(data, 'recovery.signal'), '', account)
  return (await run(options)) ?? (await run({ ...options, at: undefined })) ?? unready()
}

async function writeOwned(path: string, content: string, account: Account | undefined): Promise<void> {
  await writeFile(path, content, { mode: 0o600 })
  await give(path, account)
}

/** Kills the server when we exit, however that happens, since its standard input then closes. Its processes exit with the first. */
const guard =
  'log=$1; shift; exec 3<&0; { read -r _ <&3; kill -KILL $$; } >/dev/null 2>&1 & exec "$@" 3<&- </dev/null >>"$log" 2>&1'

/** Returns undefined if the WAL ends before the target time. */
async function run({
  folder,
  program,
  account,
  superuser,
  at,
  signal,
}: ServerOptions): Promise<PrivateServer | undefined> {
  const file = join(folder, 'postgresql.conf')
  const lines = Object.entries(settings(folder, at)).map(
    ([name, value]) => `${name} = '${String(value).replaceAll("'", "''")}'\n`,
  )
  await writeOwned(file, lines.join(''), account)
  const log = join(folder, 'log')
  await rm(log, { force: true })
  const command = commandAs(account, program, ['-D', join(folder, 'data'), '-c', `config_file=${file}`])
  const stop = new AbortController()
  const execution = runProgram('sh', ['-c', guard, 'sh', log, ...command], {
    input: new Readable({ read() {} }),
    signal: AbortSignal.any([signal, stop.signal]),
    env: { LC_ALL: 'C', TZ: 'UTC' },
    deadlineMs,
    isBackground: true,
  })
  let hasExited = false
  const markExited = () => {
    hasExited = true
  }
  const exited = execution.then(markExited, markExited)
  while (!hasExited) {
    if (await acceptsConnections(folder, superuser))
      return { host: folder, port, [Symbol.asyncDispose]: () => end(folder, stop, exited) }
    await Promise.race([exited, sleep(100)])
  }
  signal.throwIfAborted()
  const output = await readFile(log, 'utf8').catch(() => '')
  if (at && noLaterCommit.test(output)) return undefined
  const reason = output.split('\n').findLast((line) => /\b(PANIC|FATAL|ERROR)\b/.test(line)) ?? output.slice(-300)
  throw new Failure(
    'unavailable',
    `The copy of the SQL host could not be recovered to that time: ${reason.slice(0, 300)}`,
  )
}

const acceptsConnections = (host: string, user: string) =>
  openSession({ host, port, user, database: 'template1' }).then(
    async (session) => {
      await session[Symbol.asyncDispose]()
      return true
    },
    () => false,
  )

const maxEndMs = 5_000

/** Ends immediately, but lets it free its shared memory. */
async function end(folder: string, stop: AbortController, exited: Promise<void>): Promise<void> {
  const pid = Number((await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8').catch(() => '')).split('\n', 1)[0])
  try {
    if (pid > 0) process.kill(pid, 'SIGQUIT')
  } catch {} // it has already exited
  await Promise.race([exited, sleep(maxEndMs)])
  stop.abort()
  await exited
}

function unready(): never {
  throw new Failure('internal', 'The end of the WAL was not reached.')
}

export async function makeFolder(path: string, account: Account | undefined): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  await give(path, account)
}
