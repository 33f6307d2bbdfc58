import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Dev, startDevAs } from '../../apps/server/src/testing/dev.ts'
import { follow } from './follow.ts'
import { ordinaryAccount, readPage, root } from './page.ts'

// Follows each guide with its program in Python instead of TypeScript, at an instance of its own. Those that need packages of
// Debian, and those that take long, run nightly.
const guides = readdirSync(join(root, 'docs/guides')).filter((name) => name !== 'README.md')
const services = guides.map((name) => basename(name, '.md'))
const quick = ['api-diagnostics', 'braille-translation', 'configuration-stores', 'robotics-statistics']
const chosen = process.env.NIGHTLY ? services : quick
const packages = ['python3-boto3', 'python3-cryptography', 'python3-psycopg2']

const account = await ordinaryAccount()
/** Instances for guides: of the reader, of root, and without TLS, since URLs of functions have the scheme of the node. */
const instances = {
  readers: () => startDevAs({ account, settings: { ICOSA_MACHINES_PORTS: '17400-18399' } }, '--tls'),
  root: () => startDevAs({}, '--tls'),
  functions: () => startDevAs({ account }, '--services', 'functions'),
}
const started = new Map<keyof typeof instances, Promise<Dev>>()
function instance(name: keyof typeof instances): Promise<Dev> {
  const dev = started.get(name) ?? instances[name]()
  started.set(name, dev)
  return dev
}

beforeAll(async () => {
  if (process.env.NIGHTLY)
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { stdio: 'ignore' })
  await instance('readers')
})
afterAll(() => Promise.all([...started.values()].map(async (dev) => (await dev)[Symbol.asyncDispose]())))

describe('programs in Python print what their guide shows', () => {
  test.for(chosen)('%s', async (service, { signal }) => {
    const page = await readPage(`docs/guides/${service}.md`, 'Python')
    const dev = await instance(page.needsRoot ? 'root' : service === 'functions' ? 'functions' : 'readers')
    await follow(service, page, { dev, account: page.needsRoot ? undefined : account, signal })
  })
})

test.each(services)('the guide to %s has a program in each language', async (service) => {
  for (const [language, ending] of [
    ['TypeScript', '.ts'],
    ['Python', '.py'],
  ] as const) {
    const { files, sessions } = await readPage(`docs/guides/${service}.md`, language)
    const [file] = files
    expect(file?.name, language).toMatch(new RegExp(`\\${ending}$`))
    expect(sessions.filter(({ text }) => text.includes(file?.name ?? '?')).length, language).toBe(1)
  }
})
