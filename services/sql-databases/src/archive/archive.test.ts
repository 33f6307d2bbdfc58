import { createSecretKey, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { defaultSettings } from '../settings.ts'
import { continuousBackup } from './continuous.ts'
import { fromLsn, readSize, segmentName, segmentOf, toLsn } from './lsn.ts'
import { openBytes, openStream, sealBytes, sealStream } from './sealing.ts'
import { receivedSegments } from './segments.ts'

const key = createSecretKey(randomBytes(32))

test('places in the log are read, written and named as PostgreSQL does', () => {
  expect(toLsn('16/B374D848')).toBe(0x16_b374_d848n)
  expect(fromLsn(0x16_b374_d848n)).toBe('16/B374D848')
  const bytes = readSize('16MB')
  expect(segmentName(1, segmentOf(toLsn('16/B374D848'), bytes), bytes)).toBe('0000000100000016000000B3')
  expect(segmentName(3, toLsn('1/0'), readSize('1MB'))).toBe('000000030000000100000000')
  expect(() => readSize('much')).toThrow(/not a size/)
})

test('what is sealed is opened in its own place only, and not if anything of it is missing', async () => {
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

test('the log is kept piece by piece, and a file of it that is full once more as a whole', () => {
  const start = new Date(0)
  const segments = receivedSegments(1_000n, 100, start)
  const kept = () => {
    const all = []
    for (let next = segments.next(); next; next = segments.next()) {
      all.push([next.start, next.bytes.toString(), next.sentAt])
      next.done()
    }
    return all
  }
  segments.add(1_000n, Buffer.from('one'))
  expect(kept()).toEqual([[1_000n, 'one', start]])
  const marked = new Date(5)
  segments.marked({ at: marked, end: 1_003n })
  segments.add(1_003n, Buffer.from('two'))
  expect(kept()).toEqual([[1_003n, 'two', marked]])
  expect(segments.waiting()).toBe(0)
  segments.add(1_006n, Buffer.alloc(100, 'x'))
  expect(segments.end()).toBe(1_106n)
  expect(kept()).toEqual([
    [1_000n, `onetwo${'x'.repeat(94)}`, start],
    [1_100n, 'xxxxxx', marked],
  ])
  expect(() => segments.add(2_000n, Buffer.from('y'))).toThrow(/goes on at 2000 instead of 1106/)
})

test('where no role may archive, the refusal names the setting', () => {
  const find = () => Promise.reject(new Error('nobody looks'))
  expect(continuousBackup(find, defaultSettings).refusal).toMatch(/ICOSA_SQL_ARCHIVE_URL/)
  expect(continuousBackup(find, { ...defaultSettings, archiveUrl: 'postgres://x' }).refusal).toBeUndefined()
})
