import { mkdir, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { chooseServices } from './choose.ts'
import { absent } from './commands/reference/absent.ts'
import { configuration } from './commands/reference/configuration.ts'
import { readConfig } from './config.ts'
import { allServices, createServices, loadModules, serviceNames, unbuilt, unknownSettings } from './services.ts'
import { platformSettings } from './settings.ts'

const modules = await loadModules()
const groups = [platformSettings, ...modules.flatMap(({ module: { settings } }) => settings ?? [])]
const settings = groups.flatMap((group) => [...group.settings])
const facts = { baseUrl: 'https://a.example', region: 'eu-1', dataDirectory: '/data', hasDevelopmentDatabase: false }

test('a service is named in the list as in its manifest', async () => {
  const made = await allServices()
  expect(modules.map(({ letter, name }) => [letter, name])).toEqual(made.map(({ letter, name }) => [letter, name]))
  expect(serviceNames).toHaveLength(made.length + unbuilt.length)
})

test('services are chosen by name or letter, in the order of the specification', async () => {
  expect((await loadModules('T, braille-translation')).map(({ name }) => name)).toEqual([
    'braille-translation',
    'event-detection',
  ])
  expect(() => loadModules('payments')).toThrow("There is no service 'payments'")
})

test.each(settings)('$variable is described, and its default can be used', (setting) => {
  expect(setting.meaning).toMatch(/^[A-Z`].*\.$/)
  // Services may share one, such as the mail server: then it is the same for all.
  const same = settings.filter(({ variable }) => variable === setting.variable)
  expect(new Set(same.map(({ meaning, default: usual }) => `${meaning} ${usual}`)).size).toBe(1)
  for (const usual of [setting.default, setting.development])
    if (usual !== undefined) expect(() => setting.kind.read(usual)).not.toThrow()
  for (const example of setting.example.replaceAll('`', '').split(' or '))
    if (/^[^ ]+$/.test(example) && setting.variable !== 'ICOSA_IDENTITY_THEME')
      expect(() => setting.kind.read(example), example).not.toThrow()
  if (/password/.test(setting.example)) expect(setting.secret, 'it may hold a password').toBe(true)
})

test('what is wrong in the settings of several services is said at once', async () => {
  const env = { ICOSA_QUEUE_URL: 'https://me:hidden@a', ICOSA_VOICE_CALLS: 'many', ICOSA_EVENT_TARGETS: '{' }
  const made = createServices(modules, { env, facts })
  await expect(made).rejects.toThrow(/3 settings.*\n.*ICOSA_QUEUE_URL.*\n.*ICOSA_VOICE_CALLS.*\n.*ICOSA_EVENT_TARGETS/)
  await expect(made).rejects.not.toThrow('hidden')
})

test('a setting of a service that is not here is none of the strange ones', async () => {
  const env = { ICOSA_VOICE_CALLS: '5', ICOSA_SMPT_URL: 'smtp://a' }
  expect(await unknownSettings(env, await loadModules('S4'))).toEqual([
    'ICOSA_SMPT_URL is not a setting: did you mean ICOSA_SMTP_URL?',
  ])
})

test('a node that starts remarks on what nothing reads', async () => {
  using stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  await chooseServices('S4', readConfig({ ICOSA_SMPT_URL: 'smtp://a' }))
  expect(stderr.mock.calls).toEqual([['ICOSA_SMPT_URL is not a setting: did you mean ICOSA_SMTP_URL?\n']])
})

test('strict versions reach the dialects', async () => {
  const [chosen] = [await loadModules('C')]
  const [usual] = await createServices(chosen, { env: {}, facts })
  const [strict] = await createServices(chosen, { env: {}, facts, strictVersions: true })
  expect(strict?.apis[0].dialect).not.toBe(usual?.apis[0].dialect)
})

test('the page of settings is compared with what is committed', async () => {
  const config = readConfig({})
  const out = new URL('../../../docs/configuration.md', import.meta.url).pathname
  await configuration.run({ words: [], flags: { out, check: true }, config })
  expect(await readFile(out, 'utf8')).toContain('`ICOSA_VOICE_TRUNK`')
  const other = new URL('../../../README.md', import.meta.url).pathname
  await expect(configuration.run({ words: [], flags: { out: other, check: true }, config })).rejects.toThrow(
    'npm run configuration',
  )
})

test('what is not there is compared with the READMEs of the services', async () => {
  const config = readConfig({})
  const services = new URL('../../../services/', import.meta.url).pathname
  await absent.run({ words: [], flags: { out: services, check: true }, config })
  await using folder = await mkdtempDisposable(join(tmpdir(), 'icosa-absent-'))
  const copy = join(folder.path, 'job-scheduler/README.md')
  await mkdir(dirname(copy))
  const page = await readFile(join(services, 'job-scheduler/README.md'), 'utf8')
  await writeFile(copy, page.replace(/^.*`sasToken`.*\n/m, ''))
  const run = (check: boolean) => absent.run({ words: ['job-scheduler'], flags: { out: folder.path, check }, config })
  await expect(run(true)).rejects.toThrow('npm run absent')
  await run(false)
  expect(await readFile(copy, 'utf8')).toBe(page)
})

test.each(modules)('$name says in whole sentences what is not there', async ({ module }) => {
  const all = Object.values((await module.absent()).absent)
  expect(all.length).toBeGreaterThan(0)
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  for (const { name, instead } of all) {
    expect(instead).toMatch(/^[A-Z`].*\.$/)
    expect(name).not.toMatch(/\.$/)
  }
})
