import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createGzip, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { unpack } from './tar.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync('/tmp/tar-')
  mkdirSync(join(folder, 'out'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const limits = { bytes: 10_000_000, entries: 100 }
const out = (path: string) => join(folder, 'out', path)
/** As they come over a network: in pieces that begin and end anywhere. */
const pieces = (packed: Buffer) =>
  Readable.from(
    Array.from({ length: Math.ceil(packed.length / 777) }, (_, at) => packed.subarray(at * 777, at * 777 + 777)),
  )
const unpacked = (packed: Buffer, more = limits) => unpack(pieces(packed), join(folder, 'out'), more)

/** One entry, as somebody with bad intentions writes it. */
function entry(
  path: string,
  { type = '0', link = '', body = '' }: { type?: string; link?: string; body?: string } = {},
): Buffer {
  const head = Buffer.alloc(512)
  head.write(path, 0, 100)
  head.write('0000644\0', 100)
  head.write(`${body.length.toString(8).padStart(11, '0')}\0`, 124)
  head.write(' '.repeat(8), 148)
  head.write(type, 156)
  head.write(link, 157, 100)
  head.write('ustar\x0000', 257)
  const sum = head.reduce((total, byte) => total + byte, 0)
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([head, Buffer.alloc(Math.ceil(body.length / 512) * 512, 0).fill(body, 0, body.length)])
}
const packed = (...entries: Buffer[]) => gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)]))

test.each(['gnu', 'pax', 'ustar'])('what tar packs as %s comes out as it was', async (format) => {
  const source = join(folder, 'in')
  const long = format === 'ustar' ? 'short' : `${'deep/'.repeat(30)}${'x'.repeat(120)}`
  mkdirSync(join(source, long, '..'), { recursive: true })
  writeFileSync(join(source, long), 'at the end')
  writeFileSync(join(source, 'größe.txt'), 'x'.repeat(100_000))
  writeFileSync(join(source, 'run.sh'), '#!', { mode: 0o755 })
  writeFileSync(join(source, 'empty'), '')
  symlinkSync('run.sh', join(source, 'link'))
  const bytes = await unpacked(execFileSync('tar', [`--format=${format}`, '-czf', '-', '-C', source, '.']))
  expect(bytes).toBeGreaterThan(100_000)
  expect(readFileSync(out(long), 'utf8')).toBe('at the end')
  expect(statSync(out('größe.txt')).size).toBe(100_000)
  expect(statSync(out('run.sh')).mode & 0o777).toBe(0o755)
  expect(statSync(out('empty')).size).toBe(0)
  expect(readlinkSync(out('link'))).toBe('run.sh')
})

const refused: [string, RegExp, Buffer][] = [
  ['a path that climbs', /leads out/, packed(entry('../evil', { body: 'x' }))],
  ['one that climbs in the middle', /leads out/, packed(entry('a/../../evil', { body: 'x' }))],
  ['an absolute path', /leads out/, packed(entry('/etc/evil', { body: 'x' }))],
  ['an empty path', /leads out/, packed(entry('', { body: 'x' }))],
  ['a symlink that climbs', /leads out/, packed(entry('link', { type: '2', link: '../..' }))],
  ['a symlink to an absolute path', /leads out/, packed(entry('link', { type: '2', link: '/etc' }))],
  [
    'a symlink in a symlink',
    /inside of a symlink/,
    packed(entry('a', { type: '2', link: '.' }), entry('a/b', { type: '2', link: 'c' })),
  ],
  ['a hard link', /neither a file/, packed(entry('hard', { type: '1', link: '/etc/passwd' }))],
  ['a device', /neither a file/, packed(entry('device', { type: '3' }))],
  ['a pipe', /neither a file/, packed(entry('pipe', { type: '6' }))],
  ['a file twice', /twice/, packed(entry('a', { body: 'x' }), entry('a', { body: 'y' }))],
  ['a file where a folder is', /unpacked/, packed(entry('a/b', { body: 'x' }), entry('a', { body: 'y' }))],
  ['a folder where a file is', /unpacked/, packed(entry('a', { body: 'x' }), entry('a/b', { body: 'y' }))],
  ['one that ends too early', /too early/, gzipSync(entry('a', { body: 'x'.repeat(5_000) }).subarray(0, 2_000))],
  ['a damaged header', /damaged/, packed(Buffer.alloc(512, 'x'))],
  ['what is not gzip', /unpacked/, Buffer.from('hello')],
]

test.each(refused)('%s is refused', async (_, why, bytes) => {
  await expect(unpacked(bytes)).rejects.toThrow(why)
})

test('what is written through a symlink of the same tar stays inside', async () => {
  const link = entry('to', { type: '2', link: 'there' })
  await expect(unpacked(packed(link, entry('to/file', { body: 'x' })))).rejects.toThrow(/unpacked/)
})

test('too many bytes and too many entries end it, before they are there', async () => {
  const zeros = gzipSync(
    Buffer.concat([entry('a', { body: '\0'.repeat(9_000) }), entry('b', { body: '\0'.repeat(9_000) })]),
  )
  await expect(unpacked(zeros, { bytes: 10_000, entries: 10 })).rejects.toThrow(/more than 10000 bytes/)
  rmSync(out('a'))
  const many = packed(...Array.from({ length: 20 }, (_, n) => entry(`f${n}`)))
  await expect(unpacked(many, { bytes: 10_000, entries: 10 })).rejects.toThrow(/more than 10 entries/)
})

test.each(['x', 'g', 'L', 'K'])(
  'a header of type %s that announces 16 MB is refused before it is read',
  async (type) => {
    let read = 0
    async function* source() {
      const head = entry('evil', { type })
      head.write(`${(2 ** 24).toString(8).padStart(11, '0')}\0`, 124)
      head.write(' '.repeat(8), 148)
      head.write(
        `${head
          .reduce((total, byte) => total + byte, 0)
          .toString(8)
          .padStart(6, '0')}\0 `,
        148,
      )
      for (yield head; read < 2 ** 24; read += 2 ** 16) yield Buffer.alloc(2 ** 16, Math.random().toString()) // hardly shrinks
    }
    const gzipped = Readable.from(source()).pipe(createGzip({ level: 0 }))
    await expect(unpack(gzipped, join(folder, 'out'), { bytes: 2 ** 30, entries: 10 })).rejects.toThrow(/too long/)
    expect(read).toBeLessThan(2 ** 21)
  },
)

test('the content of a folder entry is skipped, however large', async () => {
  const large = entry('folder', { type: '5', body: 'x'.repeat(4_000_000) })
  await unpack(pieces(packed(large, entry('after', { body: 'y' }))), join(folder, 'out'), limits)
  expect(readFileSync(out('after'), 'utf8')).toBe('y')
})
