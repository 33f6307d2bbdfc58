import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTestDatabase } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allServices, loadModules } from './services.ts'

// Which files a command loads, seen by a hook in its own process.
const cli = fileURLToPath(new URL('cli.ts', import.meta.url))
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'icosa-loading-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const hook = `
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
registerHooks({
  load(url, context, next) {
    appendFileSync(process.env.LOADED, url + '\\n')
    return next(url, context)
  },
})`

/** Files of services, as `name/file`, that were loaded until the command said this or had ended. */
async function loadedBy(args: readonly string[], until: RegExp, more: NodeJS.ProcessEnv = {}) {
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
  let said = ''
  try {
    child.stderr.on('data', (chunk) => {
      said += chunk
      if (until.test(said)) child.kill('SIGKILL')
    })
    for await (const chunk of child.stdout) said += chunk
    expect(said).toMatch(until)
  } finally {
    child.kill('SIGKILL')
  }
  const urls = (await readFile(list, 'utf8')).trim().split('\n')
  expect(urls.length).toBeGreaterThan(20)
  return urls.flatMap((url) => /\/services\/([^/]+\/src\/.+)$/.exec(url)?.[1] ?? [])
}

const foldersOf = (files: readonly string[]) => [...new Set(files.map((file) => file.split('/', 1).join()))].sort()

test('a node that serves two services loads two', async () => {
  await using database = await createTestDatabase(await allServices())
  const files = await loadedBy(['serve', '--port', '0', '--services', 'S4,resource-groups'], /^Serving at/m, {
    DATABASE_URL: database.url,
    ICOSA_MASTER_KEY: Buffer.alloc(32).toString('base64'),
    ICOSA_BLOBS: folder,
    ICOSA_PUBLIC_URL: 'https://icosa.example',
    ICOSA_RETENTION: '{"job_scheduler.history":90}',
  })
  expect(files).toContain('resource-groups/src/index.ts')
  // The platform's own operations come with every node.
  expect(foldersOf(files)).toEqual(['braille-translation', 'platform', 'resource-groups'])
}, 120_000)

test('what describes the services loads none of them', async () => {
  const files = await loadedBy(['configuration'], /# Configuration/)
  expect(foldersOf(files)).toEqual((await loadModules()).map(({ name }) => name).sort())
  expect(files.filter((file) => /\/(index|held|handlers|store|jobs)\.ts$/.test(file))).toEqual([])
}, 120_000)

test('help lists the commands of services beside those of the platform, without the services', async () => {
  const files = await loadedBy(['help'], /icosa doctor[\s\S]*icosa people invite[\s\S]*icosa events simulate/)
  expect(files.filter((file) => /^[^/]+\/src\/index\.ts$/.test(file))).toEqual(['platform/src/index.ts'])
}, 120_000)
