import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, connect as open } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testServerUrl } from '@icosa/testing'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allServices, loadModules } from '../services.ts'
import { connect, type Icosa, type ServiceLetter, type ServiceName, type SignedService, start } from './index.ts'
import { openInstance } from './start.ts'

const vaults = '/backup-vaults/'
const names = async (caller: Pick<Icosa, 'fetch'>) => {
  const { BackupVaultList } = (await (await caller.fetch('backup', vaults)).json()) as {
    BackupVaultList: { BackupVaultName: string }[]
  }
  return BackupVaultList.map(({ BackupVaultName }) => BackupVaultName)
}
const make = async (caller: Pick<Icosa, 'fetch'>, name: string) => {
  const created = await caller.fetch('backup', vaults + name, { method: 'PUT', body: '{}' })
  expect(created.status).toBe(200)
}
const own = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`icosa-testing-${process.pid}-`))
const listens = (url: string) =>
  new Promise<boolean>((resolve) => {
    const { hostname, port } = new URL(url)
    const socket = open(Number(port), hostname)
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

const letters: Readonly<Record<ServiceName, ServiceLetter>> = {
  'identity-connect': 'S1',
  'contribution-collection': 'S2',
  'unpack-analysis': 'S3',
  'braille-translation': 'S4',
  'podcast-directory': 'S5',
  'robotics-statistics': 'S6',
  'language-authoring': 'L',
  'face-recognition': 'F',
  banking: 'B',
  'hardware-security-modules': 'H',
  'configuration-stores': 'C',
  'api-diagnostics': 'D',
  'sql-virtual-machines': 'V',
  'sql-databases': 'Q',
  'job-scheduler': 'J',
  functions: 'G',
  'voice-messaging': 'M',
  'resource-groups': 'R',
  'event-detection': 'T',
  backup: 'K',
}
const signed: Readonly<Record<SignedService, true>> = {
  ...{ 'voice-messaging': true, 'resource-groups': true, 'event-detection': true, backup: true },
}

test('the types list all services, and those with signed requests', async () => {
  const modules = await loadModules()
  expect(Object.fromEntries(modules.map(({ name, letter }) => [name, letter]))).toEqual(letters)
  const signing = (await allServices()).filter(({ apis: [first] }) => first.dialect.authentication.kind === 'signature')
  expect(signing.map(({ name }) => name).sort()).toEqual(Object.keys(signed).sort())
})

describe('three instances side by side', () => {
  let apps: Icosa[] = []
  let seeds = ''
  beforeAll(async () => {
    seeds = await mkdtemp(join(tmpdir(), 'icosa-seeds-'))
    await writeFile(
      join(seeds, '2-more.json'),
      JSON.stringify([{ service: 'backup', method: 'PUT', path: `${vaults}json` }]),
    )
    await writeFile(
      join(seeds, '1-first.mjs'),
      `export default (app) => app.fetch('backup', '${vaults}module', { method: 'PUT', body: '{}' })`,
    )
    await mkdir(join(seeds, 'ignored'))
    apps = await Promise.all([1, 2, 3].map(() => start({ services: ['backup', 'braille-translation'], seeds })))
  })
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.close()))
    await rm(seeds, { recursive: true })
  })

  test('fifty concurrent tests see only their own data', async () => {
    const one = async (number: number) => {
      const app = apps[number % apps.length] as Icosa
      const tenant = await app.tenant(`tenant-${number}`)
      for (const round of [1, 2, 3]) await make(tenant, `vault-${number}-${round}`)
      expect(await names(tenant)).toEqual([1, 2, 3].map((round) => `vault-${number}-${round}`))
    }
    await Promise.all(Array.from({ length: 50 }, (_, number) => one(number)))
    for (const app of apps) expect(await names(app), 'the tenant `dev` has its seeds').toEqual(['json', 'module'])
  })

  test('an instance does not affect the others', async () => {
    const [first, second] = apps as [Icosa, Icosa]
    await make(second, 'kept')
    await make(first, 'lost')
    await first.clock.set('2040-01-01T00:00:00Z')
    first.faults.add({ target: 'braille-translation:*', kind: 'drop' })
    await first.reset()
    expect(await names(first)).toEqual(['json', 'module'])
    expect(await names(second)).toEqual(['json', 'kept', 'module'])
    expect((await first.clock.now()).getUTCFullYear()).toBeLessThan(2040)
    expect(second.faults.list()).toEqual([])
    expect(first.faults.list(), 'faults survive a reset').toHaveLength(1)
    expect(first.faults.clear()).toBe(1)
    expect(new Set(apps.map(({ url }) => url)).size).toBe(3)
  })

  test('another process connects by address and has its own tenants', async () => {
    const [app] = apps as [Icosa]
    const shared = await connect(app.address)
    expect([shared.url, shared.name]).toEqual([app.url, 'dev'])
    const tenant = await shared.tenant('elsewhere')
    await make(tenant, 'of-elsewhere')
    expect(await names(tenant)).toEqual(['of-elsewhere'])
    expect(await names(shared)).not.toContain('of-elsewhere')
    await expect(connect(app.url)).rejects.toThrow()
  })

  test('credentials of every dialect are ready to use', () => {
    const [app] = apps as [Icosa]
    const { region, accessKeyId }: { region: string; accessKeyId: string } = app.service('backup').signing
    expect({ region, accessKeyId }).toMatchObject({ accessKeyId: expect.any(String), region: 'us-east-1' })
    expect(Object.values(app.service('braille-translation').headers)).toEqual([app.service('braille-translation').key])
    expect(() => app.service('bakcup' as 'backup')).toThrow("Did you mean 'backup'?")
  })
})

test('a closed instance leaves no process, port, file or signal handler behind', async () => {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException'] as const
  const handlers = () => signals.map((signal) => process.listenerCount(signal))
  const [before, folders] = [handlers(), own()]
  const { app, development, config } = await openInstance({ services: ['braille-translation'] })
  expect(handlers()).toEqual(before)
  const database = development.database.url
  expect(await listens(app.url)).toBe(true)
  expect(await listens(database)).toBe(true)
  await app.snapshot('one')
  await app.close()
  await app.close()
  expect(await listens(app.url)).toBe(false)
  expect(await listens(database)).toBe(false)
  expect(existsSync(config.dataDirectory)).toBe(false)
  expect(own()).toEqual(folders)
  const after = [
    () => app.fetch('braille-translation', '/'),
    () => app.reset(),
    () => app.snapshot('two'),
    () => app.restore('one'),
    () => app.tenant('late'),
    () => app.clock.now(),
    () => app.settle(),
  ]
  for (const use of after) await expect(use()).rejects.toThrow('This instance was closed')
})

test('invalid options are reported in a sentence', async () => {
  await expect(start(JSON.parse('{"service":["backup"]}'))).rejects.toThrow(
    "no option 'service'. Did you mean 'services'?",
  )
  await expect(start({ services: ['bakcup' as 'backup'] })).rejects.toThrow("Did you mean 'backup'?")
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await expect(start({ services: ['braille-translation'], port })).rejects.toThrow(`Port ${port} is in use: leave`)
  server.close()
})

test('a failing seed is named, and leaves nothing behind', async () => {
  const seeds = await mkdtemp(join(tmpdir(), 'icosa-seeds-'))
  const folders = own()
  await writeFile(join(seeds, 'wrong.json'), JSON.stringify([{ service: 'backup', path: '/nowhere' }]))
  await expect(start({ services: ['backup'], seeds })).rejects.toThrow(
    /wrong\.json, request 1: GET \/nowhere answered 404/,
  )
  await writeFile(join(seeds, 'wrong.json'), '[{')
  const broken = start({ services: ['braille-translation'], seeds })
  await expect(broken).rejects.toThrow(/wrong\.json is not JSON: /)
  const nowhere = start({ services: ['braille-translation'], seeds: join(seeds, 'nowhere') })
  await expect(nowhere).rejects.toThrow(/seeds in .*nowhere cannot be read \(ENOENT\): `seeds` names a folder/)
  expect(own()).toEqual(folders)
  await rm(seeds, { recursive: true })
})

test('an instance on a shared server has a database of its own', async () => {
  const databases = async () => {
    const client = new pg.Client({ connectionString: testServerUrl })
    await client.connect()
    const { rows } = await client.query<{ datname: string }>(
      `select datname from pg_database where datname like 'icosa_testing_${process.pid}_%'`,
    )
    await client.end()
    return rows.length
  }
  const app = await start({ services: ['backup'], databaseUrl: testServerUrl })
  expect(await databases()).toBe(1)
  await make(app, 'gone')
  await app.reset()
  expect(await names(app)).toEqual([])
  await expect(app.snapshot('no')).rejects.toThrow('PostgreSQL of its own')

  // `close` does not wait for running requests, whose effects are lost anyway.
  app.faults.add({ target: 'backup:ListBackupVaults', kind: 'latency', delayMs: 2_000 })
  const late = names(app).then(
    () => 'answered',
    () => 'cut off',
  )
  await expect.poll(() => app.faults.list()).toMatchObject([{ hit: 1 }])
  await app.close()
  expect(await late).toBe('cut off')
  expect(await databases()).toBe(0)
})

test('its folder stays traversable after a reset: PostgreSQL and machines run as other users', async () => {
  const { app, config } = await openInstance({ services: ['braille-translation'] })
  await using _ = app
  const mode = async () => (await stat(config.dataDirectory)).mode & 0o777
  expect(await mode()).toBe(0o711)
  await app.reset()
  expect(await mode()).toBe(0o711)
})
