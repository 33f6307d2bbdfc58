import { createSecretKey, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { defaultSettings } from '../settings.ts'
import { continuousBackup } from './continuous.ts'
import { fromLsn, parseSize, segmentName, segmentOf, toLsn } from './lsn.ts'
import { openBytes, openStream, sealBytes, sealStream } from './sealing.ts'
import { openWalBuffer } from './wal-buffer.ts'

const key = createSecretKey(randomBytes(32))

test('LSNs are parsed and formatted, and segments named, as PostgreSQL does', () => {
  expect(toLsn('16/B374D848')).toBe(0x16_b374_d848n)
  expect(fromLsn(0x16_b374_d848n)).toBe('16/B374D848')
  const bytes = parseSize('16MB')
  expect(segmentName(1, segmentOf(toLsn('16/B374D848'), bytes), bytes)).toBe('0000000100000016000000B3')
  expect(segmentName(3, toLsn('1/0'), parseSize('1MB'))).toBe('000000030000000100000000')
  expect(() => parseSize('much')).toThrow(/not a size/)
})

test('ciphertext is opened under its own name only, and not if truncated', async () => {
  const sealed = await sealBytes(key, 'here', Buffer.from('a secret'))
  expect(String(await openBytes(key, 'here', sealed))).toBe('a secret')
  await expect(openBytes(key, 'there', sealed)).rejects.toThrow()

  const content = randomBytes(3_500_000)
  const stream = await buffer(sealStream(key, 'here', Readable.from([content.subarray(0, 7), content.subarray(7)])))
  const open = (bytes: Buffer, place = 'here') => buffer(openStream(key, place, Readable.from([bytes])))
  expect((await open(stream)).equals(content)).toBe(true)
  await expect(open(stream, 'there')).rejects.toThrow()
  const first = 4 + stream.readUInt32BE(0)
  await expect(open(stream.subarray(0, first)), 'only its beginning').rejects.toThrow()
  await expect(open(stream.subarray(first)), 'without its beginning').rejects.toThrow()
  await expect(open(stream.subarray(0, -1)), 'a byte less').rejects.toThrow()
})

test('WAL is archived in chunks, and a full segment once more as a whole', () => {
  const start = new Date(0)
  const wal = openWalBuffer(1_000n, 100, start)
  const archive = () => {
    const archived = []
    for (let next = wal.pending(); next; next = wal.pending()) {
      archived.push([next.start, next.bytes.toString(), next.sentAt])
      next.onArchived()
    }
    return archived
  }
  wal.append(1_000n, Buffer.from('one'))
  expect(archive()).toEqual([[1_000n, 'one', start]])
  const at = new Date(5)
  wal.advance({ at, end: 1_003n })
  wal.append(1_003n, Buffer.from('two'))
  expect(archive()).toEqual([[1_003n, 'two', at]])
  expect(wal.bufferedBytes()).toBe(0)
  wal.append(1_006n, Buffer.alloc(100, 'x'))
  expect(wal.end()).toBe(1_106n)
  expect(archive()).toEqual([
    [1_000n, `onetwo${'x'.repeat(94)}`, start],
    [1_100n, 'xxxxxx', at],
  ])
  expect(() => wal.append(2_000n, Buffer.from('y'))).toThrow(/continues at 2000 instead of 1106/)
})

test('without an archiving role, the refusal names the setting', () => {
  const find = () => Promise.reject(new Error('it is not called'))
  expect(continuousBackup(find, defaultSettings).refusal).toMatch(/ICOSA_SQL_ARCHIVE_URL/)
  expect(continuousBackup(find, { ...defaultSettings, archiveUrl: 'postgres://x' }).refusal).toBeUndefined()
})
