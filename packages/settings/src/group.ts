import { Refusal } from './kinds.ts'
import type { Read, Setting } from './setting.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Whose defaults count. */
export interface Mode {
  readonly development?: boolean
}

/** Settings under the names that code gives them, in objects within objects as code wants them. */
interface Shape {
  readonly [name: string]: Setting | Shape
}

export type Values<S> = { readonly [K in keyof S]: S[K] extends Setting ? Read<S[K]> : Values<S[K]> }

/** What the operator decides about one thing: a service, or the platform. */
export interface Group<V = unknown> {
  readonly settings: readonly Setting[]
  /** Settings that there were once, and what to do instead. */
  readonly retired: Readonly<Record<string, string>>
  /** What is wrong, each naming its variable; nothing if all can be used. */
  problems(env: Environment, mode?: Mode): string[]
  /** What to set before a node outside of development mode can start. */
  missing(env: Environment): string[]
  /** Throws a `SettingsError` with all that is wrong. */
  read(env: Environment, mode?: Mode): V
}

export type ValuesOf<G> = G extends Group<infer V> ? V : never

/** Settings that cannot be used; the message says which, and what each should be. */
export class SettingsError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    const list = problems.map((problem) => `\n  ${problem}`).join('')
    super(problems.length === 1 ? problems[0] : `${problems.length} settings cannot be used:${list}`)
    this.problems = problems
  }
}

export function group<const S extends Shape>(
  shape: S,
  retired: Readonly<Record<string, string>> = {},
): Group<Values<S>> {
  const problems = (env: Environment, mode: Mode = {}) => readShape(shape, retired, env, mode).problems
  const settings = flat(shape)
  return {
    settings,
    retired,
    problems,
    missing: (env) => settings.filter((one) => isMissing(one, settings, env)).map(missingOf),
    read(env, mode = {}) {
      const found = readShape(shape, retired, env, mode)
      if (found.problems.length > 0) throw new SettingsError(found.problems)
      return found.values as Values<S>
    },
  }
}

const isSetting = (one: Setting | Shape): one is Setting => 'variable' in one && typeof one.variable === 'string'

const flat = (shape: Shape): Setting[] => Object.values(shape).flatMap((one) => (isSetting(one) ? one : flat(one)))

function readShape(shape: Shape, retired: Readonly<Record<string, string>>, env: Environment, mode: Mode) {
  const gone = Object.entries(retired).filter(([variable]) => env[variable])
  const problems = gone.map(([variable, instead]) => `${variable} is gone: ${instead}`)
  const valuesOf = (part: Shape): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(part).map(([name, one]) => {
        if (!isSetting(one)) return [name, valuesOf(one)]
        try {
          return [name, readOne(one, env, mode)]
        } catch (error) {
          problems.push(problemOf(one, env[one.variable] ?? '', error instanceof Refusal ? error.message : ''))
          return [name, undefined]
        }
      }),
    )
  return { values: valuesOf(shape), problems }
}

function readOne({ variable, kind, default: usual, development }: Setting, env: Environment, mode: Mode): unknown {
  const otherwise = mode.development ? (development ?? usual) : usual
  const given = env[variable] || otherwise // an empty one is one that is not set
  return given === undefined ? undefined : kind.read(given)
}

function isMissing({ variable, required }: Setting, settings: readonly Setting[], env: Environment): boolean {
  if (required === undefined || env[variable]) return false
  if (required === true) return true
  const other = settings.find((one) => one.variable === required.where)
  return (env[required.where] || other?.default) === required.is
}

const instruction = ({ kind, example }: Setting) => `et it to ${kind.is}${example && `, such as ${example}`}.`

function missingOf(one: Setting): string {
  const { variable, required } = one
  const condition = typeof required === 'object' ? `, and ${required.where} is ${required.is}` : ''
  return `${variable} is not set${condition}: s${instruction(one)}`
}

const longestShown = 80

function problemOf(one: Setting, given: string, because: string): string {
  const { variable, secret } = one
  const shown = given.length > longestShown ? `${given.slice(0, longestShown)}…` : given
  const what = secret ? 'cannot be used (its value is a secret, so it is not shown)' : `is '${shown}'`
  return `${variable} ${what}: ${because ? `${because}. S` : 's'}${instruction(one)}`
}
