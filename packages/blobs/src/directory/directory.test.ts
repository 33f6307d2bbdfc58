import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { asFailure, isOutage } from '@icosa/kernel'
import { fastify } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { contentOf, mebibyte } from '../testing/conformance/subject.ts'
import { describeBlobs } from '../testing/conformance.ts'
import { directoryBlobs } from './directory.ts'
import { blobRoute } from './route.ts'

const signingKey = randomBytes(32)
const temporaryFolder = () => mkdtemp(join(tmpdir(), 'blobs-'))

describeBlobs('blobs in a directory', async () => {
  const directory = await temporaryFolder()
  let now = Date.parse('2030-01-01T00:00:00Z')
  const clock = { now: () => new Date(now) }
  const server = fastify()
  const blobs = await directoryBlobs({ directory, clock, signingKey, publicUrl: () => server.listeningOrigin })
  await server.register(blobRoute(blobs))
  await server.listen({ host: '127.0.0.1', port: 0 })
  return {
    blobs,
    async pass(seconds) {
      now += seconds * 1000
    },
    async close() {
      await server.close()
      await rm(directory, { recursive: true })
    },
  }
})

describe('a directory of blobs', () => {
  let directory = ''
  const clock = { now: () => new Date('2030-01-01T00:00:00.123Z') }
  const open = () => directoryBlobs({ directory, clock, signingKey, publicUrl: () => 'http://127.0.0.1' })
  const files = async () => {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  }
  beforeEach(async () => {
    directory = await temporaryFolder()
  })
  afterEach(() => rm(directory, { recursive: true }))

  test('denies other users of the machine all access, whatever the umask', async () => {
    const umask = process.umask(0)
    try {
      await mkdir(join(directory, 'objects'), { mode: 0o755 }) // created by an earlier version
      await (await open()).put('tenant/a/b', Buffer.from('private'))
    } finally {
      process.umask(umask)
    }
    const entries = await readdir(directory, { recursive: true })
    const modes = await Promise.all(entries.map(async (name) => (await stat(join(directory, name))).mode & 0o077))
    expect([entries.length > 4, ...new Set(modes)]).toEqual([true, 0])
  })

  test.skipIf(process.getuid?.() !== 0)('reports that it is full, and recovers once it is not', async () => {
    const run = promisify(execFile)
    await run('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', directory])
    try {
      const blobs = await open()
      await blobs.put('first', Buffer.from('kept'))
      const failed = await blobs.put('second', Buffer.alloc(mebibyte)).catch((error: unknown) => error)
      expect([isOutage(failed), asFailure(failed).kind, asFailure(failed).retryAfterSeconds]).toEqual([
        true,
        'unavailable',
        60,
      ])
      expect(await readdir(join(directory, 'incoming')), 'no partial file remains').toEqual([])
      expect((await blobs.put('second', Buffer.alloc(1_000))).size).toBe(1_000)
      expect((await contentOf(blobs, 'first')).toString()).toBe('kept')
    } finally {
      await run('umount', [directory])
    }
  })

  test('survives a restart unchanged, with the times of the clock', async () => {
    await (await open()).put('a/b', Buffer.from('kept'), { contentType: 'text/plain' })
    const info = await (await open()).head('a/b')
    expect(info).toMatchObject({ size: 4, contentType: 'text/plain', modifiedAt: clock.now() })
    expect(info?.etag).toBe(createHash('sha256').update('kept').digest('hex'))
  })

  test('uses file names that are safe and distinct on every file system', async () => {
    const blobs = await open()
    const keys = [
      'A',
      'a',
      'CON',
      'con',
      'nul.txt',
      'a.',
      'a ',
      'é',
      'e\u0301',
      'x:y',
      `${'長'.repeat(290)}/${'Z'.repeat(20)}`,
    ]
    for (const key of keys) await blobs.put(key, Buffer.from(key))
    const names = await readdir(join(directory, 'objects'), { recursive: true })
    for (const name of names.map((path) => basename(path))) expect(name).toMatch(/^[odc]-[a-z0-9_=-]{0,240}$/)
    expect(await files()).toHaveLength(keys.length)
    expect(new Set((await files()).map((file) => file.toLowerCase())).size).toBe(keys.length)
  })

  test('removes partial files of failed puts and empty folders of deleted blobs', async () => {
    const blobs = await open()
    const broken = async function* () {
      yield 'half'
      throw new Error('the source broke')
    }
    await expect(blobs.put('a/b/c', Readable.from(broken()))).rejects.toThrow('the source broke')
    expect(await files()).toEqual([])
    await blobs.put('a/b/c', Buffer.from('first'))
    await expect(blobs.put('a/b/c', Buffer.from('second'), { ifAbsent: true })).rejects.toMatchObject({
      kind: 'alreadyExists',
    })
    expect(await files()).toHaveLength(1)
    await blobs.delete('a/b/c')
    expect(await readdir(directory, { recursive: true })).toEqual(['incoming', 'objects'])
  })

  test('deletes partial files of crashed processes, but none that may still be written', async () => {
    await mkdir(join(directory, 'incoming'))
    const [dead, alive] = ['dead', 'alive'].map((name) => join(directory, 'incoming', name)) as [string, string]
    for (const file of [dead, alive]) await writeFile(file, 'half')
    const { mtimeMs } = await stat(alive)
    const [dayAgo, hourAgo] = [25, 1].map((hours) => new Date(mtimeMs - hours * 3_600_000)) as [Date, Date]
    await utimes(dead, dayAgo, dayAgo)
    await utimes(alive, hourAgo, hourAgo)
    await open()
    expect(await files()).toEqual([alive])
  })

  test('ignores foreign files, and names a damaged file of its own', async () => {
    const blobs = await open()
    await blobs.put('a', Buffer.alloc(5000, 'a'))
    for (const name of ['.DS_Store', 'o-UPPER', 'o-=zz', 'readme'])
      await writeFile(join(directory, 'objects', name), '')
    expect((await blobs.list('', { limit: 10 })).items).toMatchObject([{ key: 'a' }])
    const file = join(directory, 'objects', 'o-a')
    const whole = await readFile(file)
    const variants = [whole.subarray(1), ...[5050, 4000, 3, 0].map((length) => whole.subarray(0, length))]
    for (const variant of variants) {
      await writeFile(file, variant)
      await expect(blobs.get('a')).rejects.toMatchObject({ kind: 'internal', message: expect.stringContaining(file) })
    }
  })

  test('serves a reader the version it opened, even if the object is replaced or deleted', async () => {
    const blobs = await open()
    await blobs.put('a', Buffer.from('old'))
    const { body } = await blobs.get('a')
    await blobs.put('a', Buffer.from('new'))
    await blobs.delete('a')
    expect(await new Response(Readable.toWeb(body) as ReadableStream).text()).toBe('old')
    expect(await blobs.head('a')).toBeUndefined()
  })

  test('lists a folder of many objects page by page', async () => {
    const blobs = await open()
    const keys = Array.from({ length: 450 }, (_, index) => `flat/${(index * 7919) % 450}`)
    for (const key of keys) await blobs.put(key, Buffer.from(key))
    const listed: string[] = []
    let after = ''
    for (let next: string | undefined = ''; next !== undefined; after = next ?? after) {
      const page = await blobs.list('flat/', { limit: 40, after })
      listed.push(...page.items.map(({ key }) => key))
      next = page.next
    }
    expect(listed).toEqual([...keys].sort())
    expect(await contentOf(blobs, 'flat/449')).toBe('flat/449')
  })
})
