import { expect, test } from 'vitest'
import { sources, textOf } from './sources.ts'

/**
 * Blobs of no tenant count against no limit and stay when a tenant is deleted. A service that keeps any says why, and how those
 * that a tenant causes go with it.
 */
const shared: Readonly<Record<string, string>> = {
  'podcast-directory':
    'thumbnails of 300 by 300 pixels, read without a credential; `tenancy.release` deletes those of a tenant',
  'sql-databases': 'the WAL archive of the SQL host, which is the same for all tenants; pruned by age',
}

test('only services with a reason keep blobs of no tenant', () => {
  const using = sources
    .filter((file) => /^services\/[^/]+\/src\//.test(file) && !/\.test\.ts$|\/testing\//.test(file))
    .filter((file) => /\bblobs\.shared\b|\bshared\b[^=\n]*= platform\.blobsOf|\bshared \}\) \{/.test(textOf(file)))
  expect([...new Set(using.map((file) => file.split('/')[1]))].sort()).toEqual(Object.keys(shared).sort())
})
