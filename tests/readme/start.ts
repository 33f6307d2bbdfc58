import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect } from 'vitest'
import { blocksOf } from './blocks.ts'
import { type Cost, cheapest, cpuMsOfSession, idleness, writeReference } from './cost.ts'
import { root } from './page.ts'

const blocks = blocksOf(await readFile(join(root, 'README.md'), 'utf8'))

/** Command of README by its beginning. */
export const command = (start: string) =>
  blocks.find(({ text }) => text.startsWith(start))?.text ?? `README has no ${start}`

/** Answer of README's request. */
export const expected = () => JSON.parse(blocks.find(({ kind }) => kind === 'json')?.text ?? 'null')

const maxWaiting = 2

/** Runs a command until it reports that it is ready, calls `work`, and ends it. */
async function whenReady<T>(shell: string, cwd: string, work: () => T): Promise<Cost & { readonly result: T }> {
  const { DATABASE_URL: _, ...environment } = process.env
  const env = { ...environment, PATH: `${join(cwd, 'node_modules/.bin')}:${environment.PATH}` }
  const started = performance.now()
  const child = spawn('setsid', ['sh', '-c', shell], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = once(child, 'exit')
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
    await exit
  }
}

/** Runs a command that ends in `icosa dev`, waits for its table, then runs README's curl against it. */
export async function tryIt(shell: string, cwd: string): Promise<unknown> {
  const curl = () => execFileSync('sh', ['-c', `${command('curl')} -s --fail`], { encoding: 'utf8' })
  const { wallMs, result } = await whenReady(shell, cwd, curl)
  console.log(`ready ${Math.round(wallMs / 1_000)} s after: ${shell}`)
  return JSON.parse(result)
}

/**
 * Compares CPU time and waiting of the second start with the reference program. Seconds would measure the machine and its
 * load rather than the start. Without npx, whose time is constant.
 */
export async function compareStarts(what: string, cwd: string, maxWork: number) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'icosa-reference-'))
  const reference = await writeReference(join(folder.path, 'reference'))
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
