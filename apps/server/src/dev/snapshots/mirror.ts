import { type BigIntStats, constants, lstatSync } from 'node:fs'
import { chmod, copyFile, lchown, link, mkdir, readdir, readlink, rm, symlink, utimes } from 'node:fs/promises'
import { join } from 'node:path'

export interface MirrorOptions {
  /** Whether to skip an entry on both sides, by its relative path. */
  readonly leaves?: (path: string) => boolean
  /** Whether a file is immutable, so that both sides can share it by a hard link. */
  readonly isFinal?: (path: string) => boolean
}

export interface Mirrored {
  readonly files: number
  readonly bytes: number
  /** Number of files that were missing or different. */
  readonly written: number
}

/**
 * Makes a folder equal to another by removing extra entries and copying changed ones. A file is unchanged if its size,
 * mode and modification time (to the microsecond) are equal: neither folder may be written to meanwhile.
 */
export async function mirror(from: string, to: string, options: MirrorOptions = {}): Promise<Mirrored> {
  const total = { files: 0, bytes: 0, written: 0 }
  await mirrorFolder({ from, to, total, options }, '')
  return total
}

interface Mirroring {
  readonly from: string
  readonly to: string
  readonly total: { files: number; bytes: number; written: number }
  readonly options: MirrorOptions
}

/** Concurrency within a folder. */
const concurrency = 16

async function mirrorFolder(mirroring: Mirroring, path: string): Promise<void> {
  const { from, to, options } = mirroring
  const [source, target] = [join(from, path), join(to, path)]
  await mkdir(target, { recursive: true })
  const stays = (name: string) => !options.leaves?.(join(path, name))
  const sourceNames = (await readdir(source)).filter(stays)
  const names = new Set(sourceNames)
  for (const name of await readdir(target)) if (stays(name) && !names.has(name)) await remove(join(target, name))
  const rest = sourceNames.values()
  const others: string[] = []
  const take = async () => {
    for (const name of rest) {
      const info = lookAt(join(source, name))
      if (!info) continue
      if (info.isDirectory()) others.push(name)
      else await mirrorEntry(mirroring, join(path, name), info)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, take))
  for (const name of others) {
    const targetStat = lookAt(join(target, name))
    if (targetStat && !targetStat.isDirectory()) await remove(join(target, name))
    await mirrorFolder(mirroring, join(path, name))
  }
  await dress(target, lstatSync(source, { bigint: true }))
}

async function mirrorEntry({ from, to, total, options }: Mirroring, path: string, info: BigIntStats): Promise<void> {
  const [source, target] = [join(from, path), join(to, path)]
  if (!info.isFile() && !info.isSymbolicLink()) return // a socket of a process that has ended
  total.files++
  total.bytes += Number(info.size)
  const targetStat = lookAt(target)
  if (targetStat && isSame(info, targetStat)) return
  total.written++
  if (targetStat) await remove(target)
  if (info.isSymbolicLink()) return symlink(await readlink(source), target)
  if (options.isFinal?.(path) && (await isLinked(source, target))) return
  await copyFile(source, target, constants.COPYFILE_FICLONE)
  await dress(target, info)
}

const isSame = (one: BigIntStats, other: BigIntStats) =>
  (one.ino === other.ino && one.dev === other.dev) ||
  (one.isFile() && other.isFile() && one.size === other.size && one.mode === other.mode && isSameTime(one, other))

/** Node sets times as fractional seconds, which are exact to a quarter of a microsecond. */
const isSameTime = (one: BigIntStats, other: BigIntStats) => {
  const apart = one.mtimeNs - other.mtimeNs
  return apart > -1000n && apart < 1000n
}

/** False where the file system has no hard links or the folders are on different ones: the caller copies the file. */
const isLinked = (source: string, target: string) =>
  link(source, target).then(
    () => true,
    () => false,
  )

/** Copies owner and mode, which PostgreSQL checks, and times, which `isSame` compares. */
async function dress(target: string, { uid, gid, mode, mtimeNs }: BigIntStats): Promise<void> {
  if (process.getuid?.() === 0) await lchown(target, Number(uid), Number(gid))
  await chmod(target, Number(mode) & 0o7777)
  const seconds = Number(mtimeNs) / 1e9
  await utimes(target, seconds, seconds)
}

/** Synchronous: with thousands of mostly unchanged files, awaiting each stat would take ten times as long. */
const lookAt = (path: string) => lstatSync(path, { bigint: true, throwIfNoEntry: false })
const remove = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 5 })
