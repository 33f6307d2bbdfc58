import { mkdir, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { chooseServices } from './choose.ts'
import { configuration } from './commands/reference/configuration.ts'
import { gaps } from './commands/reference/gaps.ts'
import { readConfig } from './config.ts'
import { withPlatform } from './node.ts'
import { allServices, createServices, loadModules, serviceNames, unbuilt, unknownSettings } from './services.ts'
import { platformSettings } from './settings.ts'

const modules = await loadModules()
const groups = [platformSettings, ...modules.flatMap(({ module: { settings } }) => settings ?? [])]
const settings = groups.flatMap((group) => [...group.settings])
const facts = { baseUrl: 'https://a.example', region: 'eu-1', scratchDirectory: '/data', hasDevelopmentDatabase: false }

test('the list names a service as its manifest does', async () => {
  const created = await allServices()
  expect(modules.map(({ letter, name }) => [letter, name])).toEqual(created.map(({ letter, name }) => [letter, name]))
  expect(serviceNames).toHaveLength(created.length + unbuilt.length)
})

test('a schedule of less than a minute has an SQL check for work', async () => {
  const all = withPlatform(await allServices(), 'system')
  const fast = all.flatMap(({ name, schedules = [] }) =>
    schedules.flatMap(({ job, everyMs, hasWork }) => (everyMs < 60_000 && !hasWork ? `${name}:${job.name}` : [])),
  )
  expect(fast).toEqual([])
})

test('services are chosen by name or letter, in the order of the specification', async () => {
  expect((await loadModules('T, braille-translation')).map(({ name }) => name)).toEqual([
    'braille-translation',
    'event-detection',
  ])
  expect(() => loadModules('payments')).toThrow("There is no service 'payments'")
  const all = (await loadModules()).map(({ name }) => name)
  const others = all.filter((name) => name !== 'functions' && name !== 'unpack-analysis')
  expect((await loadModules('*,-functions, -S3')).map(({ name }) => name)).toEqual(others)
  expect(() => loadModules('-functoins')).toThrow("There is no service 'functoins'. Did you mean 'functions'?")
  expect(() => loadModules('-functions')).toThrow('leaves no service')
})

test.each(settings)('$variable is described, and its default is valid', (setting) => {
  expect(setting.meaning).toMatch(/^[A-Z`].*\.$/)
  // Services may share a setting, such as the mail server: then its description is the same.
  const same = settings.filter(({ variable }) => variable === setting.variable)
  expect(new Set(same.map(({ meaning, default: usual }) => `${meaning} ${usual}`)).size).toBe(1)
  for (const usual of [setting.default, setting.development])
    if (usual !== undefined) expect(() => setting.kind.read(usual)).not.toThrow()
  for (const example of setting.example.replaceAll('`', '').split(' or '))
    if (/^[^ ]+$/.test(example) && setting.variable !== 'ICOSA_IDENTITY_THEME')
      expect(() => setting.kind.read(example), example).not.toThrow()
  if (/password/.test(setting.example)) expect(setting.secret, 'it may contain a password').toBe(true)
})

test('invalid settings of several services are reported together', async () => {
  const env = { ICOSA_QUEUE_URL: 'https://me:hidden@a', ICOSA_VOICE_CALLS: 'many', ICOSA_EVENT_TARGETS: '{' }
  const created = createServices(modules, { env, facts })
  await expect(created).rejects.toThrow(
    /3 settings.*\n.*ICOSA_QUEUE_URL.*\n.*ICOSA_VOICE_CALLS.*\n.*ICOSA_EVENT_TARGETS/,
  )
  await expect(created).rejects.not.toThrow('hidden')
})

test('a setting of a service that is not loaded is known', async () => {
  const env = { ICOSA_VOICE_CALLS: '5', ICOSA_SMPT_URL: 'smtp://a' }
  expect(await unknownSettings(env, await loadModules('S4'))).toEqual([
    'ICOSA_SMPT_URL is not a setting: did you mean ICOSA_SMTP_URL?',
  ])
})

test('a starting node warns about unknown variables', async () => {
  using stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  await chooseServices('S4', readConfig({ ICOSA_SMPT_URL: 'smtp://a' }, { development: true }))
  expect(stderr.mock.calls).toEqual([['ICOSA_SMPT_URL is not a setting: did you mean ICOSA_SMTP_URL?\n']])
})

test('strict versions reach the dialects', async () => {
  const [chosen] = [await loadModules('C')]
  const [usual] = await createServices(chosen, { env: {}, facts })
  const [strict] = await createServices(chosen, { env: {}, facts, strictVersions: true })
  expect(strict?.apis[0].dialect).not.toBe(usual?.apis[0].dialect)
})

test('the settings page is compared with the committed one', async () => {
  const config = readConfig({})
  const out = new URL('../../../docs/operate/configuration.md', import.meta.url).pathname
  await configuration.run({ words: [], flags: { out, check: true }, note() {}, config })
  expect(await readFile(out, 'utf8')).toContain('`ICOSA_VOICE_TRUNK`')
  const other = new URL('../../../README.md', import.meta.url).pathname
  await expect(configuration.run({ words: [], flags: { out: other, check: true }, note() {}, config })).rejects.toThrow(
    'npm run configuration',
  )
})

test('the tables of limitations are compared with the READMEs of the services', async () => {
  const config = readConfig({})
  const services = new URL('../../../services/', import.meta.url).pathname
  await gaps.run({ words: [], flags: { out: services, check: true }, note() {}, config })
  await using folder = await mkdtempDisposable(join(tmpdir(), 'icosa-gaps-'))
  const copy = join(folder.path, 'job-scheduler/README.md')
  await mkdir(dirname(copy))
  const page = await readFile(join(services, 'job-scheduler/README.md'), 'utf8')
  await writeFile(copy, page.replace(/^.*`sasToken`.*\n/m, ''))
  const run = (check: boolean) =>
    gaps.run({ words: ['job-scheduler'], flags: { out: folder.path, check }, note() {}, config })
  await expect(run(true)).rejects.toThrow('npm run gaps')
  await run(false)
  expect(await readFile(copy, 'utf8')).toBe(page)
})

test.each(modules)('$name describes its limitations in whole sentences', async ({ module }) => {
  const all = Object.values((await module.gaps()).unsupported)
  expect(all.length).toBeGreaterThan(0)
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  for (const { name, instead } of all) {
    expect(instead).toMatch(/^[A-Z`].*\.$/)
    expect(name).not.toMatch(/\.$/)
  }
})

/** Settings that name a folder and are optional in operation, with the reason why no data is lost. */
const harmless: Readonly<Record<string, string>> = {
  ICOSA_DATA: 'caches and the state of sandboxes; the types of `Facts` keep everything else out of it',
  ICOSA_DATABASE_DIRECT_URL: 'the default is DATABASE_URL, which is required',
  ICOSA_DIRECTORY_URL: 'without it there is one cell, and it is refused where ICOSA_CELL is set',
  ICOSA_VOICE_LOGS: 'the default outside of development mode is stdout, which the operator collects',
  ICOSA_SMTP_URL:
    'in banking, where users cannot choose mail without it; it is required by the services that must send mail',
  ICOSA_HSM_FOLDER: 'copies of open tokens in memory; the tokens are sealed in the database',
  ICOSA_SQL_PROGRAMS: 'programs',
  ICOSA_MACHINES_BINARIES: 'programs',
}

test('outside development mode, no data location has a default that loses data', () => {
  const places = settings.filter(({ kind }) => /folder|mail server|PostgreSQL/.test(kind.is))
  const names = (all: typeof settings) => [...new Set(all.map(({ variable }) => variable))].sort()
  expect(names(places.filter(({ required }) => required === undefined))).toEqual(Object.keys(harmless).sort())
  for (const { variable, required, shared, default: usual } of settings) {
    if (required === true) expect(usual, `${variable} is required, so a default would never be used`).toBeUndefined()
    if (shared) expect(required, `${variable} is shared by all nodes, so each must name it`).toBe(true)
    if (typeof required === 'object') expect(names(settings), variable).toContain(required.where)
  }
})

test('missing and invalid settings are reported together, before anything is started', async () => {
  const refused = chooseServices(undefined, readConfig({ ICOSA_VOICE_CALLS: 'many' }), () => {})
  const missing = settings.filter(({ required }) => required === true).map(({ variable }) => variable)
  const message = await refused.catch((error: Error) => error.message)
  for (const name of [...missing, 'ICOSA_SQL_URL', 'ICOSA_VOICE_CALLS']) expect(message).toContain(name)
  expect(missing).toEqual(expect.arrayContaining(['DATABASE_URL', 'ICOSA_BLOBS', 'ICOSA_BACKUP_REPOSITORIES']))
})

test('shared folders are those of settings marked as shared, except buckets', async () => {
  const env = {
    DATABASE_URL: 'postgres://a/b',
    ICOSA_MASTER_KEY: Buffer.alloc(32).toString('base64'),
    ICOSA_PUBLIC_URL: 'https://a.example',
    ICOSA_BLOBS: '/mnt/blobs',
    ICOSA_BACKUP_REPOSITORIES: '/mnt/backup',
  }
  const foldersOf = async (more: object, isWorker: boolean) =>
    (await chooseServices('K', readConfig({ ...env, ...more }), () => {})).folders(isWorker).map(({ folder }) => folder)
  expect(await foldersOf({}, true)).toEqual(['/mnt/blobs', '/mnt/backup'])
  expect(await foldersOf({}, false), 'an API node reads no repository').toEqual(['/mnt/blobs'])
  const buckets = { ICOSA_BLOBS: 's3://bucket', ICOSA_BACKUP_REPOSITORIES: 's3:https://s3.example.com/bucket' }
  expect(await foldersOf(buckets, true)).toEqual([])
})
