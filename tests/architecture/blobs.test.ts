import { testServerUrl } from '@icosa/testing'
import { expect, test } from 'vitest'
import { allServices } from '../../apps/server/src/services.ts'
import { sources, textOf } from './sources.ts'

/**
 * Shared blobs count against no quota and survive the deletion of a tenant. A service that stores any states why, and how
 * those caused by a tenant are deleted with it.
 */
const shared: Readonly<Record<string, string>> = {
  'podcast-directory':
    'thumbnails of 300 by 300 pixels, read without a credential; `tenancy.release` deletes those of a tenant',
  'unpack-analysis': 'samples of anonymous callers, deleted after an hour',
  'sql-databases': 'the WAL archive of the SQL host, which is the same for all tenants; pruned by age',
}

const serviceFiles = sources.filter(
  (file) => /^services\/[^/]+\/src\//.test(file) && !/\.test\.ts$|\/testing\//.test(file),
)
const servicesOf = (files: readonly string[]) => [...new Set(files.map((file) => file.split('/')[1] ?? ''))].sort()

test('only services with a stated reason store shared blobs', () => {
  const using = serviceFiles.filter((file) =>
    /\bblobs\.shared\b|\bshared\b[^=\n]*= platform\.blobsOf|\bshared \}\) \{|\{ shared \}: OwnBlobs/.test(textOf(file)),
  )
  expect(servicesOf(using)).toEqual(Object.keys(shared).sort())
})

test('services that write blobs declare how they avoid orphans', async () => {
  const writing = serviceFiles.filter((file) => /\b(blobs|shared)(\.\w+(\(\w+\))?)?\.put\(/.test(textOf(file)))
  const declaring = (await allServices({ databaseUrl: testServerUrl })).filter(({ blobs }) => blobs)
  const names = servicesOf(writing).filter((name) => name !== 'platform') // it wraps the blobs of other services
  expect(declaring.map(({ name }) => name).sort()).toEqual(names)
})
