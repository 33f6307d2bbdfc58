import { createHash } from 'node:crypto'
import { mkdir, open, readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Platform } from '@icosa/kernel'
import { serviceName } from '../../names.ts'
import { insertBulk } from './bulk-store.ts'

export interface Filling {
  readonly tenant: string
  readonly contributions: number
  /** Size of each file. */
  readonly bytes: number
  /** Blob folder of the platform. The files in it are sparse. */
  readonly folder: string
}

/** Creates contributions with one file each. Returns the blob keys. */
export async function fill({ database, blobsOf }: Platform, filling: Filling): Promise<string[]> {
  const { tenant, contributions, bytes, folder } = filling
  const blobs = blobsOf(serviceName, tenant)
  const keys = Array.from({ length: contributions }, (_, index) => `bulk/${index + 1}/original`)
  const [first = ''] = keys
  const zeros = Buffer.alloc(bytes)
  await blobs.put(first, zeros, { contentType: 'video/mp4' })
  const path = await onlyFile(folder)
  const fileAt = (key: string) => path.replace('-bulk/d-1/', `-bulk/d-${key.split('/')[1]}/`)
  const trailer = (await readFile(path)).subarray(bytes)
  for (const key of keys.slice(1)) {
    await mkdir(dirname(fileAt(key)), { recursive: true })
    const file = await open(fileAt(key), 'w')
    await file.write(trailer, 0, trailer.length, bytes)
    await file.close()
  }
  await insertBulk(database, {
    tenant,
    contributions,
    size: bytes,
    crc32: crc32(zeros),
    sha256: createHash('sha256').update(zeros).digest(),
  })
  return keys
}

/** Path of the first blob. */
async function onlyFile(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const [file, ...others] = entries.filter((entry) => entry.isFile())
  if (!file || others.length > 0) throw new Error('The blob store is not empty, or not in this folder.')
  return join(file.parentPath, file.name)
}
