import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSandbox, type RuntimeName, type Sandbox } from './index.ts'
import { isShareable, outcome, outcomesTogether, program } from './testing/attempt.ts'
import { attempts } from './testing/attempts.ts'
import { promised, readme } from './testing/promised.ts'
import { staged } from './testing/staged.ts'
import { openTestHost, type TestHost } from './testing/test-host.ts'
import { programsIn } from './testing/traces.ts'

const runtimes = ['runsc', 'runc', 'bwrap'] as const

let host: TestHost
let sandbox: Sandbox
const errors: unknown[] = []
const open = async (runtime: RuntimeName) => {
  sandbox = await openSandbox({ runtime, state: host.state, onError: (error) => errors.push(error) })
}

beforeEach(async () => {
  host = await openTestHost()
})
afterEach(async () => {
  await sandbox.close()
  expect(programsIn(host.state)).toEqual([])
  expect(errors.splice(0)).toEqual([])
  await host.close()
})

const together = attempts.filter(isShareable)
const alone = process.env.NIGHTLY ? attempts : attempts.filter((attempt) => !isShareable(attempt))

describe.each(runtimes)('%s', (runtime) => {
  test('all attempts that can share a program', async () => {
    await open(runtime)
    const actual = await outcomesTogether(together, host, sandbox)
    expect(actual).toEqual(Object.fromEntries(together.map(({ name }) => [name, promised(name, runtime)])))
    if (runtime === 'runsc') expect(new Set(Object.values(actual))).toEqual(new Set(['stopped']))
  })

  test.each(alone)('$name', async (attempt) => {
    await open(runtime)
    const result = await sandbox.run(program(attempt, host))
    const actual = outcome(attempt, host, result)
    expect(actual, result.stdout.toString('latin1', 0, 500)).toBe(promised(attempt.name, runtime))
    if (runtime === 'runsc') expect(actual).toBe('stopped')
  })

  test.each(staged)('$name', async ({ name, play }) => {
    await open(runtime)
    const reached = await play(sandbox, host, runtime)
    expect(reached.length === 0 ? 'stopped' : 'not stopped', reached.join()).toBe(promised(name, runtime))
    if (runtime === 'runsc') expect(reached).toEqual([])
  })
})

test('the README has exactly one row per attempt', async () => {
  await open('runsc')
  const rows = readme.split('\n').filter((line) => /\| (\*\*not )?stopped/.test(line))
  const names = [...attempts, ...staged].map(({ name }) => name)
  expect(rows.map((row) => row.split(' | ')[0]?.slice(2))).toEqual(names)
  expect(new Set(names).size).toBeGreaterThanOrEqual(30)
})
