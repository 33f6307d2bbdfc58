import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, chown, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Failure } from '@icosa/kernel'

/** Sizes by path. */
export type Listing = ReadonlyMap<string, number>

const locks = 'locks'
const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** Files of a repository without its locks; none if it does not exist. */
export async function listFiles(folder: string): Promise<Listing> {
  const files = new Map<string, number>()
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error) => {
    if (isMissing(error)) return []
    throw error
  })
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name).slice(folder.length + 1)
    if (!entry.isFile() || path.startsWith(`${locks}/`)) continue
    const size = await stat(join(folder, path)).then(
      (file) => file.size,
      (error) => (isMissing(error) ? undefined : Promise.reject(error)),
    )
    if (size !== undefined) files.set(path, size)
  }
  return files
}

/** Older locks are of dead processes: restic renews its own every five minutes. */
const staleMs = 30 * 60_000

export async function isLocked(folder: string): Promise<boolean> {
  for (const name of await readdir(join(folder, locks)).catch(() => [])) {
    const file = await stat(join(folder, locks, name)).catch(() => undefined)
    if (file && Date.now() - file.mtimeMs < staleMs) return true
  }
  return false
}

/** Makes one folder equal to the other: files are added and deleted, and never change, as their names are their hashes. */
export async function mirror(from: string, to: string): Promise<void> {
  const [files, copies] = await Promise.all([listFiles(from), listFiles(to)])
  for (const path of copies.keys()) if (files.get(path) !== copies.get(path)) await rm(join(to, path), { force: true })
  const missing = [...files.keys()].filter((path) => files.get(path) !== copies.get(path))
  if (files.size > 0) await makeFolder(join(to, locks))
  for (const path of missing) await copyFile(from, to, path)
}

export const differentFiles = (one: Listing, other: Listing): string[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter((path) => one.get(path) !== other.get(path))

const hashName = /(?:^|\/)([\da-f]{64})$/

/** A file has its name once all of it is stored and has the hash that it is named by. */
async function copyFile(from: string, to: string, path: string): Promise<void> {
  const [file, copy, draft] = [join(from, path), join(to, path), join(to, `${path}.${randomUUID()}`)]
  const hash = createHash('sha256')
  const hashing = new Transform({
    transform(chunk, _, next) {
      hash.update(chunk)
      next(null, chunk)
    },
  })
  await makeFolder(dirname(copy))
  try {
    await pipeline(createReadStream(file), hashing, createWriteStream(draft, { mode: 0o600, flush: true }))
    const [, name] = hashName.exec(path) ?? []
    if (name !== undefined && name !== hash.digest('hex'))
      throw new Failure('conflict', `The file ${file} is damaged: run \`icosa backup verify\`.`)
    await chmod(draft, (await stat(file)).mode)
    await own(draft, to)
    await rename(draft, copy)
  } catch (error) {
    await rm(draft, { force: true })
    if (!isMissing(error)) throw error // pruned in the meantime
  }
}

async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let at = folder; at.length >= first.length; at = dirname(at)) await own(at, dirname(first))
}

/** The workers' own, which is not root. */
async function own(file: string, folder: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(folder)
  await chown(file, uid, gid)
}
