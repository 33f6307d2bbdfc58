import { chmod, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { zip } from '../build/zip.ts'
import { at, type Files, type FunctionsApp, hello, startFunctions, type Tenant, testSettings } from '../testing/app.ts'

let app: FunctionsApp
let acme: Tenant
beforeAll(async () => {
  app = await startFunctions()
  acme = await app.tenant()
})
afterAll(() => app[Symbol.asyncDispose]())

let count = 0

test.each<[string, Files | Buffer, string, RegExp]>([
  [
    'a syntax error',
    { 'index.js': 'exports.hello = () => {\n\n  oops oops\n}\n' },
    'nodejs24',
    /^index\.js:3: SyntaxError/,
  ],
  [
    'an unexpected end',
    { 'index.js': 'exports.hello = (' },
    'nodejs24',
    /^index\.js:1: SyntaxError: Unexpected end of input/,
  ],
  [
    'a syntax error in a module',
    { 'package.json': '{"type":"module"}', 'lib/a.js': 'import "b"\nexport let let = 1\n' },
    'nodejs24',
    /lib\/a\.js:2: /,
  ],
  [
    'a syntax error in Python',
    { 'main.py': 'def hello(request):\n    return (\n' },
    'python311',
    /^main\.py:2: SyntaxError/,
  ],
  [
    'a missing dependency',
    { ...hello, 'package.json': '{"dependencies":{"left-pad":"1"}}' },
    'nodejs24',
    /left-pad.*node_modules/,
  ],
  [
    'a missing Python dependency',
    { 'main.py': 'x = 1\n', 'requirements.txt': '# ours\nnumpy==1.0\n' },
    'python311',
    /numpy.*pip install/,
  ],
  ['a broken package.json', { ...hello, 'package.json': '{' }, 'nodejs24', /package\.json is not JSON/],
  ['path traversal', zip([{ path: '../x', content: 'x' }]), 'nodejs24', /is outside/],
])('%s fails the deployment with a helpful message', async (_, files, runtime, message) => {
  const name = `broken-${++count}`
  const operation = await acme.deploy(name, files, { runtime })
  expect(operation).toMatchObject({ done: true, error: { code: 3, message: expect.stringMatching(message) } })
  const { body } = await acme.getFunction({ params: at(name) })
  expect(body).toMatchObject({
    state: 'FAILED',
    stateMessages: [{ severity: 'ERROR', message: operation.error?.message }],
  })
})

test('a build that exceeds its time limit fails and leaves nothing behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-builds-'))
  await chmod(folder, 0o755)
  await symlink(join(testSettings().folder, 'runtimes'), join(folder, 'runtimes'))
  await using quick = await startFunctions({ buildMs: 1, folder })
  const operation = await (await quick.tenant()).deploy('slow', hello)
  expect(operation).toMatchObject({ error: { code: 3, message: expect.stringContaining('longer than 0.001 s') } })
  expect(await readdir(join(folder, 'builds'))).toEqual([])
  await rm(folder, { recursive: true })
})

test('packages of the runtime need not be included, and vendored modules are used', async () => {
  const dependencies = { '@google-cloud/functions-framework': '^5.0.0', mine: '1' }
  const operation = await acme.deploy('vendored', {
    ...hello,
    'package.json': JSON.stringify({ dependencies }),
    'node_modules/mine/package.json': '{}',
    'node_modules/mine/index.js': 'not even JavaScript',
  })
  expect(operation.response).toMatchObject({ state: 'ACTIVE' })
})

test('TypeScript runs without a build; its errors have file and line', async () => {
  const files = {
    'package.json': '{"type":"module"}',
    'index.ts':
      "import { greet } from './greet.ts'\nexport const hello = (request: { query: object }, response: { send(text: string): void }) => response.send(greet('ada'))\n",
    'greet.ts': 'export function greet<T extends string>(name: T): string {\n  return "hi " + name\n}\n',
  }
  const { response } = await acme.deploy('typed', files)
  expect(response).toMatchObject({ state: 'ACTIVE' })
  const headers = { authorization: `Bearer ${acme.key}` }
  expect(await (await fetch(String(Object(response?.serviceConfig).uri), { headers })).text()).toBe('hi ada')
  const broken = await acme.deploy('mistyped', {
    ...files,
    'greet.ts': 'export const a: number = 1\nexport const = 2\n',
  })
  expect(broken.error?.message).toMatch(/^greet\.ts:2: SyntaxError/)
})

test('a failed update keeps the last revision, and can be fixed', async () => {
  const { response } = await acme.deploy('repaired', hello)
  const storageSource = await acme.upload({ 'index.js': 'oops oops' })
  const body = { buildConfig: { source: { storageSource } } }
  const failed = await acme.waitFor((await acme.updateFunction({ params: at('repaired'), body })).body)
  expect(failed.error?.message).toContain('index.js:1')
  const { body: resource } = await acme.getFunction({ params: at('repaired') })
  const { revision } = (response as { serviceConfig: { revision: string } }).serviceConfig
  expect(resource).toMatchObject({ state: 'FAILED', serviceConfig: { revision } })
  const good = { buildConfig: { source: { storageSource: await acme.upload(hello) } } }
  const repaired = await acme.waitFor((await acme.updateFunction({ params: at('repaired'), body: good })).body)
  expect(repaired.response).toMatchObject({ state: 'ACTIVE' })
  expect(repaired.response).not.toHaveProperty('stateMessages')
})

test('blobs that no revision needs are deleted, others are kept', async () => {
  let versions = 0
  const other = await app.tenant('tidy')
  const place = { project: 'tidy', location: 'europe-north1' }
  const blobs = app.platform.blobsOf('functions', 'tidy')
  const count = async () =>
    (await blobs.list('', { limit: 100 })).items.filter(({ key }) => !key.startsWith('uploads/')).length
  const build = async () => {
    const { uploadUrl, storageSource } = (await other.generateUploadUrl({ params: place, body: {} })).body
    const body = new Uint8Array(zip([{ path: 'index.js', content: `exports.hello = () => ${++versions}` }]))
    await fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': 'application/zip' }, body })
    return { buildConfig: { runtime: 'nodejs24', entryPoint: 'hello', source: { storageSource } } }
  }
  await other.createFunction({ params: place, query: { functionId: 'kept' }, body: await build() })
  await app.jobs.drain()
  expect(await count()).toBe(2)
  await other.updateFunction({ params: { ...place, function: 'kept' }, body: await build() })
  await app.jobs.drain()
  expect(await count()).toBe(4)
  await app.clock.advance(3_601_000)
  await app.jobs.drain()
  expect(await count()).toBe(4) // for a rollback
  const { buildConfig } = await build() // builds, but does not start
  const broken = { buildConfig: { ...buildConfig, entryPoint: 'missing' } }
  await other.updateFunction({ params: { ...place, function: 'kept' }, body: broken })
  await app.jobs.drain()
  expect(await count()).toBe(6)
  await app.clock.advance(3_601_000)
  await app.jobs.drain()
  expect(await count()).toBe(4)
  await other.deleteFunction({ params: { ...place, function: 'kept' } })
  await app.jobs.drain()
  await app.clock.advance(3_601_000)
  await app.jobs.drain()
  expect(await count()).toBe(0)
})
