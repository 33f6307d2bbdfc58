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
/** Chunks with arbitrary boundaries, as from a network. */
const chunksOf = (bytes: Buffer) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / 777) }, (_, at) => bytes.subarray(at * 777, at * 777 + 777)),
  )
const unpackTar = (bytes: Buffer, more = limits) => unpack(chunksOf(bytes), join(folder, 'out'), more)

/** One entry, possibly malicious. */
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
const tarOf = (...entries: Buffer[]) => gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)]))

test.each(['gnu', 'pax', 'ustar'])('a %s tar is unpacked unchanged', async (format) => {
  const source = join(folder, 'in')
  const long = format === 'ustar' ? 'short' : `${'deep/'.repeat(30)}${'x'.repeat(120)}`
  mkdirSync(join(source, long, '..'), { recursive: true })
  writeFileSync(join(source, long), 'at the end')
  writeFileSync(join(source, 'größe.txt'), 'x'.repeat(100_000))
  writeFileSync(join(source, 'run.sh'), '#!', { mode: 0o755 })
  writeFileSync(join(source, 'empty'), '')
  symlinkSync('run.sh', join(source, 'link'))
  const bytes = await unpackTar(execFileSync('tar', [`--format=${format}`, '-czf', '-', '-C', source, '.']))
  expect(bytes).toBeGreaterThan(100_000)
  expect(readFileSync(out(long), 'utf8')).toBe('at the end')
  expect(statSync(out('größe.txt')).size).toBe(100_000)
  expect(statSync(out('run.sh')).mode & 0o777).toBe(0o755)
  expect(statSync(out('empty')).size).toBe(0)
  expect(readlinkSync(out('link'))).toBe('run.sh')
})

const refused: [string, RegExp, Buffer][] = [
  ['path traversal', /is outside/, tarOf(entry('../evil', { body: 'x' }))],
  ['nested path traversal', /is outside/, tarOf(entry('a/../../evil', { body: 'x' }))],
  ['an absolute path', /is outside/, tarOf(entry('/etc/evil', { body: 'x' }))],
  ['an empty path', /is outside/, tarOf(entry('', { body: 'x' }))],
  ['a symlink with path traversal', /is outside/, tarOf(entry('link', { type: '2', link: '../..' }))],
  ['a symlink to an absolute path', /is outside/, tarOf(entry('link', { type: '2', link: '/etc' }))],
  [
    'a symlink in a symlink',
    /inside of a symlink/,
    tarOf(entry('a', { type: '2', link: '.' }), entry('a/b', { type: '2', link: 'c' })),
  ],
  ['a hard link', /neither a file/, tarOf(entry('hard', { type: '1', link: '/etc/passwd' }))],
  ['a device', /neither a file/, tarOf(entry('device', { type: '3' }))],
  ['a pipe', /neither a file/, tarOf(entry('pipe', { type: '6' }))],
  ['a duplicate file', /twice/, tarOf(entry('a', { body: 'x' }), entry('a', { body: 'y' }))],
  ['a file in place of a folder', /unpacked/, tarOf(entry('a/b', { body: 'x' }), entry('a', { body: 'y' }))],
  ['a folder in place of a file', /unpacked/, tarOf(entry('a', { body: 'x' }), entry('a/b', { body: 'y' }))],
  ['a truncated tar', /too early/, gzipSync(entry('a', { body: 'x'.repeat(5_000) }).subarray(0, 2_000))],
  ['a damaged header', /damaged/, tarOf(Buffer.alloc(512, 'x'))],
  ['another format', /unpacked/, Buffer.from('hello')],
]

test.each(refused)('%s is refused', async (_, message, bytes) => {
  await expect(unpackTar(bytes)).rejects.toThrow(message)
})

test('nothing is written through a symlink of the same tar', async () => {
  const link = entry('to', { type: '2', link: 'there' })
  await expect(unpackTar(tarOf(link, entry('to/file', { body: 'x' })))).rejects.toThrow(/unpacked/)
})

test('too many bytes or entries are refused before they are written', async () => {
  const zeros = gzipSync(
    Buffer.concat([entry('a', { body: '\0'.repeat(9_000) }), entry('b', { body: '\0'.repeat(9_000) })]),
  )
  await expect(unpackTar(zeros, { bytes: 10_000, entries: 10 })).rejects.toThrow(/more than 10000 bytes/)
  rmSync(out('a'))
  const many = tarOf(...Array.from({ length: 20 }, (_, n) => entry(`f${n}`)))
  await expect(unpackTar(many, { bytes: 10_000, entries: 10 })).rejects.toThrow(/more than 10 entries/)
})

test.each(['x', 'g', 'L', 'K'])(
  'a header of type %s that announces 16 MB is refused before it is read',
  async (type) => {
    let bytesRead = 0
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
      for (yield head; bytesRead < 2 ** 24; bytesRead += 2 ** 16) yield Buffer.alloc(2 ** 16, Math.random().toString()) // hardly shrinks
    }
    const gzipped = Readable.from(source()).pipe(createGzip({ level: 0 }))
    await expect(unpack(gzipped, join(folder, 'out'), { bytes: 2 ** 30, entries: 10 })).rejects.toThrow(/too long/)
    expect(bytesRead).toBeLessThan(2 ** 21)
  },
)

test('the content of a folder entry is skipped, however large', async () => {
  const large = entry('folder', { type: '5', body: 'x'.repeat(4_000_000) })
  await unpack(chunksOf(tarOf(large, entry('after', { body: 'y' }))), join(folder, 'out'), limits)
  expect(readFileSync(out('after'), 'utf8')).toBe('y')
})
