import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type DatabaseProxy, freePort, type PgBouncer, startPgBouncer, startProxy } from '@icosa/testing'
import { startDevPostgres } from '../../../apps/server/src/dev/postgres.ts'
import { requiredIn } from '../../../apps/server/src/testing/required.ts'
import { ownPostgres } from '../own-postgres.ts'
import { importShift } from '../processes.ts'
import { inspectedHeap } from './inspected-heap.ts'

const cli = fileURLToPath(new URL('../../../apps/server/src/cli.ts', import.meta.url))
const blobBytes = 512 << 20

export type Role = 'serve' | 'worker'

/** One node: a process, and two proxies that cut it off from the database. */
export interface Node {
  readonly name: string
  readonly role: Role
  readonly url: string
  readonly pid: number
  kill(): Promise<void>
  start(options?: { readonly clockAheadMs?: number }): Promise<void>
  signal(signal: NodeJS.Signals): void
  /** Cuts the node off from PostgreSQL, or connects it again. */
  network(mode: 'through' | 'silent'): void
  /** How often it ended with an error of its own. */
  readonly crashes: number
  /** Bytes of live objects, after a garbage collection. */
  heapBytes(): Promise<number>
}

/** A production cell: two API nodes, three workers, PgBouncer, PostgreSQL and a blob volume of limited size. */
export interface Cell extends AsyncDisposable {
  readonly folder: string
  readonly nodes: readonly Node[]
  /** The platform's database, without the pooler. */
  readonly databaseUrl: string
  icosa(...words: string[]): Promise<string>
  killPostgres(): Promise<void>
  restartPooler(): Promise<void>
  fillDisk(): Promise<void>
  emptyDisk(): Promise<void>
  /** Ends every node with SIGTERM and returns what they leave behind. */
  stop(): Promise<string[]>
}

export async function openCell(): Promise<Cell> {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-cell-'))
  await chmod(folder, 0o755)
  const blobs = join(folder, 'blobs')
  for (const name of ['blobs', 'sql', 'repositories', 'logs']) await mkdir(join(folder, name))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${blobBytes}`, 'tmpfs', blobs])
  const postgres = await ownPostgres([])
  const sqlHost = await startDevPostgres({ directory: join(folder, 'sql') })
  const direct = await startProxy(postgres.url)
  const pooler = await startPgBouncer(direct.url, 40)

  const common = {
    ...process.env,
    NIGHTLY: '',
    ICOSA_MASTER_KEY: randomBytes(32).toString('base64'),
    ICOSA_PUBLIC_URL: 'http://127.0.0.1:4000',
    ICOSA_BLOBS: blobs,
    ICOSA_BLOBS_MIN_FREE: String(16 << 20),
    ICOSA_SQL_URL: sqlHost.url,
    ...requiredIn(folder),
    ICOSA_VOICE_SIMULATE: 'true',
    ICOSA_VOICE_LOGS: 'stdout',
    ICOSA_VOICE_RETRY_SECONDS: '5,30', // a call that was cut off twice is still over when the audit ends
    ICOSA_BANKING_RATES: 'none',
    ICOSA_DRAIN_MS: '1000',
    ICOSA_LOG_LEVEL: 'warn',
  }
  const icosa = async (...words: string[]) => {
    const env = { ...common, DATABASE_URL: direct.url, ICOSA_DATA: join(folder, 'operator') }
    const { stdout } = await promisify(execFile)(process.execPath, [cli, ...words], { env, maxBuffer: 64 << 20 })
    return stdout.trim()
  }
  await icosa('migrate')
  const nodes = await Promise.all(
    (['serve', 'serve', 'worker', 'worker', 'worker'] as const).map((role, index) =>
      openNode({ name: `${role}-${index}`, role, folder, direct, pooler, common }),
    ),
  )
  for (const node of nodes) await node.start()
  const ballast = join(blobs, 'ballast')
  const terminate = async (node: Node) => {
    node.signal('SIGTERM')
    const isOver = AbortSignal.timeout(60_000)
    while (!isOver.aborted && isAlive(node.pid)) await sleep(100)
  }
  const stop = async () => {
    for (const node of nodes) await terminate(node)
    // A node that had no time to end its sandboxes leaves them to the next start on its machine.
    for (const node of nodes.filter(({ name }) => leftovers(join(folder, name)).length > 0)) {
      await node.start()
      await terminate(node)
    }
    const crashed = nodes.filter(({ crashes }) => crashes > 0)
    return [...crashed.map(({ name, crashes }) => `${name} crashed ${crashes} times`), ...leftovers(folder)]
  }

  return {
    folder,
    nodes,
    databaseUrl: direct.url,
    icosa,
    async killPostgres() {
      await postgres.kill()
      direct.lead(await postgres.start())
    },
    async restartPooler() {
      await pooler.stop()
      await pooler.start()
    },
    async fillDisk() {
      await promisify(execFile)('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=1M']).catch(() => {}) // until it is full
    },
    emptyDisk: () => rm(ballast, { force: true }),
    stop,
    async [Symbol.asyncDispose]() {
      await stop() // the kill ends the rest
      for (const node of nodes) await node.kill()
      await pooler[Symbol.asyncDispose]()
      await direct[Symbol.asyncDispose]()
      await sqlHost.stop()
      await postgres[Symbol.asyncDispose]()
      execFileSync('umount', ['-l', blobs])
      if (!process.env.CHAOS_KEEP) await rm(folder, { recursive: true, force: true })
    },
  }
}

interface NodeSite {
  readonly name: string
  readonly role: Role
  readonly folder: string
  readonly direct: DatabaseProxy
  readonly pooler: PgBouncer
  readonly common: NodeJS.ProcessEnv
}

async function openNode({ name, role, folder, direct, pooler, common }: NodeSite): Promise<Node> {
  const port = String(await freePort())
  const ways = {
    pooled: await startProxy(pooler.url),
    direct: await startProxy(direct.url),
  }
  const metricsPort = String(await freePort())
  const inspectPort = await freePort()
  const url = `http://127.0.0.1:${port}`
  const log = createWriteStream(join(folder, 'logs', name), { flags: 'a' })
  let child: ChildProcess | undefined
  let crashes = 0

  const isReady = () =>
    fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
      ({ ok }) => ok,
      () => false,
    )
  return {
    name,
    role,
    url,
    get pid() {
      return child?.pid ?? 0
    },
    get crashes() {
      return crashes
    },
    async start({ clockAheadMs = 0 } = {}) {
      const env = {
        ...common,
        DATABASE_URL: ways.pooled.url,
        ICOSA_DATABASE_DIRECT_URL: ways.direct.url,
        ICOSA_DATA: join(folder, name),
        ICOSA_METRICS_PORT: metricsPort,
        ...(name === 'worker-4' && { ICOSA_MACHINES: 'true', ICOSA_MACHINES_FOLDER: join(folder, 'machines') }), // machines stay with the node that runs them
      }
      const shift = clockAheadMs > 0 ? [importShift(clockAheadMs)] : []
      const own = [`--inspect=127.0.0.1:${inspectPort}`, ...shift]
      child = spawn(process.execPath, [...own, cli, role, '--port', port], {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      child.once('exit', (code) => {
        if (code) crashes++ // null if a signal ended it
      })
      child.stdout?.pipe(log, { end: false })
      child.stderr?.pipe(log, { end: false })
      if (clockAheadMs > 0) return // such a node may refuse to be ready
      const isOver = AbortSignal.timeout(120_000)
      while (!(await isReady())) {
        if (child.exitCode !== null || isOver.aborted)
          throw new Error(`${name} did not start: see ${folder}/logs/${name}`)
        await sleep(100)
      }
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
    },
    signal: (signal) => void child?.kill(signal),
    heapBytes: () => inspectedHeap(inspectPort),
    network(mode) {
      if (mode === 'through') for (const way of Object.values(ways)) way.become('refusing') // silent ones end
      for (const way of Object.values(ways)) way.become(mode)
    },
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Processes, mounts and partial files that still name the folder of the cell. */
function leftovers(folder: string): string[] {
  const sh = (script: string) => execFileSync('sh', ['-c', script, 'sh', folder], { encoding: 'utf8' }).split('\n')
  const processes = sh(
    `for p in /proc/[0-9]*; do tr '\\0' ' ' <$p/cmdline 2>/dev/null | grep -F "$1" | grep -vE 'pgbouncer|postgres|sh -c' | sed "s|^|process $p |"; done; true`,
  )
  const mounts = sh(`grep -F "$1" /proc/mounts | grep -v " $1/blobs " | sed 's/^/mount /'; true`)
  const partial = sh(`find "$1/blobs" -name '*.part*' -o -name '*.tmp*' | sed 's/^/file /'`)
  return [...processes, ...mounts, ...partial].filter(Boolean)
}
