import { Refusal } from './kinds.ts'
import type { Read, Setting } from './setting.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface Mode {
  readonly development?: boolean
}

/** Settings by their names in code, possibly nested. */
interface Shape {
  readonly [name: string]: Setting | Shape
}

export type Values<S> = { readonly [K in keyof S]: S[K] extends Setting ? Read<S[K]> : Values<S[K]> }

/** Settings of a service, or of the platform. */
export interface Group<V = unknown> {
  readonly settings: readonly Setting[]
  /** Removed settings, and what to do instead. */
  readonly retired: Readonly<Record<string, string>>
  /** Returns problems, each naming its variable; empty if all settings are valid. */
  problems(env: Environment, mode?: Mode): string[]
  /** Settings required to start a node outside of development mode. */
  missing(env: Environment): string[]
  /** Throws a `SettingsError` with all problems. */
  read(env: Environment, mode?: Mode): V
}

export type ValuesOf<G> = G extends Group<infer V> ? V : never

/** Invalid settings; the message lists them, and what each should be. */
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
    missing: (env) => settings.filter((setting) => isMissing(setting, settings, env)).map(missingOf),
    read(env, mode = {}) {
      const result = readShape(shape, retired, env, mode)
      if (result.problems.length > 0) throw new SettingsError(result.problems)
      return result.values as Values<S>
    },
  }
}

const isSetting = (entry: Setting | Shape): entry is Setting =>
  'variable' in entry && typeof entry.variable === 'string'

const flat = (shape: Shape): Setting[] =>
  Object.values(shape).flatMap((entry) => (isSetting(entry) ? entry : flat(entry)))

function readShape(shape: Shape, retired: Readonly<Record<string, string>>, env: Environment, mode: Mode) {
  const removed = Object.entries(retired).filter(([variable]) => env[variable])
  const problems = removed.map(([variable, instead]) => `${variable} was removed: ${instead}`)
  const valuesOf = (part: Shape): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(part).map(([name, entry]) => {
        if (!isSetting(entry)) return [name, valuesOf(entry)]
        try {
          return [name, readSetting(entry, env, mode)]
        } catch (error) {
          problems.push(problemOf(entry, env[entry.variable] ?? '', error instanceof Refusal ? error.message : ''))
          return [name, undefined]
        }
      }),
    )
  return { values: valuesOf(shape), problems }
}

function readSetting(
  { variable, kind, default: regular, development }: Setting,
  env: Environment,
  mode: Mode,
): unknown {
  const otherwise = mode.development ? (development ?? regular) : regular
  const text = env[variable] || otherwise // an empty variable counts as unset
  return text === undefined ? undefined : kind.read(text)
}

function isMissing({ variable, required }: Setting, settings: readonly Setting[], env: Environment): boolean {
  if (required === undefined || env[variable]) return false
  if (required === true) return true
  const other = settings.find((setting) => setting.variable === required.where)
  return (env[required.where] || other?.default) === required.is
}

const instruction = ({ kind, example }: Setting) => `et it to ${kind.is}${example && `, such as ${example}`}.`

function missingOf(setting: Setting): string {
  const { variable, required } = setting
  const condition = typeof required === 'object' ? `, and ${required.where} is ${required.is}` : ''
  return `${variable} is not set${condition}: s${instruction(setting)}`
}

const maxShownLength = 80

function problemOf(setting: Setting, value: string, reason: string): string {
  const { variable, secret } = setting
  const shown = value.length > maxShownLength ? `${value.slice(0, maxShownLength)}…` : value
  const problem = secret ? 'cannot be used (its value is a secret, so it is not shown)' : `is '${shown}'`
  return `${variable} ${problem}: ${reason ? `${reason}. S` : 's'}${instruction(setting)}`
}
