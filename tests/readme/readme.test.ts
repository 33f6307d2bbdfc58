import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { blocksOf } from './blocks.ts'
import { type Cost, cheapest, cpuMsOfSession, idleness, writeReference } from './cost.ts'

// Runs the commands of README verbatim, in a copy of the checkout and in an empty folder.
const root = fileURLToPath(new URL('../../', import.meta.url))
let temporary = ''
let checkout = ''
let reference = ''
let readme = ''
const blocks = () => blocksOf(readme)
const command = (start: string) => blocks().find(({ text }) => text.startsWith(start))?.text ?? `README has no ${start}`

beforeAll(async () => {
  readme = await readFile(join(root, 'README.md'), 'utf8')
  temporary = await mkdtemp(join(tmpdir(), 'icosa-readme-'))
  checkout = join(temporary, 'checkout')
  reference = await writeReference(join(temporary, 'reference'))
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  for (const file of files.trim().split('\n')) {
    await mkdir(dirname(join(checkout, file)), { recursive: true })
    await cp(join(root, file), join(checkout, file)).catch(() => {}) // deleted, but not committed yet
  }
})
afterAll(() => rm(temporary, { recursive: true, force: true }))

const maxWaiting = 2

/** Runs a command until it reports that it is ready, calls `work`, and ends it. */
async function whenReady<T>(shell: string, cwd: string, work: () => T): Promise<Cost & { readonly result: T }> {
  const { DATABASE_URL: _, ...environment } = process.env
  const env = { ...environment, PATH: `${join(cwd, 'node_modules/.bin')}:${environment.PATH}` }
  const started = performance.now()
  const child = spawn('setsid', ['sh', '-c', shell], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const gone = once(child, 'exit')
  try {
    const ready = (async () => {
      for await (const line of createInterface(child.stdout)) if (line.includes(' is ready')) return
      throw new Error(`${shell} ended without being ready`)
    })()
    await ready
    const wallMs = performance.now() - started
    const cpuMs = await cpuMsOfSession(child.pid ?? 0)
    return { wallMs, cpuMs, result: work() }
  } finally {
    process.kill(-(child.pid ?? 0), 'SIGINT')
    await gone
  }
}

/** Runs a command that ends in `icosa dev`, waits for its table, then runs README's curl against it. */
async function tryIt(shell: string, cwd: string): Promise<unknown> {
  const curl = () => execFileSync('sh', ['-c', `${command('curl')} -s --fail`], { encoding: 'utf8' })
  const { wallMs, result } = await whenReady(shell, cwd, curl)
  console.log(`ready ${Math.round(wallMs / 1_000)} s after: ${shell}`)
  return JSON.parse(result)
}

/**
 * Compares CPU time and waiting of the second start with the reference program. Seconds would measure the machine and its
 * load rather than the start. Without npx, whose time is constant.
 */
async function compareStarts(what: string, cwd: string, maxWork: number) {
  await whenReady(reference, cwd, () => {})
  const pairs: { readonly start: Cost; readonly beside: Cost }[] = []
  // The cost of the start appears in every round, delays of a busy machine only in some.
  let [work, waiting] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < 3 && (work >= maxWork || waiting >= maxWaiting); round++) {
    pairs.push({
      start: await whenReady('icosa dev', cwd, () => {}),
      beside: await whenReady(reference, cwd, () => {}),
    })
    work = cheapest(pairs.map(({ start }) => start)).cpuMs / cheapest(pairs.map(({ beside }) => beside)).cpuMs
    waiting = Math.min(...pairs.map(({ start, beside }) => idleness(start, beside)))
  }
  const walls = pairs.map(({ start }) => Math.round(start.wallMs)).join(', ')
  console.log(
    `second start ${what}: ready after ${walls} ms; of the reference ${work.toFixed(2)} times the work, ${waiting.toFixed(2)} times the waiting`,
  )
  expect(work).toBeLessThan(maxWork)
  expect(waiting).toBeLessThan(maxWaiting)
}

const expected = () => JSON.parse(blocks().find(({ kind }) => kind === 'json')?.text ?? 'null')

/**
 * Runs `npm ci` as in README nightly only, since it takes minutes and has been run before the tests; otherwise uses the
 * modules of this checkout.
 */
async function installed(shell: string): Promise<string> {
  const install = 'npm ci && '
  if (process.env.NIGHTLY || !shell.startsWith(install)) return shell
  const copy = (how: string) => execFileSync('cp', [how, join(root, 'node_modules'), checkout], { stdio: 'ignore' })
  try {
    copy('-al')
  } catch {
    copy('-a') // hard links are impossible across file systems
  }
  return shell.slice(install.length)
}

test('a checkout answers after npm ci && npx icosa dev, and its second start is quick', async () => {
  expect(await tryIt(await installed(command('npm ci &&')), checkout)).toEqual(expected())
  await compareStarts('from source', checkout, 16) // 8 to 13 with twenty services
}, 600_000)

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
  const env = { ...process.env, PACKAGE_PLATFORMS: `${process.platform}/${process.arch}` }
  execFileSync('npm', ['run', 'package'], { cwd: checkout, env, stdio: 'ignore' })
  const empty = join(temporary, 'empty')
  await mkdir(empty)
  const [tarball = ''] = (await readdir(checkout)).filter((file) => file.endsWith('.tgz'))
  await cp(join(checkout, tarball), join(empty, tarball))
  expect(await tryIt(command('npm i ./icosa'), empty)).toEqual(expected())
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
