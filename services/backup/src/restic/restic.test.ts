import { mkdtempDisposable, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { runProgram } from '@icosa/compute'
import { expect, test } from 'vitest'
import { settings } from '../settings.ts'
import { type NewSnapshot, openRestic } from './restic.ts'

const { signal } = new AbortController()
const values = settings.read({ ICOSA_BACKUP_AT_ONCE: '1' })
const repository = { path: 'vault', password: 'x', mayCreate: true }
const snapshot = (content: NewSnapshot['content'], name = 'one') => ({ name, tags: [], content, signal })
const text = (words: string) => async () => Readable.from([Buffer.from(words)])

/** Streams of which it is known how many are open, and were at most. */
function sources() {
  const counts = { open: 0, most: 0, opened: 0 }
  async function* bytes() {
    try {
      yield Buffer.from('some bytes')
    } finally {
      counts.open--
    }
  }
  const content = async () => {
    counts.opened++
    counts.most = Math.max(counts.most, ++counts.open)
    return Readable.from(bytes())
  }
  return { counts, content }
}

test('a source is opened when its turn has come, and closed with it; reading takes turns, too', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'icosa-restic-'))
  const restic = openRestic({ ...values, repositories: folder.path })
  const { counts, content } = sources()
  const [saved] = await Promise.all(['a', 'b'].map((name) => restic.backup(repository, snapshot(content, name))))
  expect(counts).toEqual({ open: 0, most: 1, opened: 2 })

  const late = new AbortController()
  const running = restic.backup(repository, snapshot(content))
  const waiting = restic.backup(repository, { ...snapshot(content), signal: late.signal })
  late.abort(new Error('cancelled'))
  await expect(waiting).rejects.toThrow('cancelled')
  await running
  expect(counts, 'none for a job that was cancelled while it waited').toMatchObject({ open: 0, opened: 3 })

  const read = () => restic.read(repository, saved?.snapshot ?? '', 'a', signal)
  const first = await read()
  const second = read()
  expect(await Promise.race([second, 'it waits'])).toBe('it waits')
  first.destroy()
  expect((await buffer(await second)).toString()).toBe('some bytes')
  const copy = await restic.backup({ ...repository, path: 'copy' }, snapshot(read))
  expect(copy.bytes, 'a copy reads and writes, in two turns').toBe('some bytes'.length)
})

test('no repository is created for a vault with snapshots, nor in a folder that is not mounted', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'icosa-restic-'))
  const marker = '.mounted'
  const restic = openRestic({ ...values, repositories: folder.path, marker })
  const save = (mayCreate: boolean) => restic.backup({ ...repository, mayCreate }, snapshot(text('bytes')))
  const away = /has to be mounted again/
  await expect(save(true)).rejects.toThrow(away)
  await writeFile(join(folder.path, marker), '')
  await save(true)
  await save(false)
  await rm(join(folder.path, 'vault'), { recursive: true })
  await expect(save(false)).rejects.toThrow(away)
  await expect(restic.list({ ...repository, mayCreate: false }, signal)).rejects.toThrow(away)
})

test('the key of a new vault opens without work; a vault whose key restic made keeps it', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'icosa-restic-'))
  const restic = openRestic({ ...values, repositories: folder.path })
  const plain = async (path: string, args: readonly string[], password = repository.password) =>
    (
      await runProgram('restic', ['--repo', join(folder.path, path), '--no-cache', ...args], {
        env: { RESTIC_PASSWORD: password },
      })
    ).toString()
  const keysOf = async (path: string) => {
    const keys = join(folder.path, path, 'keys')
    return Promise.all((await readdir(keys)).map(async (name) => JSON.parse(await readFile(join(keys, name), 'utf8'))))
  }

  const saved = await restic.backup(repository, snapshot(text('some bytes')))
  expect(await keysOf('vault')).toMatchObject([{ kdf: 'scrypt', N: 2, r: 8, p: 1 }])
  expect(await plain('vault', ['dump', saved.snapshot, '/one'])).toBe('some bytes')
  expect(await plain('vault', ['check', '--read-data'])).toContain('no errors were found')
  expect((await plain('vault', ['key', 'list', '--json'])).match(/"current":true/g)).toHaveLength(1)
  await expect(plain('vault', ['snapshots'], 'y')).rejects.toThrow(/wrong password/)

  await plain('earlier', ['init'])
  const before = await keysOf('earlier')
  await restic.backup({ ...repository, path: 'earlier' }, snapshot(text('some bytes')))
  expect(await keysOf('earlier')).toEqual(before)
  expect(before).toMatchObject([{ N: expect.toSatisfy((n: number) => n > 1_000) }])
})
