import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { isAlive } from '@icosa/module'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { startDev } from '../../apps/server/src/testing/dev.ts'
import { blocksOf } from './blocks.ts'
import { runBlocks } from './shell.ts'

// Runs every example of docs/test/README.md verbatim, against the package to be published.
const root = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)
let folder = ''
let page = ''

/** Code block by the name that follows its language. */
const example = (name: string) => new RegExp(`\`\`\`\\w+ ${name}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? ''

const packed = async () => join(root, (await readdir(root)).find((name) => /^icosa-[\d.]+\.tgz$/.test(name)) ?? '')

beforeAll(async () => {
  page = await readFile(join(root, 'docs/test/README.md'), 'utf8')
  folder = await mkdtemp(join(tmpdir(), 'icosa-page-'))
  const env = { ...process.env, PACKAGE_PLATFORMS: '' } // no native code: face recognition is not tested here
  await run(process.execPath, ['scripts/package.ts'], { cwd: root, env })
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, 'icosa'), { recursive: true })
  await run('tar', ['-xzf', await packed(), '--strip-components=1', '-C', join(modules, 'icosa')])
  for (const name of await readdir(join(root, 'node_modules')))
    if (name !== 'icosa' && name !== '@icosa') await symlink(join(root, 'node_modules', name), join(modules, name))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs a command in a new project, without the environment variables of this test run. */
async function inProject(name: string, files: Readonly<Record<string, string>>, words: readonly string[], more = {}) {
  const cwd = join(folder, name)
  await mkdir(join(cwd, 'seeds'), { recursive: true })
  for (const [file, text] of Object.entries(files)) await writeFile(join(cwd, file), text)
  const { DATABASE_URL: _, NODE_OPTIONS: __, VITEST: ___, ...bare } = process.env
  const env = { ...bare, ...more, PATH: `${join(root, 'node_modules/.bin')}:${bare.PATH}` }
  const [program = '', ...args] = words
  return run(program, args, { cwd, env }).then(
    ({ stdout, stderr }) => stdout + stderr,
    (error: { stdout: string; stderr: string }) => {
      throw new Error(error.stdout + error.stderr)
    },
  )
}

// The test runners' default of five seconds may be too short on a busy machine.
const patience = '--testTimeout=120000'
const manifest = JSON.stringify({ name: 'project', private: true, type: 'module' })
/** Folders of processes that have ended; other tests may still be running. */
const leftBehind = async () =>
  (await readdir(tmpdir())).filter((name) => {
    const [, pid] = /^icosa-testing-(\d+)-/.exec(name) ?? []
    return pid !== undefined && !isAlive(Number(pid))
  })

test('the package passes publint, and its types resolve', async () => {
  const bin = join(root, 'node_modules/.bin')
  await run(join(bin, 'publint'), ['--strict', join(folder, 'node_modules/icosa')])
  await run(join(bin, 'attw'), [await packed(), '--profile', 'esm-only', '--quiet'])
})

test('the node:test example passes', async () => {
  const files = { 'package.json': manifest, 'notes.test.mjs': example('node-test') }
  expect(await inProject('node-test', files, [process.execPath, '--test'])).toContain('pass 1')
})

test('the vitest example passes, with types and seeds from a folder', async () => {
  const options = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2024',
    lib: ['es2024', 'esnext.disposable', 'dom'],
    types: [],
    skipLibCheck: true,
  }
  const files = {
    'package.json': manifest,
    'notes.test.ts': example('vitest'),
    'seeds/1-vault.json': example('seed'),
    'faults.ts': `import type { Icosa } from 'icosa/testing'\ndeclare const app: Icosa\n${example('faults')}`,
    'tsconfig.json': JSON.stringify({ compilerOptions: options, include: ['*.ts'] }),
  }
  await inProject('vitest', files, ['tsc'])
  expect(await inProject('vitest', files, ['vitest', 'run', patience], { NO_COLOR: '1' })).toContain('4 passed')

  const shared = {
    'package.json': manifest,
    'icosa.setup.ts': example('setup'),
    'vitest.config.ts': example('config'),
    'vaults.test.ts': example('shared'),
    'tsconfig.json': files['tsconfig.json'],
  }
  await inProject('shared', shared, ['tsc'])
  expect(await inProject('shared', shared, ['vitest', 'run', patience], { NO_COLOR: '1' })).toContain('1 passed')
})

test('the jest example passes', async () => {
  const jest = JSON.stringify({ ...JSON.parse(manifest), jest: { testMatch: ['**/*.test.mjs'], transform: {} } })
  const files = { 'package.json': jest, 'notes.test.mjs': example('jest') }
  const more = { NODE_OPTIONS: '--experimental-vm-modules' }
  expect(await inProject('jest', files, ['jest', '--forceExit=false', patience], more)).toContain('1 passed')
})

test('nothing is left behind', async () => {
  expect(await leftBehind()).toEqual([])
})

test('the manual example works while `icosa dev` runs', async ({ signal }) => {
  await using dev = await startDev('--services', 'backup')
  const cwd = join(folder, 'by-hand')
  await mkdir(cwd)
  await symlink(dev.folder, join(cwd, '.icosa'))
  await symlink(join(root, 'node_modules'), join(cwd, 'node_modules'))
  const commands = blocksOf(page).filter(({ kind }) => kind === 'sh')
  const [first] = await runBlocks(
    commands.map(({ text }) => text),
    { cwd, env: { ...dev.env, ICOSA_DATA: dev.folder }, signal },
  )
  const printed = first?.text ?? ''
  expect(printed).toMatch(/seeded +\d{4}-/)
  expect(printed).toContain('error ThrottlingException')
  expect(printed).toContain('latency 200 ms')
})

test('the CI example is YAML for Node 24', () => {
  const file = example('github')
  expect(file).toContain('node-version: 24')
  expect(file).not.toContain('\t')
})
