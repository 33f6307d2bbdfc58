import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

// Runs the commands of README as they are written there, in a copy of the checkout and in an empty folder.
const root = fileURLToPath(new URL('../', import.meta.url))
let temporary = ''
let checkout = ''
let readme = ''
const blocks = () =>
  [...readme.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(([, kind, text = '']) => ({ kind, text: text.trim() }))
const command = (start: string) => blocks().find(({ text }) => text.startsWith(start))?.text ?? `README has no ${start}`

beforeAll(async () => {
  readme = await readFile(join(root, 'README.md'), 'utf8')
  temporary = await mkdtemp(join(tmpdir(), 'icosa-readme-'))
  checkout = join(temporary, 'checkout')
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  for (const file of files.trim().split('\n')) {
    await mkdir(dirname(join(checkout, file)), { recursive: true })
    await cp(join(root, file), join(checkout, file)).catch(() => {}) // deleted, not yet committed
  }
})
afterAll(() => rm(temporary, { recursive: true, force: true }))

interface Ran {
  readonly readyMs: number
  readonly answer: unknown
}

/** Runs a command that ends in `icosa dev`, waits for its table, then runs README's curl against it. */
async function tryIt(shell: string, cwd: string): Promise<Ran> {
  const { DATABASE_URL: _, ...env } = process.env
  const started = performance.now()
  const child = spawn('sh', ['-c', `exec setsid sh -c '${shell}'`], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const gone = once(child, 'exit')
  try {
    const ready = (async () => {
      for await (const line of createInterface(child.stdout)) if (line.includes('Icosa is ready')) return
      throw new Error(`${shell} ended without being ready`)
    })()
    await ready
    const readyMs = performance.now() - started
    const answer = execFileSync('sh', ['-c', `${command('curl')} -s --fail`], { encoding: 'utf8' })
    return { readyMs, answer: JSON.parse(answer) }
  } finally {
    process.kill(-(child.pid ?? 0), 'SIGINT')
    await gone
  }
}

/** What 3 s of a quiet machine are now, by how long Node itself takes to start: 50 ms there. */
function threeSeconds(): number {
  const starts = Array.from({ length: 5 }, () => {
    const began = performance.now()
    execFileSync(process.execPath, ['-e', '0'])
    return performance.now() - began
  })
  const usualMs = starts.toSorted((a, b) => a - b)[2] ?? 0
  return 3_000 * Math.max(1, usualMs / 50)
}

const expected = () => JSON.parse(blocks().find(({ kind }) => kind === 'json')?.text ?? 'null')

test('a checkout: npm ci && npx icosa dev, then one curl; the second start takes at most 3 s', async () => {
  expect((await tryIt(command('npm ci &&'), checkout)).answer).toEqual(expected())
  const again = await tryIt('npx icosa dev', checkout)
  console.log(`second start from source, to ready: ${Math.round(again.readyMs)} ms`)
  expect(again.readyMs).toBeLessThanOrEqual(threeSeconds())
}, 300_000)

test('a package in an empty folder does the same', async () => {
  execFileSync('npm', ['run', 'package'], { cwd: checkout, stdio: 'ignore' })
  const empty = join(temporary, 'empty')
  await mkdir(empty)
  const [tarball = ''] = (await readdir(checkout)).filter((file) => file.endsWith('.tgz'))
  await cp(join(checkout, tarball), join(empty, tarball))
  expect((await tryIt(command('npm i ./icosa'), empty)).answer).toEqual(expected())
  const again = await tryIt('npx icosa dev', empty)
  console.log(`second start of the package, to ready: ${Math.round(again.readyMs)} ms`)
  expect(again.readyMs).toBeLessThanOrEqual(threeSeconds())
}, 120_000)
