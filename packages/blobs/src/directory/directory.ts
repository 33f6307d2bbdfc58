import { randomUUID } from 'node:crypto'
import { chmod, link, mkdir, open, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type BlobEntry, type BlobInfo, type Blobs, Failure, notFound, privateFile, privateFolder } from '@icosa/kernel'
import {
  checkContentType,
  checkKey,
  checkPage,
  checkRange,
  defaultContentType,
  rangeNotSatisfiable,
} from '../checks.ts'
import { fileOf } from './names.ts'
import { type OpenObject, openObjectFile, writeObjectFile } from './object-file.ts'
import { type UrlSigner, type UrlSignerOptions, urlSigner } from './signed-url.ts'
import { walk } from './walk.ts'

export interface DirectoryBlobsOptions extends UrlSignerOptions {
  readonly directory: string
}

export interface OpenBlob extends Pick<OpenObject, 'read' | 'close'> {
  readonly info: BlobInfo
}

export interface DirectoryBlobs extends Blobs {
  /** Opens one version of an object, without reading its content yet. */
  open(key: string): Promise<OpenBlob>
  readonly openSignedUrl: UrlSigner['open']
}

const dayInMilliseconds = 24 * 60 * 60 * 1000

/** Blob store in a local folder, one file per object. */
export async function directoryBlobs(options: DirectoryBlobsOptions): Promise<DirectoryBlobs> {
  const { directory, clock } = options
  const objects = join(directory, 'objects')
  const incoming = join(directory, 'incoming')
  const signer = urlSigner(options)
  for (const folder of [objects, incoming]) {
    await mkdir(folder, privateFolder)
    await chmod(folder, privateFolder.mode) // may have been created by an earlier version
  }
  for (const folder of [directory, dirname(directory)]) await syncFolder(folder)
  await removeAbandoned(incoming)

  const find = async (key: string): Promise<OpenBlob | undefined> => {
    checkKey(key)
    const file = await openObjectFile(fileOf(objects, key))
    return file && { info: { key, ...file.facts }, read: file.read, close: file.close }
  }
  const openBlob = async (key: string) => (await find(key)) ?? notFound('blob', key)

  return {
    open: openBlob,
    openSignedUrl: signer.open,
    signedUrl: async (key, urlOptions) => signer.sign(key, urlOptions),

    async put(key, body, { contentType = defaultContentType, ifAbsent = false } = {}) {
      checkKey(key)
      checkContentType(contentType)
      const file = fileOf(objects, key)
      const temporary = join(incoming, randomUUID())
      try {
        const { size, etag } = await writeObjectFile(temporary, body, { contentType, clock })
        await place(temporary, file, ifAbsent).catch((error: unknown) => {
          throw hasCode(error, 'EEXIST') ? alreadyExists(key) : error
        })
        await syncFolders(dirname(file), objects)
        return { key, size, etag, contentType }
      } finally {
        await rm(temporary, { force: true })
      }
    },

    async get(key, range = {}) {
      checkRange(range)
      const { info, read, close } = await openBlob(key)
      if (range.start === undefined && range.end === undefined) return { info, body: read(0, info.size - 1) }
      const { start = 0, end = info.size - 1 } = range
      if (start < info.size) return { info, body: read(start, Math.min(end, info.size - 1)) }
      await close()
      throw rangeNotSatisfiable(key)
    },

    async head(key) {
      const blob = await find(key)
      await blob?.close()
      return blob?.info
    },

    async delete(key) {
      checkKey(key)
      const file = fileOf(objects, key)
      await rm(file, { force: true })
      await removeEmptyFolders(dirname(file), objects)
    },

    async list(prefix, page) {
      checkPage(prefix, page)
      const items: BlobEntry[] = []
      for await (const { key, file } of walk(objects, { prefix, after: page.after ?? '', batch: page.limit + 1 })) {
        const entry = await readEntry(key, file)
        if (!entry) continue
        const last = items.at(-1)
        if (last && items.length === page.limit) return { items, next: last.key }
        items.push(entry)
      }
      return { items }
    },
  }
}

async function readEntry(key: string, path: string): Promise<BlobEntry | undefined> {
  const file = await openObjectFile(path)
  await file?.close()
  return file && { key, size: file.facts.size, etag: file.facts.etag, modifiedAt: file.facts.modifiedAt }
}

/**
 * Retries, as a concurrent delete may remove the folder as soon as it is empty: before the rename (ENOENT), or between
 * two steps of Node's recursive mkdir, which reports ENOTDIR for a parent that has just vanished.
 */
async function place(temporary: string, file: string, ifAbsent: boolean): Promise<void> {
  for (let attemptsLeft = 100; ; attemptsLeft--) {
    try {
      await mkdir(dirname(file), privateFolder)
      return await (ifAbsent ? link(temporary, file) : rename(temporary, file))
    } catch (error) {
      if (attemptsLeft === 0 || !(hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR'))) throw error
    }
  }
}

async function removeEmptyFolders(folder: string, root: string): Promise<void> {
  let current = folder
  while (current !== root) {
    try {
      await rmdir(current)
    } catch (error) {
      if (hasCode(error, 'ENOTEMPTY') || hasCode(error, 'EEXIST')) break
      if (!hasCode(error, 'ENOENT')) throw error
    }
    current = dirname(current)
  }
  await syncFolder(current)
}

/** Syncs up to the root, since a concurrent put may have created a folder without having synced it yet. */
async function syncFolders(folder: string, root: string): Promise<void> {
  for (let current = folder; current !== root; current = dirname(current)) await syncFolder(current)
  await syncFolder(root)
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  })
  await handle?.sync().finally(() => handle.close())
}

/**
 * Deletes partial uploads of crashed processes, unchanged for a day. Compares with the file system's clock, since the
 * platform's can be moved, and another node's upload may be in progress.
 */
async function removeAbandoned(incoming: string): Promise<void> {
  const newest = join(incoming, randomUUID())
  await writeFile(newest, '', privateFile)
  const { mtimeMs: now } = await stat(newest)
  for (const name of await readdir(incoming)) {
    const file = join(incoming, name)
    const age = now - (await modifiedAt(file, now))
    if (file === newest || age > dayInMilliseconds) await rm(file, { force: true })
  }
}

async function modifiedAt(file: string, otherwise: number): Promise<number> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => otherwise,
  )
}

function alreadyExists(key: string): Failure {
  return new Failure('alreadyExists', `The blob '${key}' already exists; choose another key or put without ifAbsent.`)
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
