import { execFileSync } from 'node:child_process'
import { readlinkSync, realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isAlive, UsageError } from '@icosa/module'

/** Files of one PostgreSQL cluster, all in one folder. */
export interface Cluster {
  readonly folder: string
  readonly data: string
  readonly passwordFile: string
  readonly lockFile: string
  readonly log: string
}

/** Contents of a running server's lock file. */
export interface Lock {
  readonly pid: number
  readonly port: number
  readonly ready: boolean
}

export const user = 'icosa'
export const database = 'icosa'

/** Makes time zone and locale of the server independent of the machine. */
export const environment: NodeJS.ProcessEnv = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }

export function clusterAt(folder: string): Cluster {
  const data = join(folder, 'data')
  return {
    folder,
    data,
    passwordFile: join(folder, 'password'),
    lockFile: join(data, 'postmaster.pid'),
    log: join(folder, 'postgres.log'),
  }
}

/** Major version of the cluster; undefined if there is none yet. */
export async function versionOf(cluster: Cluster): Promise<string | undefined> {
  return (await readIfThere(join(cluster.data, 'PG_VERSION')))?.trim()
}

export async function addressOf(cluster: Cluster, lock: Lock): Promise<string> {
  return `postgres://${user}:${await readIfThere(cluster.passwordFile)}@127.0.0.1:${lock.port}/${database}`
}

export async function readLock(cluster: Cluster): Promise<Lock | undefined> {
  const content = await readIfThere(cluster.lockFile)
  if (!content) return undefined
  const lines = content.split('\n')
  return { pid: Number(lines[0]), port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' }
}

/** Whether the process with the id in the lock file is the server: after a power cut it may be any other program. */
export function isServerOf(cluster: Cluster, pid: number): boolean {
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster.data)
    if (process.platform === 'win32') return isAlive(pid)
    return execFileSync('ps', ['-p', String(pid), '-o', 'comm='])
      .toString()
      .trim()
      .endsWith('postgres')
  } catch {
    return false
  }
}

export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const code = codeOf(cause)
    if (code === 'ENOENT') return undefined
    if (code !== 'EACCES') throw cause
    const advice = 'Start as the user who created it, remove its folder, or set DATABASE_URL.'
    throw new UsageError(`The development database at ${path} belongs to another user. ${advice}`, { cause })
  }
}

/** Does not use `instanceof`: test runners give each file an `Error` class of its own. */
export function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
}
