import { type BigIntStats, constants, lstatSync } from 'node:fs'
import { chmod, copyFile, lchown, link, mkdir, readdir, readlink, rm, symlink, utimes } from 'node:fs/promises'
import { join } from 'node:path'

export interface MirrorOptions {
  /** Whether an entry is left out on both sides, by its path below the folder. */
  readonly leaves?: (path: string) => boolean
  /** Whether a file never changes once it is there, so that both sides can be the same file. */
  readonly isFinal?: (path: string) => boolean
}

export interface Mirrored {
  readonly files: number
  readonly bytes: number
  /** How many files were not there yet, or differed. */
  readonly written: number
}

/**
 * Makes a folder equal to another: what is there in addition is removed, and what is the same stays. A file is the same if
 * it has the same size and was last written in the same microsecond: nobody may write to either folder meanwhile.
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

/** How many files of a folder are looked at at once. */
const atOnce = 16

async function mirrorFolder(mirroring: Mirroring, path: string): Promise<void> {
  const { from, to, options } = mirroring
  const [source, target] = [join(from, path), join(to, path)]
  await mkdir(target, { recursive: true })
  const stays = (name: string) => !options.leaves?.(join(path, name))
  const wanted = (await readdir(source)).filter(stays)
  const names = new Set(wanted)
  for (const name of await readdir(target)) if (stays(name) && !names.has(name)) await remove(join(target, name))
  const rest = wanted.values()
  const others: string[] = []
  const take = async () => {
    for (const name of rest) {
      const info = lookAt(join(source, name))
      if (!info) continue
      if (info.isDirectory()) others.push(name)
      else await mirrorEntry(mirroring, join(path, name), info)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, take))
  for (const name of others) {
    const there = lookAt(join(target, name))
    if (there && !there.isDirectory()) await remove(join(target, name))
    await mirrorFolder(mirroring, join(path, name))
  }
  await dress(target, lstatSync(source, { bigint: true }))
}

async function mirrorEntry({ from, to, total, options }: Mirroring, path: string, info: BigIntStats): Promise<void> {
  const [source, target] = [join(from, path), join(to, path)]
  if (!info.isFile() && !info.isSymbolicLink()) return // a socket of a process that is gone by then
  total.files++
  total.bytes += Number(info.size)
  const there = lookAt(target)
  if (there && isSame(info, there)) return
  total.written++
  if (there) await remove(target)
  if (info.isSymbolicLink()) return symlink(await readlink(source), target)
  if (options.isFinal?.(path) && (await isLinked(source, target))) return
  await copyFile(source, target, constants.COPYFILE_FICLONE)
  await dress(target, info)
}

const isSame = (one: BigIntStats, other: BigIntStats) =>
  (one.ino === other.ino && one.dev === other.dev) ||
  (one.isFile() && other.isFile() && one.size === other.size && one.mode === other.mode && isSameTime(one, other))

/** Node sets times as a number of seconds, which is exact to a quarter of a microsecond. */
const isSameTime = (one: BigIntStats, other: BigIntStats) => {
  const apart = one.mtimeNs - other.mtimeNs
  return apart > -1000n && apart < 1000n
}

/** Where the file system has no links, or the folders are on two of them, the file is copied. */
const isLinked = (source: string, target: string) =>
  link(source, target).then(
    () => true,
    () => false,
  )

/** Owner, rights and times of the original: PostgreSQL looks at the first two, and we at the last. */
async function dress(target: string, { uid, gid, mode, mtimeNs }: BigIntStats): Promise<void> {
  if (process.getuid?.() === 0) await lchown(target, Number(uid), Number(gid))
  await chmod(target, Number(mode) & 0o7777)
  const seconds = Number(mtimeNs) / 1e9
  await utimes(target, seconds, seconds)
}

/** Thousands of files, most of which are the same: to wait for each look would take ten times as long as the looks. */
const lookAt = (path: string) => lstatSync(path, { bigint: true, throwIfNoEntry: false })
const remove = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 5 })
