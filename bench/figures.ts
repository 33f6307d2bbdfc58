import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'

/** One measured number. Figures of the same name are shown in one row. */
export interface Figure {
  readonly name: string
  readonly statistic?: Statistic
  readonly value: number
  readonly unit: string
  /** Baseline measured in the same run, of which the value is a multiple. */
  readonly comparedWith?: string
  readonly goal?: Goal
}

export type Statistic = 'p50' | 'p95' | 'p99' | 'max'

export type Goal = { readonly atLeast: number } | { readonly atMost: number }

/** Time, machine and load of a run. */
export interface Conditions {
  /** Last commit that changed the measured code. */
  readonly commit: string
  readonly date: string
  /** One-minute load average before the run. */
  readonly load: number
  readonly machine: {
    readonly cores: number
    readonly memoryGb: number
    readonly cpu: string
    readonly node: string
    readonly postgresql?: string
  }
  /** Variables that change what the program does. */
  readonly settings: Readonly<Record<string, string>>
}

export interface Run {
  readonly conditions: Conditions
  readonly figures: readonly Figure[]
}

/** Latest run of each program of a subject. */
export type Results = Readonly<Record<string, Run>>

const loadBefore = loadavg()[0] ?? 0
const fileOf = (subject: string) => new URL(`../docs/benchmarks/results/${subject}.json`, import.meta.url)

/** Prints figures, and stores them if `npm run bench` started the program. A missed goal fails the program. */
export function record(figures: readonly Figure[]): void {
  for (const { name, value } of figures) if (!Number.isFinite(value)) throw new Error(`${name} is ${value}.`)
  const rounded = figures.map((figure) => ({ ...figure, value: Number(figure.value.toPrecision(3)) }))
  console.log()
  for (const [name, row] of rowsOf(rounded)) console.log(`${name.padEnd(50)}  ${row.map(shown).join(', ')}`)
  if (rounded.some(isMissed)) process.exitCode = 1
  const [subject = '', program = ''] = process.env.BENCH_RECORD?.split('/') ?? []
  if (subject === '') return
  const results = { ...readResults(subject), [program]: { conditions: conditions(), figures: rounded } }
  mkdirSync(new URL('.', fileOf(subject)), { recursive: true })
  writeFileSync(fileOf(subject), serialize(results))
}

export function readResults(subject: string): Results {
  return JSON.parse(readIfExists(fileOf(subject)) ?? '{}')
}

export function readIfExists(file: URL): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

export const rowsOf = (figures: readonly Figure[]) => Map.groupBy(figures, ({ name }) => name)

/** `p95 12 ms`, or `0.9 × bare Fastify`, with its goal. */
export function shown({ statistic, comparedWith, goal, ...figure }: Figure): string {
  const goalText = goal && `(goal: ${shownGoal(goal, figure.unit)})`
  return [statistic, shownValue(figure.value, figure.unit), comparedWith, goalText].filter(Boolean).join(' ')
}

export function shownValue(value: number, unit: string): string {
  const number = value.toLocaleString('en', { maximumSignificantDigits: 3 })
  return unit === '' || unit.startsWith('/') ? number + unit : `${number} ${unit}`
}

export const shownGoal = (goal: Goal, unit: string) =>
  'atLeast' in goal ? `at least ${shownValue(goal.atLeast, unit)}` : `at most ${shownValue(goal.atMost, unit)}`

export const isMissed = ({ value, goal }: Figure) =>
  goal !== undefined && ('atLeast' in goal ? value < goal.atLeast : value > goal.atMost)

/** Latencies in milliseconds, as figures of one name. */
export const latencies = (name: string, ms: Partial<Readonly<Record<Statistic, number>>>): Figure[] =>
  Object.entries(ms).map(([statistic, value]) => ({ name, statistic: statistic as Statistic, value, unit: 'ms' }))

function conditions(): Conditions {
  const git = ['log', '-1', '--format=%h', '--', 'packages', 'services', 'apps']
  const [{ model = 'unknown' } = {}] = cpus()
  const postgresql = postgresqlVersion()
  const settings = Object.entries(process.env).filter(([name]) => /^BENCH_(?!RECORD$)/.test(name))
  return {
    commit: execFileSync('git', git, { cwd: new URL('..', import.meta.url), encoding: 'utf8' }).trim(),
    date: new Date().toISOString().slice(0, 10),
    load: Number(loadBefore.toFixed(1)),
    machine: {
      cores: cpus().length,
      memoryGb: Math.round(totalmem() / 1e9),
      cpu: model.trim(),
      node: process.versions.node,
      ...(postgresql && { postgresql }),
    },
    settings: Object.fromEntries(settings) as Record<string, string>,
  }
}

function postgresqlVersion(): string | undefined {
  const url = process.env.DATABASE_URL
  if (!url) return undefined
  const query = `select split_part(current_setting('server_version'), ' ', 1) || ', fsync ' || current_setting('fsync')`
  return execFileSync('psql', [url, '-Atc', query], { encoding: 'utf8' }).trim()
}

/** One line for each figure, so that differences are easy to read. */
function serialize(results: Results): string {
  const programs = Object.entries(results).sort(([a], [b]) => (a < b ? -1 : 1))
  const runs = programs.map(([program, { conditions, figures }]) => {
    const lines = figures.map((figure) => `      ${JSON.stringify(figure)}`)
    return `  "${program}": {
    "conditions": ${JSON.stringify(conditions)},
    "figures": [\n${lines.join(',\n')}\n    ]
  }`
  })
  return `{\n${runs.join(',\n')}\n}\n`
}

/** CPU time of a process so far, all its threads. */
export function cpuUsOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const tickUs = 10_000
  return (Number(fields[11]) + Number(fields[12])) * tickUs
}

export const median = (values: readonly number[]) => quantile(values, 0.5)

export function quantile(values: readonly number[], share: number): number {
  const place = Math.min(values.length - 1, Math.floor(values.length * share))
  return values.toSorted((a, b) => a - b)[place] ?? Number.NaN
}
