import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { Failure } from '@icosa/kernel'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { installed } from './command.ts'
import {
  findRuntimes,
  openSandbox,
  type Program,
  type RuntimeName,
  type Sandbox,
  sandboxProblem,
  systemBinds,
} from './index.ts'
import { lazySandbox } from './lazy.ts'
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
const server = `require('http').createServer(({ url }, reply) => {
  console.log(url === '/flood' ? 'x'.repeat(100_000) : 'called'); reply.end(url) }).listen(process.argv[1])`
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

test('a program gets only its input and environment, and returns output and exit code', async () => {
  const sandbox = await open()
  const result = await sandbox.run(
    shell('cat; echo $GREETING; echo oops >&2; exit 3', { stdin: 'in ', env: { GREETING: 'hi' } }),
  )
  expect(result).toMatchObject({ ended: 'exit', code: 3 })
  expect(result.stdout.toString()).toBe('in hi\n')
  expect(result.stderr.toString()).toBe('oops\n')
  expect(programsIn(state)).toEqual([])
})

test('programs run concurrently, and closing ends the remaining ones', async () => {
  const sandbox = await open()
  const results = await Promise.all([1, 2, 3].map((n) => sandbox.run(shell(`echo ${n}`))))
  expect(results.map(({ stdout }) => stdout.toString())).toEqual(['1\n', '2\n', '3\n'])
  const remaining = await sandbox.start(shell('sleep 1000', { limits: { ...limits, wallMs: 3_600_000 } }))
  await sandbox.close()
  expect(await remaining.done).toMatchObject({ ended: 'stopped' }) // immediately: its own time limit is much later
  await expect(sandbox.run(shell('true'))).rejects.toMatchObject({ kind: 'unavailable' })
})

test('reports why a program ended before it listened', async () => {
  const sandbox = await open()
  const running = await sandbox.start(shell('echo no such port >&2; exit 4', { listens: true }))
  await expect(running.socket('http')).rejects.toThrow(/ended before it listened \(exit, code 4\): no such port/)
})

test('names a missing runtime', async () => {
  const sandbox = await open('kata' as RuntimeName)
  const failure = await sandbox.run(shell('true')).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Failure)
  expect(failure).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('kata is not installed') })
})

test('crun runs a program, or reports why it cannot, and leaves nothing behind', async () => {
  const sandbox = await open('crun')
  const { code, stdout, stderr } = await sandbox.run(shell('echo up'))
  if (code === 0) expect(stdout.toString()).toBe('up\n')
  else expect(stderr.toString()).toContain('cgroups in hybrid mode not supported')
  expect(programsIn(state)).toEqual([])
})

test('refuses ambiguous input', async () => {
  const sandbox = await open()
  symlinkSync('/etc', `${state}/link`)
  writeFileSync(`${state}/file`, '')
  const file = `${state}/file`
  const refused: [Partial<Program>, RegExp][] = [
    [{ binds: [{ from: `${state}/link`, to: '/code' }] }, /symlink/],
    [{ binds: [{ from: 'relative', to: '/code' }] }, /does not exist|absolute/],
    [{ binds: [{ from: `${state}/none`, to: '/code' }] }, /does not exist/],
    ...['/', 'code', '/code/../etc', '/code/', '/proc/self', '/tmp', '/a,b', '/sockets/x'].map(
      (to): [Partial<Program>, RegExp] => [{ binds: [{ from: file, to }] }, /^Cannot bind /],
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
    [{ limits: { ...limits, cpus: 0 } }, /limits.cpus/],
  ]
  for (const [more, why] of refused) await expect(sandbox.run(shell('true', more))).rejects.toThrow(why)
  expect(programsIn(state)).toEqual([])
})

test('sweeps the lease of an owner killed at its start, but no new or active one', async () => {
  await open()
  const createLease = (name: string, ageMs: number) => {
    writeFileSync(`${state}/${name}.lease`, '')
    const at = (Date.now() - ageMs) / 1000
    utimesSync(`${state}/${name}.lease`, at, at)
  }
  createLease('old', 120_000)
  createLease('new', 0)
  const [sandbox] = sandboxes
  await sandbox?.sweep()
  const leases = readdirSync(state).filter((name) => name.endsWith('.lease'))
  expect(leases).toContain('new.lease')
  expect(leases).not.toContain('old.lease')
  expect(leases, 'its own').toHaveLength(2)
})

test('the next node sweeps leftovers of a killed one at its start, even if it runs no program', async () => {
  const options = { state, onError: () => {} }
  await lazySandbox(options).close()
  expect(readdirSync(state), 'without leftovers, no sandbox is opened').toEqual([])
  mkdirSync(`${state}/killed`)
  const next = lazySandbox(options)
  await expect.poll(() => readdirSync(state)).not.toContain('killed')
  await next.close()
  expect(readdirSync(state)).toEqual([])
})

test('a state folder too deep for Unix sockets is replaced by one in /run, the same for every node', async () => {
  const existing = new Set(readdirSync('/run'))
  const deep = { state: `${state}/${'deep/'.repeat(20)}`, onError: () => {} }
  sandboxes.push(await openSandbox(deep), await openSandbox(deep))
  const created = readdirSync('/run').filter((name) => name.startsWith('icosa-') && !existing.has(name))
  try {
    expect(created).toHaveLength(1)
    expect(readdirSync(`/run/${created[0]}`).filter((name) => name.endsWith('.lease'))).toHaveLength(2)
    expect((await sandboxes[0]?.run(shell('echo up')))?.stdout.toString()).toBe('up\n')
  } finally {
    for (const sandbox of sandboxes.splice(0)) await sandbox.close()
    for (const name of created) rmSync(`/run/${name}`, { recursive: true })
  }
})

test('a signal stops a program, before it starts and while it runs', async () => {
  const sandbox = await open()
  const reason = new Error('cancelled')
  const abort = new AbortController()
  const endless = shell('echo up; sleep 1000', { limits: { ...limits, wallMs: 3_600_000 } })
  const run = sandbox.run(endless, { signal: abort.signal, onOutput: () => abort.abort(reason) })
  await expect(run).rejects.toBe(reason)
  await expect(sandbox.run(endless, { signal: abort.signal })).rejects.toBe(reason)
  expect(programsIn(state)).toEqual([])
})

test('a server answers on its socket, and may print up to its limit per second', async () => {
  const sandbox = await open()
  const output: string[] = []
  const running = await sandbox.start(
    {
      ...shell('', { limits: { ...limits, wallMs: 3_600_000, outputBytes: 1_000 } }),
      argv: ['/node', '-e', server, '/sockets/http'],
      binds: [...systemBinds(), node],
      listens: true,
    },
    { onOutput: (chunk, from) => output.push(`${from}: ${chunk}`) },
  )
  const path = await running.socket('http')
  for (let n = 0; n < 3; n++) expect(await call(path, '/')).toBe('/')
  await expect.poll(() => output.join('')).toContain('stdout: called')
  await call(path, '/flood').catch(() => {}) // it may be gone before it has replied
  const { ended, stdout } = await running.done
  expect(ended).toBe('output')
  expect(stdout.length, 'streamed output is not collected').toBe(0)
  expect(Buffer.byteLength(output.join('').replaceAll('stdout: ', ''))).toBeLessThanOrEqual(2_000)
})

test('a program gets its share of a processor, which can be changed', async () => {
  const sandbox = await open('bwrap')
  const turns: number[] = []
  const running = await sandbox.start(
    shell('while :; do i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo turn; done', {
      limits: { ...limits, wallMs: 3_600_000, cpus: 0.02 },
    }),
    { onOutput: (chunk) => turns.push(String(chunk).split('\n').length) },
  )
  const count = async () => {
    turns.length = 0
    await delay(1_500)
    return turns.length
  }
  const few = await count()
  await running.limitCpus(1)
  // However busy the machine is, this is more than the previous fiftieth.
  await expect.poll(count).toBeGreaterThan(3 * few)
  await running.stop()
  await running.limitCpus(1) // too late, but not an error
})

test('reports the installed runtimes, and why no program can be run', async () => {
  expect(await findRuntimes()).toEqual(
    ['runsc', 'runc', 'crun', 'bwrap'].map((name) => ({
      name,
      package: name === 'bwrap' ? 'bubblewrap' : name,
      version: expect.stringMatching(/^\d/),
    })),
  )
  expect(await sandboxProblem()).toBeUndefined()
  expect(await sandboxProblem('kata' as RuntimeName)).toContain('kata is not installed')
})

const call = async (socketPath: string, path: string) => {
  const pending = request({ socketPath, path }).end()
  const [reply] = (await once(pending, 'response')) as [IncomingMessage]
  return (await reply.toArray()).join('')
}
