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
  /** Of each. */
  readonly bytes: number
  /** Where the platform has its blobs: there the files are sparse, so that they take no space. */
  readonly folder: string
}

/** Contributions with a file each. Answers the keys of the files, in no order. */
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

/** Where the blobs have put the first one. */
async function onlyFile(folder: string): Promise<string> {
  const all = await readdir(folder, { recursive: true, withFileTypes: true })
  const [file, ...others] = all.filter((one) => one.isFile())
  if (!file || others.length > 0) throw new Error('The blobs are not empty, or not in this folder.')
  return join(file.parentPath, file.name)
}
