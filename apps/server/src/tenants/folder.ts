import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { UsageError } from '@icosa/module'

/** Returns a function that writes files below a new folder, readable only by its owner. */
export async function folderWriter(folder: string) {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new UsageError(`${folder} already exists: name a new folder.`) : error
  })
  return async (path: string, content: AsyncIterable<string | Uint8Array>): Promise<void> => {
    const parts = path.split('/').map((part) => (/^\.*$/.test(part) ? part.replaceAll('.', '%2E') || '%' : part))
    const file = join(folder, ...parts)
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await pipeline(Readable.from(content), createWriteStream(file, { mode: 0o600, flags: 'wx' }))
  }
}
