import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'

/** Why tests that need PgBouncer are skipped; undefined if it is installed. */
export const withoutPgBouncer =
  spawnSync('pgbouncer', ['--version']).error && 'PgBouncer is not installed: scripts/setup'

export interface PgBouncer extends AsyncDisposable {
  /** Address of the database through PgBouncer. */
  readonly url: string
  stop(): Promise<void>
  start(): Promise<void>
}

/** Starts a real PgBouncer in transaction mode in front of one database. */
export async function startPgBouncer(databaseUrl: string, poolSize = 4): Promise<PgBouncer> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  const folder = await mkdtemp(join(tmpdir(), 'icosa-pgbouncer-'))
  await chmod(folder, 0o755)
  const ownPort = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(
    file,
    `[databases]
* = host=${hostname} port=${port || 5432} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 1000
query_wait_timeout = 10
server_login_retry = 1
`,
  )
  let child: ChildProcess | undefined

  async function start(): Promise<void> {
    // It refuses to run as root.
    const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
    child = spawn('pgbouncer', ['-q', ...user, file], { stdio: 'ignore' })
    while (!(await answers(ownPort))) {
      if (child.exitCode !== null) throw new Error('PgBouncer did not start')
      await sleep(20)
    }
  }

  async function stop(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    await exit
  }

  await start()
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${ownPort}${pathname}`,
    start,
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('close', () => socket.destroy()).once('connect', () => socket.end())
  })
