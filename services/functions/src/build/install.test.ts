import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { guardedFetch } from '@icosa/fetch'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, startFunctions } from '../testing/app.ts'
import { install } from './install.ts'
import { pack } from './pack.ts'

const files = new Map<string, Buffer>()
const requests: string[] = []
const registry = createServer((request, response) => {
  requests.push(request.url ?? '')
  const file = files.get(request.url ?? '')
  response.writeHead(file ? 200 : 404).end(file)
})
const fetch = guardedFetch({ allow: ['127.0.0.0/8'] })
const { signal } = new AbortController()
let url = ''
let temporary = ''

beforeAll(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'icosa-install-'))
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/npm/`
})
afterAll(async () => {
  await fetch.close()
  await new Promise((resolve) => registry.close(resolve))
  await rm(temporary, { recursive: true })
})

let count = 0

/** Publishes a package to the registry. Returns its integrity. */
async function publish(name: string, version: string, content: Readonly<Record<string, string>>, link?: string) {
  const folder = join(temporary, `published-${++count}`)
  for (const [path, text] of Object.entries({ 'package.json': `{"version":"${version}"}`, ...content })) {
    await mkdir(join(folder, 'package', path, '..'), { recursive: true })
    await writeFile(join(folder, 'package', path), text)
  }
  if (link) await symlink(link, join(folder, 'package/link'))
  await pack(folder, `${folder}.tgz`, signal)
  const bytes = await readFile(`${folder}.tgz`)
  files.set(`/npm/${name}/-/${name.split('/').at(-1)}-${version}.tgz`, bytes)
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`
}

type Packages = Readonly<Record<string, object>>

async function source(dependencies: Readonly<Record<string, string>>, packages: Packages, locked = dependencies) {
  const folder = join(temporary, `build-${++count}`, 'workspace')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify({ dependencies }))
  const lock = { lockfileVersion: 3, packages: { '': { dependencies: locked }, ...packages } }
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock))
  return folder
}

const installAndList = async (folder: string) => {
  await install(folder, { url, fetch, signal })
  return (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('package.json')).sort()
}

test('packages are installed where the lock file says, except dev, bundled and other-platform packages', async () => {
  const outer = await publish('outer', '1.2.3', { 'index.js': 'exports.inner = require("@in/ner")' })
  const inner = await publish('@in/ner', '2.0.0-rc.1', { 'lib/deep.js': '1' })
  const folder = await source(
    { outer: '^1.0.0' },
    {
      'node_modules/outer/node_modules/@in/ner': { version: '2.0.0-rc.1', integrity: inner },
      'node_modules/outer': { version: '1.2.3', integrity: outer, resolved: 'https://elsewhere.example/outer.tgz' },
      'node_modules/alias': { name: 'outer', version: '1.2.3', integrity: `sha1-x ${outer}` },
      'node_modules/tool': { version: '1.0.0', dev: true },
      'node_modules/outer/node_modules/bundled': { version: '1.0.0', inBundle: true },
      'node_modules/for-mac': { version: '1.0.0', optional: true, os: ['darwin'] },
      'node_modules/not-here': { version: '1.0.0', optional: true, os: [`!${process.platform}`] },
    },
  )
  requests.length = 0
  expect(await installAndList(folder)).toEqual([
    'node_modules/alias/package.json',
    'node_modules/outer/node_modules/@in/ner/package.json',
    'node_modules/outer/package.json',
    'package.json',
  ])
  expect(await readFile(join(folder, 'node_modules/outer/node_modules/@in/ner/lib/deep.js'), 'utf8')).toBe('1')
  expect(requests.every((path) => path.startsWith('/npm/'))).toBe(true)
  expect(await readdir(join(folder, '..'))).toEqual(['workspace'])
})

test('a source with node_modules, or without a lock file, is not changed', async () => {
  const folder = await source({ a: '1' }, { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-x' } })
  await mkdir(join(folder, 'node_modules/b'), { recursive: true })
  expect(await installAndList(folder)).toEqual(['package.json'])
  const other = await source({ a: '1' }, {})
  await rm(join(other, 'package-lock.json'))
  expect(await installAndList(other)).toEqual(['package.json'])
})

const good = { version: '1.0.0', integrity: `sha512-${'x'.repeat(86)}==` }
test.each<[string, Packages, RegExp]>([
  ['a hash mismatch', { 'node_modules/true': good }, /its hash differs/],
  ['a package that the registry lacks', { 'node_modules/gone': good }, /returned 404 for gone 1\.0\.0/],
  ['no hash', { 'node_modules/a': { version: '1.0.0' } }, /no SHA-512/],
  ['an unsupported hash', { 'node_modules/a': { version: '1.0.0', integrity: 'sha1-abc' } }, /no SHA-512/],
  ['path traversal', { 'node_modules/../../a': good }, /a local folder/],
  ['hidden path traversal', { 'node_modules/a/../../b': good }, /a local folder/],
  ['a file elsewhere', { 'lib/a': good }, /a local folder/],
  ['a link', { 'node_modules/a': { ...good, link: true } }, /a local folder/],
  ['git', { 'node_modules/a': { ...good, resolved: 'git+ssh://git@example.com/a.git#1' } }, /only packages of a reg/],
  ['a file', { 'node_modules/a': { ...good, resolved: 'file:///etc/passwd' } }, /only packages of a registry/],
  ['a name with a query', { 'node_modules/a': { ...good, name: 'a?b=/../c' } }, /does not name a version/],
  ['a version that is a path', { 'node_modules/a': { ...good, version: '1.0.0/../../x' } }, /does not name a version/],
  [
    'too many',
    Object.fromEntries(Array.from({ length: 2_001 }, (_, n) => [`node_modules/a${n}`, good])),
    /at most 2000/,
  ],
])('%s is refused with a helpful message', async (_, packages, message) => {
  await publish('true', '1.0.0', {})
  await expect(installAndList(await source({}, packages))).rejects.toThrow(message)
})

test('a package with path traversal is refused', async () => {
  const integrity = await publish('linked', '1.0.0', {}, '../../../etc')
  const folder = await source({}, { 'node_modules/linked': { version: '1.0.0', integrity } })
  await expect(installAndList(folder)).rejects.toThrow(/linked 1\.0\.0 cannot be unpacked.*is outside/)
})

test('a lock file of other dependencies is refused, as is one that is not JSON', async () => {
  await expect(installAndList(await source({ a: '2' }, {}, { a: '1' }))).rejects.toThrow(/do not agree on 'a'/)
  const folder = await source({}, {})
  await writeFile(join(folder, 'package-lock.json'), '{')
  await expect(installAndList(folder)).rejects.toThrow(/package-lock\.json is not JSON/)
})

test('a function is deployed and runs with the packages of its lock file', async () => {
  const integrity = await publish('greeting', '1.0.0', { 'index.js': "module.exports = (name) => 'good day, ' + name" })
  await using app = await startFunctions({ registry: url })
  const acme = await app.tenant()
  const operation = await acme.deploy('greeter', {
    'index.js': `const greeting = require('greeting')\nexports.hello = (request, response) => response.send(greeting('ada'))`,
    'package.json': JSON.stringify({ dependencies: { greeting: '^1.0.0' } }),
    'package-lock.json': JSON.stringify({
      lockfileVersion: 3,
      packages: {
        '': { dependencies: { greeting: '^1.0.0' } },
        'node_modules/greeting': { version: '1.0.0', integrity },
      },
    }),
  })
  expect(operation.response).toMatchObject({ state: 'ACTIVE' })
  const { body } = await acme.getFunction({ params: at('greeter') })
  const response = await globalThis.fetch(body.serviceConfig?.uri ?? '', {
    headers: { authorization: `Bearer ${acme.key}` },
  })
  expect(await response.text()).toBe('good day, ada')
})
