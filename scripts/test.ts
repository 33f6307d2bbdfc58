// Runs all tests, or those of the given paths, or with `--changed` those affected since main, and prints a summary;
// with SHARD=i/n the i-th of n parts. With RECORD=1 it records how long these files took, which the parts depend on. Failing
// files are retried once, alone. A file that passes only then is flaky: a defect, but not of the change that met it.
// Record it in tests/flaky.json with the date; it fails the run from a week later on. If many files fail, nothing is
// retried.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { startVitest, type TestModule } from 'vitest/node'
import { touchedTests } from './changed.ts'
import { minRecordedSeconds } from './shards.ts'

const maxRetried = 5
const flakyForMs = 7 * 24 * 3_600_000
const flakyList = 'tests/flaky.json'
const secondsList = 'tests/seconds.json'
const recordIn = <Value>(file: string): Readonly<Record<string, Value>> =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
const flakySince = recordIn<string>(flakyList)

const nameOf = ({ moduleId }: TestModule) => relative(process.cwd(), moduleId)
const isFailed = (module: TestModule) => !module.ok()
/** With its imports, which in a process of its own can take longer than its tests. */
function secondsOf(module: TestModule): number {
  const { collectDuration, duration } = module.diagnostic()
  return Math.round((collectDuration + duration) / 1_000)
}
const count = (modules: readonly TestModule[], state: 'passed' | 'failed') =>
  modules.reduce((sum, module) => sum + [...module.children.allTests(state)].length, 0)

/** Number of failed tests; a file whose tests never started counts as one. */
function failures(modules: readonly TestModule[]): number {
  const broken = modules.filter((module) => isFailed(module) && count([module], 'failed') === 0)
  return count(modules, 'failed') + broken.length
}

async function run(files: readonly string[], options: { readonly maxWorkers?: number; readonly shard?: string } = {}) {
  const vitest = await startVitest([...files], { run: true, ...options })
  const modules = vitest.state.getTestModules()
  const errors = vitest.state.getUnhandledErrors().length // outside any test: they fail the run, as in Vitest
  await vitest.close()
  return { modules, errors }
}

const { SHARD: shard } = process.env
const named = process.argv.slice(2)
const files = named.includes('--changed') ? touchedTests() : named
if (named.length > 0 && files.length === 0) {
  console.log('Nothing that has changed since main has tests; `npm run test:all` runs them all.')
  process.exit(0)
}
const first = await run(files, shard === undefined ? {} : { shard })
const failed = first.modules.filter(isFailed)
const isFewEnough = failed.length > 0 && failed.length <= maxRetried
const retry = isFewEnough ? await run(failed.map(nameOf), { maxWorkers: 1 }) : { modules: failed, errors: 0 }
const modules = [...first.modules.filter((module) => !isFailed(module)), ...retry.modules]
const flaky = retry.modules.filter((module) => !isFailed(module)).map(nameOf)
const isOverdue = (name: string) => Date.parse(flakySince[name] ?? '') < Date.now() - flakyForMs
const errors = first.errors + retry.errors + flaky.filter(isOverdue).length

const bySeconds = modules.toSorted((a, b) => secondsOf(b) - secondsOf(a))
console.log('the slowest files, in seconds:')
for (const module of bySeconds.slice(0, 20)) console.log(`${secondsOf(module)} ${nameOf(module)}`)
if (process.env.RECORD) {
  const measured = new Map(modules.map((module) => [nameOf(module), secondsOf(module)]))
  const others = Object.entries(recordIn<number>(secondsList)).filter(
    ([name]) => !measured.has(name) && existsSync(name),
  )
  const slow = [...others, ...measured].filter(([, seconds]) => seconds >= minRecordedSeconds)
  const sorted = Object.fromEntries(slow.toSorted(([, a], [, b]) => b - a))
  writeFileSync(secondsList, `${JSON.stringify(sorted, undefined, 2)}\n`)
}
for (const name of flaky)
  console.log(`passed only when retried: ${name} (${flakySince[name] ?? `mend it, or add it to ${flakyList}`})`)
console.log(`${count(modules, 'passed')} passed, ${failures(modules) + errors} failed`)
process.exit(modules.length === 0 || modules.some(isFailed) || errors > 0 ? 1 : 0)
