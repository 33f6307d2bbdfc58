import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Failure } from '@icosa/kernel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ProgramFailed, type ProgramOptions, runProgram } from './index.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'programs-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const shell = (script: string, options?: ProgramOptions) => runProgram('sh', ['-c', script], options)
const failureOf = (work: Promise<unknown>): Promise<ProgramFailed> =>
  work.then(
    () => expect.unreachable(),
    (error) => error,
  )

/** Zombies do not count. */
const isAlive = (pid: string) => /^[^Z]/.test(spawnSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' }).stdout)

/** A program with a child, both of which ignore all signals but SIGKILL. Their PIDs are in the file. */
const deaf = (file: string) =>
  `trap "" TERM INT HUP; sh -c 'trap "" TERM INT HUP; while :; do sleep 1; done' & echo $$ $! >${file}; while :; do sleep 1; done`

const idsIn = async (file: string) => {
  await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toMatch(/\d+ \d+\n/)
  return (await readFile(file, 'utf8')).trim().split(' ')
}

test('passes input and arguments unchanged, byte for byte', async () => {
  const input = Buffer.from(Array.from({ length: 1_000_000 }, (_, index) => index % 256))
  expect((await runProgram('cat', [], { input })).equals(input)).toBe(true)
  expect(String(await runProgram('printf', ['%s|', '$HOME', '; exit 1', '-n']))).toBe('$HOME|; exit 1|-n|')
  expect(String(await runProgram('true', [], { input }))).toBe('') // does not read it
})

test('passes only PATH of the environment', async () => {
  process.env.PROGRAM_TEST_SECRET = 'hush'
  const environment = String(await runProgram('env', []))
  delete process.env.PROGRAM_TEST_SECRET
  expect(environment).toBe(`PATH=${process.env.PATH}\n`)
})

test('names a missing program', async () => {
  const failure = await failureOf(runProgram('no-such-program', []))
  expect(failure).toBeInstanceOf(Failure)
  expect(failure).toMatchObject({ kind: 'unavailable', why: 'missing', message: 'no-such-program is not installed.' })
  expect(await failureOf(runProgram('/etc/passwd', []))).toMatchObject({ why: 'missing' })
})

test('reports the beginning of stderr when a program fails', async () => {
  expect(await failureOf(shell('echo no such voice >&2; exit 3'))).toMatchObject({
    why: 'exit',
    kind: 'unavailable',
    message: 'sh failed: no such voice',
  })
  expect(await failureOf(shell('exit 3'))).toMatchObject({ message: 'sh failed: 3' })
  expect(await failureOf(shell('kill -ALRM $$'))).toMatchObject({ why: 'exit', signal: 'SIGALRM' })
  const { message } = await failureOf(shell('yes | head -c 1000000 >&2; exit 1'))
  expect(message.length).toBeLessThan(320)
})

test('kills a program that exceeds its output limit', async () => {
  const failure = await failureOf(runProgram('yes', [], { outputBytes: 1_000_000, deadlineMs: 60_000 }))
  expect(failure).toMatchObject({ why: 'output', message: 'yes printed more than 1000000 bytes.' })
  expect(await runProgram('head', ['-c', '5000', '/dev/zero'], { outputBytes: 5_000 })).toHaveLength(5_000)
})

test('kills a hanging program and its children, even if they ignore all other signals', async () => {
  const file = join(folder, 'hanging')
  const failing = failureOf(shell(deaf(file), { deadlineMs: 5_000 }))
  const ids = await idsIn(file)
  expect(await failing).toMatchObject({ why: 'deadline', message: 'sh exceeded its time limit of 5 s.' })
  for (const pid of ids) await expect.poll(() => isAlive(pid)).toBe(false)
})

test('an abort kills the program and its children, and rejects with the reason', async () => {
  const file = join(folder, 'aborted')
  const stop = new AbortController()
  const reason = new Error('the caller disconnected')
  const failing = failureOf(shell(deaf(file), { signal: stop.signal, deadlineMs: 60_000 }))
  const ids = await idsIn(file)
  expect(ids.map(isAlive)).toEqual([true, true])
  stop.abort(reason)
  expect(await failing).toBe(reason)
  for (const pid of ids) await expect.poll(() => isAlive(pid)).toBe(false)
  expect(await failureOf(runProgram('true', [], { signal: stop.signal }))).toBe(reason)
})

test('kills processes that a program leaves behind', async () => {
  const file = join(folder, 'orphans')
  const output = await shell(`sleep 1000 & echo $$ $! >${file}; echo done`, { deadlineMs: 60_000 })
  expect(String(output)).toBe('done\n')
  const [, child = ''] = await idsIn(file)
  await expect.poll(() => isAlive(child)).toBe(false)
})
