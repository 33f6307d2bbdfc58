import { mkdtempDisposable, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase } from '@icosa/testing'
import { expect, test } from 'vitest'
import { withPlatform } from '../node.ts'
import { allServices } from '../services.ts'
import { refusalOf, shellOf } from '../testing/shell.ts'
import { allSettings } from './report.ts'
import { withoutSecrets } from './secrets.ts'
import { facts } from './store.ts'

const planted = (name: string) => `planted-${name.toLowerCase().replaceAll('_', '-')}`

/** Every secret setting with a value of its own. */
async function secretSettings() {
  return (await allSettings()).flatMap(({ variable, secret }) =>
    secret && variable !== 'DATABASE_URL' ? [variable] : [],
  )
}

test('a report has every fact about the installation', async () => {
  await using database = await createTestDatabase(withPlatform(await allServices(), 'system'))
  const icosa = shellOf({ DATABASE_URL: database.url, ICOSA_REGION: 'eu-west-1' })
  const report = JSON.parse(await icosa('support'))
  expect(report).toMatchObject({
    version: expect.stringMatching(/^\d/),
    machine: { node: process.version },
    settings: { DATABASE_URL: '(secret)', ICOSA_REGION: 'eu-west-1' },
  })
  expect(Object.keys(report.database)).toEqual(Object.keys(facts))
  for (const [name, rows] of Object.entries(report.database)) expect(rows, name).toBeInstanceOf(Array)
  expect(report.database.migrations).toContainEqual(expect.objectContaining({ owner: 'banking' }))
  expect(report.needs).toContainEqual(expect.objectContaining({ service: 'platform', need: 'Node', isThere: true }))
})

test('a report contains no secret, and no data of a tenant', async () => {
  await using database = await createTestDatabase(withPlatform(await allServices(), 'system'))
  const secrets = await secretSettings()
  expect(secrets.length).toBeGreaterThan(5)
  const masterKey = Buffer.alloc(32, 7).toString('base64')
  const icosa = shellOf({ DATABASE_URL: database.url, ICOSA_MASTER_KEY: masterKey })
  const key = await icosa('keys', 'create', '--tenant', 'planted-tenant', '--name', 'planted-key')
  // A password that is refused is in the message of no error either.
  const wrong = Object.fromEntries(secrets.map((name) => [name, planted(name)]))
  const env = {
    ...wrong,
    ICOSA_SMTP_URL: 'smtp://planted-user:planted%2Dpassword@127.0.0.1:1',
    ICOSA_MASTER_KEY: masterKey,
  }
  for (const one of [{ DATABASE_URL: database.url }, env]) {
    const text = await shellOf({ DATABASE_URL: database.url, ...one })('support').catch((error: Error) => error.message)
    expect(text).not.toMatch(/planted[-%]/)
    expect(text).not.toContain(masterKey)
    expect(text).not.toContain(key)
  }
})

test('values of secret settings and passwords in addresses are hidden in any text', async () => {
  const settings = await allSettings()
  const names = await secretSettings()
  const env = Object.fromEntries(names.map((name) => [name, `smtp://user:${planted(name)}%40@host,${planted(name)}`]))
  const text = names.map((name) => `${env[name]} or ${planted(name)}@ and amqp://a:${planted(name)}-2@b`).join('\n')
  expect(withoutSecrets(text, env, settings)).not.toContain('planted')
})

test('a password whose percent signs encode nothing is hidden, too', async () => {
  const env = { ICOSA_SMTP_URL: 'smtp://user:50%planted@host' }
  expect(withoutSecrets('50%planted', env, await allSettings())).toBe('(secret)')
})

test('without its database, a report says so, without the password', async () => {
  const icosa = shellOf({ DATABASE_URL: 'postgres://icosa:p%40ssword-1@127.0.0.1:1/icosa' })
  const text = await icosa('support')
  expect(JSON.parse(text).database.problem ?? JSON.parse(text).database.server.problem).toMatch(/ECONNREFUSED|database/)
  expect(text).not.toMatch(/p(%40|@)ssword-1/)
})

test('a report is written to a new file that only its owner can read', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'icosa-report-'))
  const file = join(folder.path, 'report.json')
  const env = { DATABASE_URL: 'postgres://icosa@127.0.0.1:1/icosa' }
  await shellOf(env)('support', '--out', file)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(JSON.parse(await readFile(file, 'utf8'))).toHaveProperty('machine')
  expect(await refusalOf(['support', '--out', file], env)).toContain('EEXIST')
})
