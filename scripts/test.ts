// Runs all tests and says what they came to; of the paths given if there are any; of what has changed since main with
// `--changed`; the i-th of n parts with SHARD=i/n. The files that fail are run once more, by
// themselves, and what passes only then is named: it depends on what ran beside it, which is a mistake to mend, but
// not one of the change that met it. Where many fail, that is no chance, and nothing is run again.
import { relative } from 'node:path'
import { startVitest, type TestModule } from 'vitest/node'
import { touchedTests } from './changed.ts'

const mostAgain = 5

const nameOf = ({ moduleId }: TestModule) => relative(process.cwd(), moduleId)
const isFailed = (module: TestModule) => !module.ok()
const durationOf = (module: TestModule) => module.diagnostic().duration
const count = (modules: readonly TestModule[], state: 'passed' | 'failed') =>
  modules.reduce((sum, module) => sum + [...module.children.allTests(state)].length, 0)

/** Those that failed; a file whose tests never began counts as one. */
function failures(modules: readonly TestModule[]): number {
  const broken = modules.filter((module) => isFailed(module) && count([module], 'failed') === 0)
  return count(modules, 'failed') + broken.length
}

async function run(files: readonly string[], options: { readonly maxWorkers?: number; readonly shard?: string } = {}) {
  const vitest = await startVitest([...files], { run: true, ...options })
  const modules = vitest.state.getTestModules()
  const errors = vitest.state.getUnhandledErrors().length // in no test's hands: they fail the run, as they fail Vitest's
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
const isFewEnough = failed.length > 0 && failed.length <= mostAgain
const again = isFewEnough ? await run(failed.map(nameOf), { maxWorkers: 1 }) : { modules: failed, errors: 0 }
const modules = [...first.modules.filter((module) => !isFailed(module)), ...again.modules]

const slowest = modules.toSorted((a, b) => durationOf(b) - durationOf(a)).slice(0, 20)
console.log('the slowest files, in seconds:')
for (const module of slowest) console.log(`${Math.round(durationOf(module) / 1_000)} ${nameOf(module)}`)
for (const module of again.modules) if (!isFailed(module)) console.log(`passed only when run again: ${nameOf(module)}`)
console.log(`${count(modules, 'passed')} passed, ${failures(modules) + first.errors + again.errors} failed`)
process.exit(modules.length === 0 || modules.some(isFailed) || first.errors + again.errors > 0 ? 1 : 0)
