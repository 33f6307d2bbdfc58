// Runs the tests of a group without mutants, then once for every mutant that they reach, in one process.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject, test, vi } from 'vitest'
import { type Collected, current } from './collect.ts'
import { type FunctionMutant, functionMutants } from './functions.ts'
import type { Mutant } from './instrument.ts'

type Hits = Readonly<Record<string, number>>
/** Globals that instrumented code reads and writes. */
interface Switch {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  hitCount?: number
  hitLimit?: number
  mutantCoverage?: { readonly static: Hits; readonly perTest: Readonly<Record<string, Hits>> }
}
const stryker: Switch = {}
Object.assign(globalThis, { __stryker__: stryker })

let files = inject('testFiles')
let suites: ReadonlyMap<string, Collected> = new Map()
/** Modules were loaded while a mutant was active. */
let isStale = true

/** Reloads the test files with all their imports. */
async function load(): Promise<void> {
  vi.resetModules()
  stryker.currentTestId = undefined
  const loaded = new Map<string, Collected>()
  for (const file of files) {
    current.collecting = { tests: [], beforeAll: [], afterAll: [], finished: [] }
    await import(file)
    const tests = fastestFirst(current.collecting.tests, ({ name }) => durationOf(idOf(file, name)))
    loaded.set(file, { ...current.collecting, tests })
  }
  suites = loaded
}

async function loadWithoutMutant(): Promise<void> {
  if (isStale) await load()
  isStale = false
}

class TimedOut extends Error {}

/** Unaffected by fake timers of tests. */
const now = performance.now.bind(performance)

const durations = new Map<string, number>()
const durationOf = (id: string) => durations.get(id) ?? 0
const fastestFirst = <T>(all: readonly T[], durationOf: (one: T) => number) =>
  all.toSorted((a, b) => durationOf(a) - durationOf(b))
const durationOfFile = (file: string) =>
  [...durations].reduce((sum, [id, ms]) => (id.startsWith(`${file}#`) ? sum + ms : sum), 0)
const minLimitMs = 3_000
const hooks = (file: string) => `${file}#hooks`
const idOf = (file: string, name: string) => `${file}#${name}`

async function within<T>(limitMs: number, work: () => T | Promise<T>): Promise<T> {
  const ended = new AbortController()
  const late = sleep(limitMs, undefined, { signal: ended.signal }).then(() => {
    throw new TimedOut()
  })
  try {
    return await Promise.race([late, (async () => work())()])
  } finally {
    late.catch(() => {})
    ended.abort()
  }
}

/** Runs the chosen tests of a file, up to the first that fails. Returns its id and error. */
async function runFile(file: string, isChosen: (id: string) => boolean, patience: number) {
  const suite = suites.get(file) as Collected
  const limitOf = (id: string) => patience * Math.max(minLimitMs, 5 * durationOf(id))
  current.collecting = suite
  const step = async (id: string, work: () => unknown) => {
    stryker.currentTestId = id
    const began = now()
    try {
      await within(patience === 0 ? 600_000 : limitOf(id), work)
      if (patience === 0) durations.set(id, durationOf(id) + now() - began)
      return undefined
    } catch (error) {
      return { id, error: error as Error }
    } finally {
      for (const work of suite.finished.splice(0)) await work()
    }
  }
  let failure: Awaited<ReturnType<typeof step>>
  for (const work of suite.beforeAll) failure ??= await step(hooks(file), work)
  for (const { name, run } of suite.tests)
    if (!failure && isChosen(idOf(file, name))) failure = await step(idOf(file, name), run)
  for (const work of suite.afterAll) await step(hooks(file), work)
  return failure
}

async function runAll(isChosen: (id: string) => boolean, patience: number) {
  for (const file of files) {
    const { tests } = suites.get(file) as Collected
    if (!tests.some(({ name }) => isChosen(idOf(file, name)))) continue
    const failure = await runFile(file, isChosen, patience)
    if (failure) return failure
  }
  return undefined
}

/** Tests that reach a mutant; all of them if module loading reaches it. */
function reachedBy({ id }: Mutant): {
  readonly isStatic: boolean
  readonly isChosen: (id: string) => boolean
  hits: number
} {
  const { static: atLoad = {}, perTest = {} } = stryker.mutantCoverage ?? {}
  const reaching = new Set(Object.keys(perTest).filter((test) => id in (perTest[test] as Hits)))
  const hits = Object.values(perTest).reduce((sum, each) => sum + (each[id] ?? 0), atLoad[id] ?? 0)
  if (id in atLoad) return { isStatic: true, isChosen: () => true, hits }
  return {
    isStatic: false,
    isChosen: (test) => reaching.has(test) || reaching.has(hooks(test.split('#')[0] ?? '')),
    hits,
  }
}

type Status = 'Killed' | 'Survived' | 'Timeout' | 'NoCoverage' | 'CompileError'
interface Outcome {
  readonly status: Status
  readonly killedBy?: string
  readonly reason?: string
}

type Run = (patience: number) => ReturnType<typeof runAll>

/** Outcome of a mutant, which is active only during `run`. */
async function outcomeOf(run: Run, patience = 1): Promise<Outcome> {
  const failure = await run(patience)
  if (!failure) return { status: 'Survived' }
  const killedBy = failure.id.replace(`${process.cwd()}/`, '')
  if (!(failure.error instanceof TimedOut))
    return { status: 'Killed', killedBy, reason: failure.error.message.slice(0, 500) }
  // Either the mutant or the machine is too slow: the same test without the mutant decides.
  await loadWithoutMutant()
  const began = now()
  const broken = await runAll((test) => test === failure.id, 4)
  if (broken) throw new Error(`${killedBy} fails without a mutant.`, { cause: broken.error })
  const isSlowMachine = now() - began > (patience * minLimitMs) / 3
  return isSlowMachine && patience < 9 ? outcomeOf(run, 3 * patience) : { status: 'Timeout', killedBy }
}

async function attempt(mutant: Mutant): Promise<Outcome> {
  const { isStatic, isChosen, hits } = reachedBy(mutant)
  if (hits === 0) return { status: 'NoCoverage' }
  return outcomeOf(async (patience) => {
    if (!isStatic) await loadWithoutMutant()
    Object.assign(stryker, { activeMutant: mutant.id, hitCount: 0, hitLimit: 1_000 + 100 * hits })
    isStale ||= isStatic
    const loading = isStatic ? load() : Promise.resolve()
    const failure = await loading.then(
      () => runAll(isChosen, patience),
      (error: Error) => ({ id: 'loading', error }),
    )
    stryker.activeMutant = undefined
    return failure
  })
}

type Result = Mutant & Outcome
const keyOf = ({ fileName, id }: Mutant) => `${fileName} ${id}`

const inCode = ({ id, name, line, replacement }: FunctionMutant): Mutant => {
  const start = { line: line - 1, column: 0 }
  return { id, fileName: name, location: { start, end: start }, mutatorName: 'Sql', replacement }
}

async function attemptFunction({ install, restore }: FunctionMutant): Promise<Outcome> {
  if (!(await install())) return { status: 'CompileError' }
  await loadWithoutMutant()
  return outcomeOf(async (patience) => {
    await install()
    const failure = await runAll(() => true, patience)
    await restore()
    return failure
  })
}

/** Fails if the tests fail without a mutant. */
async function runSound(): Promise<void> {
  await loadWithoutMutant()
  const failure = await runAll(() => true, 0)
  if (failure) throw new Error(`${failure.id} fails without a mutant.`, { cause: failure.error })
}

test('mutants', async () => {
  process.on('unhandledRejection', () => {})
  process.setMaxListeners(0)
  const { MUTATION_REPORT: report = '', MUTATION_EVERY: every = '1' } = process.env
  const sampled = <T>(all: readonly T[]) => all.filter((_, index) => index % Number(every) === 0)
  /** Mutants tried by an earlier run, including the one that blocked it. */
  const results = new Map((JSON.parse(readFileSync(report, 'utf8')) as Result[]).map((one) => [keyOf(one), one]))
  const note = (result: Result) => {
    results.set(keyOf(result), result)
    writeFileSync(`${report}.new`, JSON.stringify([...results.values()], undefined, 1))
    renameSync(`${report}.new`, report)
  }
  const attemptOnce = async (mutant: Mutant, outcome: () => Promise<Outcome>) => {
    if (results.has(keyOf(mutant))) return
    note({ ...mutant, status: 'Timeout' })
    note({ ...mutant, ...(await outcome()) })
    if (results.size % 20 === 0) console.log(`${results.size} mutants`)
  }
  await runSound()
  files = fastestFirst(files, durationOfFile)
  isStale = true
  await runSound() // also in this order, by which most mutants are killed sooner
  for (const mutant of sampled(inject('mutants'))) await attemptOnce(mutant, () => attempt(mutant))
  for (const functionMutant of sampled(await functionMutants(inject('functions'))))
    await attemptOnce(inCode(functionMutant), () => attemptFunction(functionMutant))
})
