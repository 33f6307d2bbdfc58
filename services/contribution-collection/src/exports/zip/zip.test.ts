import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { crc32, crc32Joined } from './crc32.ts'
import { directoryRecord, endRecords, fileHeader, type ZipFile } from './records.ts'

const run = promisify(execFile)
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'icosa-zip-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const modified = new Date('2026-05-04T03:02:01Z')

function zipOf(files: readonly (readonly [string, Buffer])[]): Buffer {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of files) {
    const file: ZipFile = { name, size: content.length, crc32: crc32(content), modified }
    directory.push(directoryRecord(file, offset))
    for (const piece of [fileHeader(file), content]) {
      pieces.push(piece)
      offset += piece.length
    }
  }
  const records = Buffer.concat(directory)
  return Buffer.concat([...pieces, records, endRecords({ files: files.length, size: records.length, offset })])
}

test('unzip and Python read the zip with all file names', async () => {
  const files = [
    ['a/one.txt', Buffer.from('one')],
    ['a/käse – 起.txt', Buffer.from('two')],
    ['empty', Buffer.alloc(0)],
    ['b.bin', randomBytes(100_000)],
  ] as const
  const path = join(folder, 'small.zip')
  await writeFile(path, zipOf(files))
  expect((await run('unzip', ['-t', path])).stdout).toContain('No errors detected')
  const names = 'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.testzip(), *z.namelist(), sep="|")'
  const { stdout } = await run('python3', ['-c', names, path], { env: { ...process.env, PYTHONIOENCODING: 'utf8' } })
  expect(stdout.trim()).toBe(['None', ...files.map(([name]) => name)].join('|'))
})

test('more than 65,535 files are listed', async () => {
  const path = join(folder, 'many.zip')
  const files = Array.from({ length: 66_000 }, (_, index) => [`${index}`, Buffer.alloc(0)] as const)
  await writeFile(path, zipOf(files))
  expect((await run('unzip', ['-Z', '-h', path])).stdout).toContain('number of entries: 66000')
  expect((await run('unzip', ['-tq', path])).stdout).toContain('No errors detected')
}, 120_000)

/** Checksum of `length` zeros, in logarithmic time. */
function zerosChecksum(length: number): number {
  if (length < 1_024) return crc32(Buffer.alloc(length))
  const half = Math.floor(length / 2)
  const sum = zerosChecksum(half)
  const twice = crc32Joined(sum, sum, half)
  return length % 2 === 0 ? twice : crc32Joined(twice, zerosChecksum(1), 1)
}

test('a zip can contain a file above 4 GiB, and one after it', async () => {
  const path = join(folder, 'large.zip')
  const size = 2 ** 32 + 12_345
  const large: ZipFile = { name: 'large', size, crc32: zerosChecksum(size), modified }
  const small: ZipFile = { name: 'small', size: 5, crc32: crc32('small'), modified }
  const header = fileHeader(large)
  const offset = header.length + size
  const rest = Buffer.concat([fileHeader(small), Buffer.from('small')])
  const directory = Buffer.concat([directoryRecord(large, 0), directoryRecord(small, offset)])
  const end = endRecords({ files: 2, size: directory.length, offset: offset + rest.length })
  const file = await open(path, 'w')
  await file.write(header)
  await file.write(Buffer.concat([rest, directory, end]), 0, undefined, offset)
  await file.close()
  expect((await run('unzip', ['-p', path, 'small'])).stdout).toBe('small')
  expect((await run('unzip', ['-Z', '-l', path])).stdout).toContain(String(size))
  if (process.env.NIGHTLY) expect((await run('unzip', ['-tq', path])).stdout).toContain('No errors detected')
})

test('checksums of pieces combine to the checksum of the whole', () => {
  for (let round = 0; round < 200; round++) {
    const whole = randomBytes(Math.floor(Math.random() * 3_000))
    const cut = Math.floor(Math.random() * (whole.length + 1))
    const [first, second] = [whole.subarray(0, cut), whole.subarray(cut)]
    expect(crc32Joined(crc32(first), crc32(second), second.length)).toBe(crc32(whole))
  }
})
