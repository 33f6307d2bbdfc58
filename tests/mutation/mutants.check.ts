// Runs the tests of a group once without mutants, then once for every mutant that they reach, in one process.
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

const files = inject('testFiles')
let suites: ReadonlyMap<string, Collected> = new Map()

/** Reloads the test files with all their imports. */
async function load(): Promise<void> {
  vi.resetModules()
  const loaded = new Map<string, Collected>()
  for (const file of files) {
    current.collecting = { tests: [], beforeAll: [], afterAll: [], finished: [] }
    await import(file)
    loaded.set(file, current.collecting)
  }
  suites = loaded
}

class TimedOut extends Error {}

/** Unaffected by fake timers of tests. */
const now = performance.now.bind(performance)

const durations = new Map<string, number>()
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
  const limitOf = (id: string) => patience * Math.max(minLimitMs, 10 * (durations.get(id) ?? 0))
  current.collecting = suite
  const step = async (id: string, work: () => unknown) => {
    stryker.currentTestId = id
    const began = now()
    try {
      await within(patience === 0 ? 600_000 : limitOf(id), work)
      if (patience === 0) durations.set(id, (durations.get(id) ?? 0) + now() - began)
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
    Object.assign(stryker, { activeMutant: mutant.id, hitCount: 0, hitLimit: 1_000 + 100 * hits })
    const loading = isStatic ? load() : Promise.resolve()
    const failure = await loading.then(
      () => runAll(isChosen, patience),
      (error: Error) => ({ id: 'loading', error }),
    )
    stryker.activeMutant = undefined
    if (isStatic) await load()
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
  return outcomeOf(async (patience) => {
    await install()
    const failure = await runAll(() => true, patience)
    await restore()
    return failure
  })
}

test('mutants', async () => {
  process.on('unhandledRejection', () => {})
  process.setMaxListeners(0)
  const { MUTATION_REPORT: report = '' } = process.env
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
  await load()
  const sound = await runAll(() => true, 0)
  if (sound) throw new Error(`${sound.id} fails without a mutant.`, { cause: sound.error })
  stryker.currentTestId = undefined
  for (const mutant of inject('mutants')) await attemptOnce(mutant, () => attempt(mutant))
  for (const functionMutant of await functionMutants(inject('functions')))
    await attemptOnce(inCode(functionMutant), () => attemptFunction(functionMutant))
})
