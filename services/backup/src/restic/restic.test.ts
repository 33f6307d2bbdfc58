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

/** Streams that count how many are open, and the maximum. */
function sources() {
  const counts = { open: 0, max: 0, opened: 0 }
  async function* bytes() {
    try {
      yield Buffer.from('some bytes')
    } finally {
      counts.open--
    }
  }
  const content = async () => {
    counts.opened++
    counts.max = Math.max(counts.max, ++counts.open)
    return Readable.from(bytes())
  }
  return { counts, content }
}

test('opens a source when a slot is free and closes it afterwards, for writing and reading', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'icosa-restic-'))
  const restic = openRestic({ ...values, repositories: folder.path })
  const { counts, content } = sources()
  const [saved] = await Promise.all(['a', 'b'].map((name) => restic.backup(repository, snapshot(content, name))))
  expect(counts).toEqual({ open: 0, max: 1, opened: 2 })

  const cancellation = new AbortController()
  const active = restic.backup(repository, snapshot(content))
  const waiting = restic.backup(repository, { ...snapshot(content), signal: cancellation.signal })
  cancellation.abort(new Error('cancelled'))
  await expect(waiting).rejects.toThrow('cancelled')
  await active
  expect(counts, 'none is opened for a job that is cancelled while it waits').toMatchObject({ open: 0, opened: 3 })

  const read = () => restic.read(repository, saved?.snapshot ?? '', 'a', signal)
  const first = await read()
  const second = read()
  expect(await Promise.race([second, 'it waits'])).toBe('it waits')
  first.destroy()
  expect((await buffer(await second)).toString()).toBe('some bytes')
  const copy = await restic.backup({ ...repository, path: 'copy' }, snapshot(read))
  expect(copy.bytes, 'a copy reads and writes with separate slots').toBe('some bytes'.length)
})

test('creates no repository for a vault with snapshots, nor in a folder that is not mounted', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'icosa-restic-'))
  const marker = '.mounted'
  const restic = openRestic({ ...values, repositories: folder.path, marker })
  const save = (mayCreate: boolean) => restic.backup({ ...repository, mayCreate }, snapshot(text('bytes')))
  const missing = /mount its storage again/
  await expect(save(true)).rejects.toThrow(missing)
  await writeFile(join(folder.path, marker), '')
  await save(true)
  await save(false)
  await rm(join(folder.path, 'vault'), { recursive: true })
  await expect(save(false)).rejects.toThrow(missing)
  await expect(restic.list({ ...repository, mayCreate: false }, signal)).rejects.toThrow(missing)
})

test('a new vault has a key without a work factor, and an existing one keeps its key', async () => {
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
