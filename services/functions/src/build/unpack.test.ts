import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashOf, pack } from './pack.ts'
import { unpack, unpackLimits } from './unpack.ts'
import { type ZipEntry, zip } from './zip.ts'

let folder = ''
let count = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'icosa-unpack-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function unpackZip(entries: readonly ZipEntry[] | Buffer, limits = unpackLimits): Promise<string> {
  const into = join(folder, `${++count}`)
  await mkdir(into)
  await writeFile(`${into}.zip`, Buffer.isBuffer(entries) ? entries : zip(entries as ZipEntry[]))
  await unpack(`${into}.zip`, into, { limits })
  return into
}

test('files and folders are unpacked unchanged', async () => {
  const into = await unpackZip([
    { path: 'lib/' },
    { path: 'lib/größe.js', content: 'one' },
    { path: 'bin/run', content: 'two', mode: 0o100755 },
    { path: '__MACOSX/._x', content: 'of a Mac' },
  ])
  expect((await readdir(into)).sort()).toEqual(['bin', 'lib'])
  expect(await readFile(join(into, 'lib/größe.js'), 'utf8')).toBe('one')
  expect((await stat(join(into, 'bin/run'))).mode & 0o777).toBe(0o755)
})

const link = { path: 'link', content: '/etc/passwd', mode: 0o120777 }
const bomb = Buffer.alloc(20 * 2 ** 20)

test.each<[string, readonly ZipEntry[] | Buffer, string]>([
  ['path traversal', [{ path: '../out', content: 'x' }], 'is outside'],
  ['nested path traversal', [{ path: 'a/../../out', content: 'x' }], 'is outside'],
  ['an absolute path', [{ path: '/etc/cron.d/x', content: 'x' }], 'is outside'],
  ['a Windows drive', [{ path: 'C:\\x', content: 'x' }], 'backslash'],
  ['path traversal with backslashes', [{ path: '..\\out', content: 'x' }], 'backslash'],
  ['a symlink', [link], 'link or a device'],
  [
    'a file behind a symlink',
    [
      { ...link, path: 'a', content: '/tmp' },
      { path: 'a/b', content: 'x' },
    ],
    'link',
  ],
  ['a device', [{ path: 'null', mode: 0o020666 }], 'link or a device'],
  [
    'a duplicate name',
    [
      { path: 'a', content: '1' },
      { path: 'a', content: '2' },
    ],
    'two entries',
  ],
  [
    'a file that is a folder',
    [
      { path: 'a', content: '1' },
      { path: 'a/b', content: '2' },
    ],
    'two entries',
  ],
  [
    'a folder that is a file',
    [
      { path: 'a/b', content: '2' },
      { path: 'a', content: '1' },
    ],
    'two entries',
  ],
  ['a NUL in a name', [{ path: 'a\0b', content: 'x' }], 'control character'],
  ['an empty name', [{ path: '', content: 'x' }], 'not a file name'],
  ['a name in another encoding', [{ path: Buffer.from([0x66, 0xfc, 0x72]), content: 'x' }], 'not UTF-8'],
  ['a very long name', [{ path: `${'a'.repeat(300)}.js`, content: 'x' }], 'too long'],
  ['a very deep name', [{ path: `${'a/'.repeat(60)}b`, content: 'x' }], 'too long'],
  ['a password', [{ path: 'a', content: 'x', flags: 0x801 }], 'encrypted'],
  ['a zip bomb', [{ path: 'a', content: bomb }], 'larger than 10 MiB'],
  ['a zip bomb with a false size', [{ path: 'a', content: bomb, claimedSize: 10 }], 'damaged'],
  [
    'many small zip bombs',
    Array.from({ length: 40 }, (_, n) => ({ path: `${n}`, content: bomb.subarray(0, 2 ** 20) })),
    'larger',
  ],
  ['an empty zip', [], 'empty'],
  ['another format', Buffer.from('PK, but not really'), 'not a zip'],
  ['a truncated zip', zip([{ path: 'a', content: 'x'.repeat(1000) }]).subarray(0, 40), 'not a zip'],
])('%s is refused, and nothing is written outside', async (_, entries, message) => {
  await expect(unpackZip(entries)).rejects.toThrow(message)
  const names = await readdir(folder)
  expect(names.filter((name) => !/^\d+(\.zip)?$/.test(name))).toEqual([])
})

test('too many files are refused', async () => {
  const entries = Array.from({ length: 11 }, (_, n) => ({ path: `${n}` }))
  await expect(unpackZip(entries, { ...unpackLimits, files: 10 })).rejects.toThrow('more than 10 files')
})

test('corrupt content is refused', async () => {
  const content = zip([{ path: 'a', content: 'the content' }])
  content[40] = (content[40] ?? 0) ^ 0xff
  await expect(unpackZip(content)).rejects.toThrow('damaged')
})

test('packing is reproducible', async () => {
  const signal = new AbortController().signal
  const entries = [
    { path: 'b.js', content: 'b' },
    { path: 'a/a.js', content: 'a' },
  ]
  const first = await pack(await unpackZip(entries), join(folder, '1.zip'), signal)
  const second = await pack(await unpackZip(entries.toReversed()), join(folder, '2.zip'), signal)
  expect(second).toBe(first)
  expect(await hashOf(join(folder, '1.zip'))).toBe(first)
  expect(await pack(await unpackZip([...entries, { path: 'c', content: '' }]), join(folder, '3.zip'), signal)).not.toBe(
    first,
  )
})
