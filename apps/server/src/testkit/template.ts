import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { migrationsOf, privateFile, privateFolder, readMigrations, type Service, systemClock } from '@icosa/kernel'
import { isAlive, isStillAlive, processStart } from '@icosa/module'
import manifest from '../../package.json' with { type: 'json' }
import { findPostgresBinaries } from '../dev/postgres-binaries.ts'
import { codeOf } from '../dev/postgres-cluster.ts'
import { apart } from '../dev/snapshots/folder.ts'
import { mirror } from '../dev/snapshots/mirror.ts'
import { folderPrefix } from './leftovers.ts'

/** A data folder with a database prepared for some services, cached for the next start. */
export interface Template {
  copyTo(folder: string): Promise<void>
  /** Restores a folder that began as a copy; copies only changed files. */
  restore(folder: string): Promise<void>
}

/** Prepares such a folder, and leaves no process running there. */
type Make = (folder: string) => Promise<void>

const maxTemplates = 6
const pollMs = 50
const run = promisify(execFile)

/** Returns undefined where nothing can be cached, such as without a home directory. */
export async function templateFor(services: readonly Service[], make: Make): Promise<Template | undefined> {
  const cache = cacheFolder()
  try {
    await mkdir(cache, privateFolder)
  } catch {
    return undefined
  }
  const place = join(cache, await keyOf(services))
  /** Retries: another process may evict the template at any time. */
  async function using(work: () => Promise<unknown>, attempts = 3): Promise<void> {
    await ensure(place, make)
    const now = systemClock.now()
    try {
      await utimes(place, now, now)
      await work()
    } catch (error) {
      if (attempts === 1 || codeOf(error) !== 'ENOENT') throw error
      await using(work, attempts - 1)
    }
  }
  const leaves = (path: string) => apart.has(path) || path === portFile
  return {
    copyTo: (folder) => using(() => copy(place, folder)),
    async restore(folder) {
      await using(() => mirror(place, folder, { leaves }))
      await letPass(folder)
    },
  }
}

/** Lets programs that root starts as other users traverse a data folder, as `icosa dev` does. */
export const letPass = (folder: string) => chmod(folder, 0o711)

/** Each server has its own port. */
const portFile = join('postgres', 'port')

function cacheFolder(): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env
  const usual = process.platform === 'darwin' ? join(homedir(), 'Library', 'Caches') : join(homedir(), '.cache')
  return join(XDG_CACHE_HOME ?? LOCALAPPDATA ?? usual, 'icosa', 'testing')
}

/** Hash of everything that determines a prepared database. */
async function keyOf(services: readonly Service[]): Promise<string> {
  const { majorVersion } = await findPostgresBinaries()
  const migrations = await readMigrations(migrationsOf(services))
  const parts = [
    ...[manifest.version, process.platform, process.arch, majorVersion],
    ...services.map(({ name }) => name),
    ...migrations.flatMap(({ owner, name, text }) => [owner, name, text]),
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

/** Builds the template in one process while others wait. It is built elsewhere and renamed into place. */
async function ensure(place: string, make: Make): Promise<void> {
  const lock = `${place}.lock`
  while (!existsSync(place)) {
    if (!(await isLocked(lock))) await sleep(pollMs)
    else await buildOnce(place, make).finally(() => rm(lock, { force: true }))
  }
}

const buildOnce = async (place: string, make: Make) => (existsSync(place) ? undefined : build(place, make))

/** Tries to take the lock; removes that of a dead process. */
async function isLocked(lock: string): Promise<boolean> {
  const own = { pid: process.pid, start: processStart(process.pid) }
  try {
    await writeFile(lock, JSON.stringify(own), { ...privateFile, flag: 'wx' })
    return true
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    const holder = await readFile(lock, 'utf8').then(
      (text) => JSON.parse(text || '{}') as Partial<typeof own>,
      () => undefined,
    )
    if (holder?.pid !== undefined && !isStillAlive(holder.pid, holder.start)) await rm(lock, { force: true })
    return false
  }
}

async function build(place: string, make: Make): Promise<void> {
  await removeOld(join(place, '..'))
  const folder = await mkdtemp(join(tmpdir(), `${folderPrefix}${process.pid}-`))
  const fresh = `${place}.new-${process.pid}`
  try {
    await make(folder)
    for (const file of [portFile, join('postgres', 'postgres.log')]) await rm(join(folder, file), { force: true })
    await copy(folder, fresh)
    // Its server wrote without fsync: a power cut could leave half of it.
    if (process.platform === 'linux') await run('sync', ['-f', fresh]).catch(() => {})
    await rename(fresh, place)
  } finally {
    for (const path of [folder, fresh]) await remove(path)
  }
}

/** Removes the least recently used templates, and files that killed processes left behind. */
async function removeOld(cache: string): Promise<void> {
  const names = await readdir(cache)
  const left = names.filter((name) => {
    const [, pid] = /\.(?:new|old)-(\d+)$/.exec(name) ?? []
    return pid !== undefined && !isAlive(Number(pid))
  })
  for (const name of left) await remove(join(cache, name))
  const templates = await Promise.all(
    names
      .filter((name) => /^[\da-f]{64}$/.test(name))
      .map(async (name) => ({ name, usedMs: await usedMs(join(cache, name)) })),
  )
  templates.sort((template, other) => other.usedMs - template.usedMs)
  for (const { name } of templates.slice(maxTemplates - 1)) {
    const old = join(cache, `${name}.old-${process.pid}`)
    await rename(join(cache, name), old).catch(() => {})
    await remove(old)
  }
}

const usedMs = (path: string) =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )

const remove = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 5 })

/** Uses `cp`, which is faster for thousands of small files and shares their blocks where the file system can. */
async function copy(from: string, to: string): Promise<void> {
  const flags: Partial<Record<NodeJS.Platform, readonly string[]>> = {
    linux: ['-a', '--reflink=auto'],
    darwin: ['-cpR'],
  }
  const flag = flags[process.platform]
  await mkdir(to, { recursive: true, mode: 0o700 })
  const isCopied = flag && (await run('cp', [...flag, `${from}/.`, to]).then(isDone, () => false))
  if (!isCopied) await mirror(from, to)
}

const isDone = () => true
