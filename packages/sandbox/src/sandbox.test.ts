import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { Failure } from '@icosa/kernel'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { installed } from './command.ts'
import { openSandbox, type Program, type RuntimeName, type Sandbox, systemBinds } from './index.ts'
import { limits } from './testing/attempt.ts'
import { programsIn } from './testing/traces.ts'

let state: string
let sandboxes: Sandbox[]
const open = async (runtime?: RuntimeName) => {
  const sandbox = await openSandbox({ ...(runtime ? { runtime } : {}), state, onError: () => {} })
  sandboxes.push(sandbox)
  return sandbox
}
const shell = (script: string, more: Partial<Program> = {}): Program => ({
  argv: ['/bin/sh', '-c', script],
  binds: systemBinds(),
  limits,
  ...more,
})
const server = `require('http').createServer((_, reply) => reply.end('ok')).listen(process.argv[1])`
const node = { from: process.execPath, to: '/node' }

beforeEach(() => {
  state = mkdtempSync('/tmp/sandbox-')
  sandboxes = []
})
afterEach(async () => {
  for (const sandbox of sandboxes) await sandbox.close()
  rmSync(state, { recursive: true })
})

test('every runtime that the tests need is installed', () => {
  const missing = ['runsc', 'runc', 'crun', 'bwrap'].filter((name) => !installed(name))
  expect(missing, 'run scripts/setup, which installs them').toEqual([])
})

test('a program gets its input, its environment and nothing else, and answers output and code', async () => {
  const sandbox = await open()
  const result = await sandbox.run(
    shell('cat; echo $GREETING; echo oops >&2; exit 3', { stdin: 'in ', env: { GREETING: 'hi' } }),
  )
  expect(result).toMatchObject({ ended: 'exit', code: 3 })
  expect(result.stdout.toString()).toBe('in hi\n')
  expect(result.stderr.toString()).toBe('oops\n')
  expect(programsIn(state)).toEqual([])
})

test('programs run beside each other, and closing ends those that are left', { timeout: 120_000 }, async () => {
  const sandbox = await open()
  const several = await Promise.all([1, 2, 3].map((n) => sandbox.run(shell(`echo ${n}`))))
  expect(several.map(({ stdout }) => stdout.toString())).toEqual(['1\n', '2\n', '3\n'])
  const left = await sandbox.start(shell('sleep 1000', { limits: { ...limits, wallMs: 3_600_000 } }))
  await sandbox.close()
  expect(await left.done).toMatchObject({ ended: 'stopped' }) // at once: its own time is over much later
  await expect(sandbox.run(shell('true'))).rejects.toMatchObject({ kind: 'unavailable' })
})

test('a program that ends before it listens says why', async () => {
  const sandbox = await open()
  const running = await sandbox.start(shell('echo no such port >&2; exit 4', { listens: true }))
  await expect(running.socket('http')).rejects.toThrow(/ended before it listened \(exit, code 4\): no such port/)
})

test('a runtime that is not there is named, with its package', async () => {
  const sandbox = await open('kata' as RuntimeName)
  const failure = await sandbox.run(shell('true')).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Failure)
  expect(failure).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('kata is not installed') })
})

test('crun runs a program, or says itself why it cannot here, and leaves nothing', async () => {
  const sandbox = await open('crun')
  const { code, stdout, stderr } = await sandbox.run(shell('echo up'))
  if (code === 0) expect(stdout.toString()).toBe('up\n')
  else expect(stderr.toString()).toContain('cgroups in hybrid mode not supported')
  expect(programsIn(state)).toEqual([])
})

test('what a runtime could understand in two ways is refused', async () => {
  const sandbox = await open()
  symlinkSync('/etc', `${state}/link`)
  writeFileSync(`${state}/file`, '')
  const file = `${state}/file`
  const refused: [Partial<Program>, RegExp][] = [
    [{ binds: [{ from: `${state}/link`, to: '/code' }] }, /symlink/],
    [{ binds: [{ from: 'relative', to: '/code' }] }, /does not exist|absolute/],
    [{ binds: [{ from: `${state}/none`, to: '/code' }] }, /does not exist/],
    ...['/', 'code', '/code/../etc', '/code/', '/proc/self', '/tmp', '/a,b', '/sockets/x'].map(
      (to): [Partial<Program>, RegExp] => [{ binds: [{ from: file, to }] }, /^Cannot bind to/],
    ),
    [
      {
        binds: [
          { from: file, to: '/a' },
          { from: file, to: '/a/b' },
        ],
      },
      /one is inside the other/,
    ],
    [{ argv: [] }, /argv is empty/],
    [{ argv: ['/bin/sh', 'a\0b'] }, /NUL/],
    [{ env: { 'A=B': 'c' } }, /name of an environment variable/],
    [{ limits: { ...limits, memoryBytes: Number.NaN } }, /limits.memoryBytes/],
    [{ limits: { ...limits, wallMs: 2 ** 40 } }, /24 days/],
  ]
  for (const [more, why] of refused) await expect(sandbox.run(shell('true', more))).rejects.toThrow(why)
  expect(programsIn(state)).toEqual([])
})

test('a state folder too deep for unix sockets is refused', async () => {
  const deep = openSandbox({ state: `${state}/${'deep/'.repeat(20)}`, onError: () => {} })
  await expect(deep).rejects.toThrow(/too deep for unix sockets/)
})

const call = (agent: Agent, socketPath: string) =>
  new Promise<string>((resolve, reject) => {
    const asked = request({ agent, socketPath, path: '/' }, async (reply) => {
      resolve((await reply.toArray()).join(''))
    })
    asked.on('error', reject).end()
  })

/** Milliseconds of 300 calls, one after the other, the median. */
async function medianCall(socketPath: string): Promise<number> {
  const agent = new Agent({ keepAlive: true })
  const times: number[] = []
  for (let n = 0; n < 300; n++) {
    const begun = performance.now()
    expect(await call(agent, socketPath)).toBe('ok')
    times.push(performance.now() - begun)
  }
  agent.destroy()
  return times.toSorted((a, b) => a - b)[150] ?? 0
}

async function bare() {
  const begun = performance.now()
  const child = spawn(process.execPath, ['-e', server, `${state}/bare`])
  const isUp = async () => (await call(new Agent(), `${state}/bare`).catch(() => '')) === 'ok'
  while (!(await isUp())) await delay(5)
  const up = performance.now() - begun
  const p50 = await medianCall(`${state}/bare`)
  const stopped = performance.now()
  child.kill('SIGKILL')
  await once(child, 'exit')
  return { up, p50, gone: performance.now() - stopped }
}

async function sandboxed(runtime: RuntimeName) {
  const sandbox = await open(runtime)
  const begun = performance.now()
  const binds = [...systemBinds(), node]
  const running = await sandbox.start({
    ...shell(''),
    argv: ['/node', '-e', server, '/sockets/http'],
    binds,
    listens: true,
  })
  const path = await running.socket('http')
  const up = performance.now() - begun
  const p50 = await medianCall(path)
  const stopped = performance.now()
  await running.stop()
  return { up, p50, gone: performance.now() - stopped }
}

test('what it costs, beside the bare process', { timeout: 300_000 }, async () => {
  const rows = {
    bare: await bare(),
    runsc: await sandboxed('runsc'),
    runc: await sandboxed('runc'),
    bwrap: await sandboxed('bwrap'),
  }
  for (const [name, { up, p50, gone }] of Object.entries(rows))
    console.log(`| ${name} | ${up.toFixed(0)} ms | ${p50.toFixed(2)} ms | ${gone.toFixed(0)} ms |`)
  expect(Object.values(rows).every(({ p50 }) => p50 > 0)).toBe(true)
})
