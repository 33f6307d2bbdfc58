import { type ChildProcess, spawnSync } from 'node:child_process'
import { type FileHandle, open, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { UsageError } from '@icosa/module'
import { freePort } from './port.ts'
import { type Launch, spawned } from './postgres-account.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import { type Cluster, environment, isServerOf, type Lock, readIfThere, readLock } from './postgres-cluster.ts'

export interface Server {
  /** Requests a fast shutdown. */
  readonly end: () => void
  /** Stops the server and waits until it is gone. `discarding`: at once, without flushing its memory. */
  readonly stop: (how?: { readonly discarding?: boolean }) => Promise<void>
}

const local = '127.0.0.1'
const maxLogBytes = 5_000_000
const fastShutdownMs = 5_000
const immediateShutdownMs = 10_000

/** Transient errors: another process took the port, or another server on this folder is starting or stopping. */
const passing = /could not create any TCP\/IP sockets|lock file .+ (already exists|is empty)|is still in use/

export interface Starting {
  readonly lock: Lock | undefined
  readonly patience: AbortSignal
  readonly onLaunched?: (() => void) | undefined
  readonly throwaway: boolean
}

/**
 * Starts the server and waits until it is ready. It ends when this process exits, if not before. Returns undefined
 * after a transient error: the caller retries.
 */
export async function startServer(
  cluster: Cluster,
  binaries: PostgresBinaries,
  launch: Launch,
  { lock, patience, onLaunched, throwaway }: Starting,
): Promise<Server | undefined> {
  const log = await openLog(cluster)
  try {
    const { size: before } = await log.stat()
    const child = launch(binaries.postgres, ['-D', cluster.data, ...settings(await portFor(cluster), throwaway)], {
      cwd: cluster.folder,
      env: { ...environment, ...staleLockPasses(lock) },
      stdio: ['ignore', log.fd, log.fd],
      // A process group of its own: Ctrl-C in the terminal must not stop the server while it is in use.
      detached: true,
      windowsHide: true,
    })
    child.unref()
    await spawned(child)
    onLaunched?.()
    const server = serverAt(cluster, binaries, Number(child.pid))
    process.once('exit', server.end)
    if (await isReady(child, cluster, patience)) return server

    process.off('exit', server.end)
    await server.stop()
    const words = await text(log.createReadStream({ start: before, autoClose: false }))
    if (patience.aborted || !passing.test(words)) {
      const advice = `See ${cluster.log}, remove ${cluster.folder} to start over, or set DATABASE_URL.`
      throw new UsageError(`PostgreSQL did not start. ${advice}\n${words}`.trim())
    }
    if (words.includes('is empty')) await removeEmptyLock(cluster)
    return undefined
  } finally {
    await log.close()
  }
}

export function serverAt(cluster: Cluster, binaries: PostgresBinaries, pid: number): Server {
  const signal = (name: 'INT' | 'QUIT') => {
    if (!isServerOf(cluster, pid)) return
    if (process.platform === 'win32') spawnSync(binaries.pgCtl, ['kill', name, String(pid)])
    else process.kill(pid, `SIG${name}`)
  }
  return {
    end: () => signal('INT'),
    stop: async ({ discarding = false } = {}) => {
      if (!discarding) signal('INT')
      if (!discarding && (await isGone(cluster, pid, fastShutdownMs))) return
      signal('QUIT')
      await isGone(cluster, pid, immediateShutdownMs)
    },
  }
}

async function isReady(child: ChildProcess, cluster: Cluster, patience: AbortSignal): Promise<boolean> {
  while (child.exitCode === null && child.signalCode === null && !patience.aborted) {
    const lock = await readLock(cluster)
    if (lock?.ready && lock.pid === child.pid) return true
    await setTimeout(10)
  }
  return false
}

async function isGone(cluster: Cluster, pid: number, withinMs: number): Promise<boolean> {
  const patience = AbortSignal.timeout(withinMs)
  while (isServerOf(cluster, pid)) {
    if (patience.aborted) return false
    await setTimeout(10)
  }
  return true
}

/**
 * Sized for a laptop. All other settings, fsync above all, keep PostgreSQL's defaults, except in a throwaway cluster.
 */
function settings(port: number, throwaway: boolean): string[] {
  const values = {
    listen_addresses: local,
    port,
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '64MB',
    log_checkpoints: 'off',
    ...(throwaway && { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_wal_size: '64MB' }),
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/**
 * The caller found the lock stale, but PostgreSQL would take any live process with its id for a server, except its own
 * grandparent. It still looks for processes that use the shared memory named in the lock file.
 */
function staleLockPasses(lock: Lock | undefined): NodeJS.ProcessEnv {
  return lock ? { PG_GRANDPARENT_PID: String(lock.pid) } : {}
}

/** A power cut can leave the lock file empty. A starting server fills it at once. */
async function removeEmptyLock({ lockFile }: Cluster): Promise<void> {
  await setTimeout(2_000)
  if ((await readIfThere(lockFile)) === '') await rm(lockFile, { force: true })
}

async function openLog({ log }: Cluster): Promise<FileHandle> {
  const file = await open(log, 'a+', 0o600)
  if ((await file.stat()).size > maxLogBytes) await file.truncate()
  return file
}

/** Reuses the last port, so that saved addresses stay valid; picks another if it is taken. */
async function portFor({ folder }: Cluster): Promise<number> {
  const file = join(folder, 'port')
  const last = Number((await readIfThere(file)) ?? 0)
  const port = await freePort(local, last).catch(() => freePort(local, 0))
  if (port !== last) await writeFile(file, String(port), { mode: 0o600 })
  return port
}
