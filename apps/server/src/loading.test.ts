import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createTestDatabase } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withPlatform } from './node.ts'
import { writeTable } from './router/table/file.ts'
import { emptySnapshot } from './router/table/table.ts'
import { allServices, loadModules } from './services.ts'

// Files that a command loads and programs that it starts, recorded by a hook in its process.
const cli = fileURLToPath(new URL('../bin/icosa.js', import.meta.url))
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'icosa-loading-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const hook = `
import { ChildProcess } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
const note = (line) => appendFileSync(process.env.LOADED, line + '\\n')
registerHooks({
  load(url, context, next) {
    note(url)
    return next(url, context)
  },
})
const { spawn } = ChildProcess.prototype
ChildProcess.prototype.spawn = function (options) {
  note('starts ' + options.args.join(' '))
  return spawn.call(this, options)
}`

/** Files and programs in the order in which they are loaded, until the command prints a text or exits. */
async function seenOf(args: readonly string[], until: RegExp, more: NodeJS.ProcessEnv = {}) {
  const list = join(folder, `${args.join('-')}.txt`)
  const env = { ...process.env, LOADED: list, ...more }
  const child = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, cli, ...args],
    {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let output = ''
  let isAsked = false
  const hear = (chunk: Buffer) => {
    output += chunk
    if (!isAsked && until.test(output)) isAsked = child.kill('SIGINT')
  }
  try {
    child.stderr.on('data', hear)
    child.stdout.on('data', hear)
    await once(child, 'exit')
    expect(output).toMatch(until)
  } finally {
    child.kill('SIGKILL')
  }
  const lines = (await readFile(list, 'utf8')).trim().split('\n')
  expect(lines.length).toBeGreaterThan(20)
  return lines
}

/** Files of services as `name/file`. */
const loadedBy = async (...command: Parameters<typeof seenOf>) =>
  (await seenOf(...command)).flatMap((line) => /\/services\/([^/]+\/src\/.+)$/.exec(line)?.[1] ?? [])

const foldersOf = (files: readonly string[]) => [...new Set(files.map((file) => file.split('/', 1).join()))].sort()

test('a node that serves two services loads only these', async () => {
  await using database = await createTestDatabase(withPlatform(await allServices(), 'system'))
  const files = await loadedBy(['serve', '--port', '0', '--services', 'S4,resource-groups'], /"Serving at/, {
    DATABASE_URL: database.url,
    ICOSA_MASTER_KEY: Buffer.alloc(32).toString('base64'),
    ICOSA_BLOBS: folder,
    ICOSA_PUBLIC_URL: 'https://icosa.example',
    ICOSA_DRAIN_MS: '0',
    ICOSA_RETENTION: '{"job_scheduler.history":90}',
  })
  expect(files).toContain('resource-groups/src/index.ts')
  // Every node serves the platform's own operations.
  expect(foldersOf(files)).toEqual(['braille-translation', 'platform', 'resource-groups'])
})

test('the description of settings loads modules but not services', async () => {
  const files = await loadedBy(['configuration'], /# Configuration/)
  expect(foldersOf(files)).toEqual((await loadModules()).map(({ name }) => name).sort())
  expect(files.filter((file) => /\/(index|runtime|handlers|store|jobs)\.ts$/.test(file))).toEqual([])
})

test('a router loads the settings of one service, and nothing else of any', async () => {
  const data = await mkdtemp(join(folder, 'router-'))
  await writeTable(join(data, 'routes'), { ...emptySnapshot, version: '1' })
  const environment = { ICOSA_DIRECTORY_URL: 'postgres://127.0.0.1:1/away', ICOSA_DATA: data, ICOSA_DRAIN_MS: '0' }
  const files = await loadedBy(['route', '--port', '0'], /Routing at/, environment)
  expect(files.toSorted()).toEqual(['functions/src/domain.ts', 'functions/src/settings.ts'])
})

test('help lists the commands of platform and services without loading the services', async () => {
  const files = await loadedBy(['help'], /icosa doctor[\s\S]*icosa people invite[\s\S]*icosa events simulate/)
  expect(files.filter((file) => /^[^/]+\/src\/index\.ts$/.test(file))).toEqual(['platform/src/index.ts'])
})

test('development mode loads services while its database starts, and no library before a request needs it', async () => {
  const lines = await seenOf(['dev', '--port', '0'], /Icosa is ready/, {
    DATABASE_URL: undefined,
    ICOSA_DATA: join(folder, 'data'),
  })
  const database = lines.findIndex((line) => /^starts .*postgres .*-D .*-c port=/.test(line))
  expect(database).toBeGreaterThan(0)
  const kernel = lines.findIndex((line) => line.endsWith('/packages/kernel/src/index.ts'))
  expect(kernel).toBeGreaterThan(database)
  const libraries =
    /node_modules\/(oidc-provider|undici|ajv|@aws-sdk|sharp|onnxruntime-node|koffi|fasttext|nodemailer|feedsmith|yauzl|re2js)\//
  expect(lines.filter((line) => libraries.test(line))).toEqual([])
})

test.each([
  ['a cache', {}, /./],
  ['none', { NODE_DISABLE_COMPILE_CACHE: '1' }, /^$/],
])('child processes use the compile cache of the command, if it has one: %s', async (_, more, expected) => {
  const { NODE_COMPILE_CACHE: __, ...env } = process.env
  const printed = `process.on('exit', () => console.error(process.env.NODE_COMPILE_CACHE ?? ''))`
  const args = ['--import', `data:text/javascript,${encodeURIComponent(printed)}`, cli, '--version']
  const { stderr } = await promisify(execFile)(process.execPath, args, { env: { ...env, ...more } })
  expect(stderr.trim()).toMatch(expected)
})
