import { createWriteStream } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'
import { Failure } from '@icosa/kernel'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { readEntry } from './entry.ts'
import { refuseSource } from './refusal.ts'

export interface UnpackLimits {
  readonly files: number
  /** Total unpacked size. */
  readonly bytes: number
  /** Compression ratio, from `minAllowance` on. */
  readonly ratio: number
}

export const unpackLimits: UnpackLimits = { files: 20_000, bytes: 500 * 1024 ** 2, ratio: 100 }

const minAllowance = 10 * 1024 ** 2

/** Unpacks an untrusted zip into an empty folder. Anything but regular files inside that folder is refused. */
export async function unpack(
  zip: string,
  into: string,
  { limits = unpackLimits, signal }: { readonly limits?: UnpackLimits; readonly signal?: AbortSignal } = {},
): Promise<{ readonly files: number }> {
  const allowed = Math.min(limits.bytes, Math.max(minAllowance, (await stat(zip)).size * limits.ratio))
  const file = await open(zip)
  let files = 0
  let bytes = 0
  try {
    for await (const entry of file.eachEntry()) {
      signal?.throwIfAborted()
      const { path, isFolder, isExecutable } = readEntry(entry)
      if (path === '__MACOSX' || path.startsWith('__MACOSX/')) continue // added by macOS
      if (++files > limits.files) refuseSource(`it has more than ${limits.files} files. Remove unneeded files.`)
      bytes += entry.uncompressedSize
      if (bytes > allowed)
        refuseSource(`unpacked it would be larger than ${Math.floor(allowed / 1024 ** 2)} MiB. Remove unneeded files.`)
      if (isFolder) await createFolder(join(into, path), path)
      else await write(file, entry, join(into, path), { path, isExecutable })
    }
  } catch (error) {
    if (error instanceof Failure || signal?.aborted) throw error
    refuseSource(`the zip is damaged (${(error as Error).message}). Zip it again.`)
  } finally {
    file.close()
  }
  if (files === 0) refuseSource('the zip is empty.')
  return { files }
}

async function open(zip: string): Promise<ZipFile> {
  try {
    return await openPromise(zip, { decodeStrings: false, autoClose: false })
  } catch (error) {
    return refuseSource(`it is not a zip (${(error as Error).message}).`)
  }
}

async function createFolder(folder: string, path: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o755 }).catch(() => clash(path))
}

async function write(
  file: ZipFile,
  entry: Entry,
  to: string,
  { path, isExecutable }: { readonly path: string; readonly isExecutable: boolean },
): Promise<void> {
  await createFolder(dirname(to), path)
  const content = await file.openReadStreamPromise(entry)
  const target = createWriteStream(to, { flags: 'wx', mode: isExecutable ? 0o755 : 0o644 })
  await pipeline(content, verifyCrc(entry.crc32), target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST' || error.code === 'EISDIR') clash(path)
    throw error
  })
}

/** Passes content through and verifies its checksum at the end. */
const verifyCrc = (expected: number) =>
  async function* (content: AsyncIterable<Buffer>) {
    let sum = 0
    for await (const chunk of content) {
      sum = crc32(chunk, sum)
      yield chunk
    }
    if (sum !== expected) throw new Error('a checksum does not match')
  }

function clash(path: string): never {
  return refuseSource(`two entries of the zip have the path ${JSON.stringify(path)}. Zip it again.`)
}
