import { openDatabase, sql } from '@icosa/kernel'
import { testServerUrl } from '@icosa/testing'
import { expect, test } from 'vitest'
import { arrayOf, documentEnd, documents } from './array.ts'

test('arrays and documents reach PostgreSQL unchanged', async () => {
  const db = openDatabase({ url: testServerUrl, maxConnections: 1, onError: () => {} })
  const texts = [
    'a',
    '',
    ' ',
    'null',
    'NULL',
    null,
    'a,b',
    '{}',
    '"',
    '\\',
    `\\"{,}'`,
    'grüße',
    'a\nb\x1e',
    '0',
    '-1:x_y',
  ]
  const numbers = [0, -1, 1_700_000_000_000, null]
  const values = [{ text: 'a"b\\\x1e\0\ud800' }, 'x', 1, null, []]
  const row = await db.one(sql`
    select ${arrayOf(texts)}::text[] as texts, ${arrayOf(numbers)}::bigint[]::text[] as numbers,
      string_to_array(${documents(values)}, ${documentEnd})::json[] as values`)
  await db.close()
  expect(row).toEqual({ texts, numbers: ['0', '-1', '1700000000000', null], values })
})
