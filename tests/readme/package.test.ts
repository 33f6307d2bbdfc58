import { execFile, execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isAlive } from '@icosa/module'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDev } from '../../apps/server/src/testing/dev.ts'
import { blocksOf } from './blocks.ts'
import { root } from './page.ts'
import { runBlocks } from './shell.ts'
import { command, compareStarts, expected, tryIt } from './start.ts'

// Installs the package to be published as README does, and runs every example of docs/test/README.md verbatim against it.
const run = promisify(execFile)
let folder = ''
/** A reader's folder with only the package. */
let empty = ''
let tarball = ''
let page = ''
/** Reply to README's request. */
let reply: unknown

/** Code block by the name that follows its language. */
const example = (name: string) => new RegExp(`\`\`\`\\w+ ${name}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? ''

beforeAll(async () => {
  page = await readFile(join(root, 'docs/test/README.md'), 'utf8')
  folder = await mkdtemp(join(tmpdir(), 'icosa-page-'))
  empty = await mkdtemp(join(tmpdir(), 'icosa-empty-'))
  const env = { ...process.env, PACKAGE_PLATFORMS: `${process.platform}/${process.arch}` }
  await run('npm', ['run', 'package'], { cwd: root, env, maxBuffer: 2 ** 24 })
  tarball = (await readdir(root)).find((name) => /^icosa-[\d.]+\.tgz$/.test(name)) ?? ''
  await cp(join(root, tarball), join(empty, tarball))
  reply = await tryIt(command('npm i ./icosa'), empty)
  const modules = join(folder, 'node_modules') // of the projects below
  await mkdir(modules)
  await symlink(join(empty, 'node_modules/icosa'), join(modules, 'icosa'))
  for (const name of await readdir(join(root, 'node_modules')))
    if (name !== 'icosa' && name !== '@icosa') await symlink(join(root, 'node_modules', name), join(modules, name))
}, 600_000)
afterAll(() => Promise.all([folder, empty].map((path) => rm(path, { recursive: true, force: true }))))

/** Installed packages, except Icosa itself, that its SBOM does not list in this version. */
async function unlisted(folder: string): Promise<string[]> {
  const read = async (file: string) => JSON.parse(await readFile(join(folder, 'node_modules', file), 'utf8'))
  const { components }: { components: { name: string; version: string }[] } = await read('icosa/sbom.cdx.json')
  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`))
  const { packages }: { packages: Record<string, { version: string }> } = await read('.package-lock.json')
  const installed = Object.entries(packages).map(
    ([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`,
  )
  expect(installed.length).toBeGreaterThan(100)
  return installed.filter((one) => !listed.has(one) && !one.startsWith('icosa@'))
}

test('a package in an empty folder answers, and its second start is quick', async () => {
  expect(reply).toEqual(expected())
  const megabytesOf = (path: string) =>
    Number.parseInt(execFileSync('du', ['-sb', join(empty, path)], { encoding: 'utf8' }), 10) / 1e6
  const sizes = [megabytesOf(tarball), megabytesOf('node_modules')] as const
  console.log(`the package has ${sizes[0].toFixed(1)} MB, ${sizes[1].toFixed(1)} MB with its dependencies`)
  expect(sizes[0]).toBeLessThan(30) // 26 with the native code of one platform
  expect(sizes[1]).toBeLessThan(320) // about 290
  expect(await unlisted(empty), 'the SBOM lists every installed package').toEqual([])
  const script =
    "console.log(typeof (await import('icosa')).start, (await import('onnxruntime-node')).listSupportedBackends().length > 0)"
  const inPackage = { cwd: join(empty, 'node_modules/icosa'), encoding: 'utf8' } as const
  expect(execFileSync(process.execPath, ['--input-type=module', '-e', script], inPackage)).toBe('function true\n')
  await compareStarts('of the package', empty, 8) // about 5
}, 600_000)

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
  await run(join(bin, 'publint'), ['--strict', join(root, tarball)])
  await run(join(bin, 'attw'), [join(root, tarball), '--profile', 'esm-only', '--quiet'])
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
