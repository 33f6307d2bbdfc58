import { operationsOfService, type Service, type ServiceOperation } from '@icosa/kernel'
import { suggestion, UsageError } from '@icosa/module'
import { codesOf, type NamedFailure, ownCode } from './codes.ts'
import type { FaultRequest } from './fault.ts'

/** Operations or jobs that a fault applies to. */
export interface Target {
  readonly on: 'requests' | 'jobs'
  readonly matches: (name: string) => boolean
  /** The failure to throw, by operation. */
  readonly errors: ReadonlyMap<string, NamedFailure>
}

/** Resolves a pattern to operations or jobs. Refuses a fault that could never happen. */
export function targetOf(services: readonly Service[], request: FaultRequest): Target {
  const { target, kind, code } = request
  const matches = matcherOf(target)
  const operations = services.flatMap(operationsOfService)
  const targets = operations.filter(({ permission }) => matches(permission))
  const allJobs = services.flatMap(({ name, jobs = [] }) => jobs.map((job) => `${name}:${job.name}`))
  const jobs = allJobs.filter(matches)
  const ofJobs: Target = { on: 'jobs', matches: matcherOfNames(jobs), errors: new Map() }
  if (kind === 'stop' && jobs.length > 0) return ofJobs
  if (kind === 'stop') throw new UsageError(`'${target}' is not long-running work. ${stoppable(target, allJobs)}`)
  if (targets.length === 0 && jobs.length === 0) {
    const known = [...operations.map(({ permission }) => permission), ...allJobs]
    throw new UsageError(
      `No operation or job is called '${target}'.${suggestion(target, known)} \`icosa operations\` lists them; * matches anything.`,
    )
  }
  const names = targets.map(({ permission }) => permission)
  if (names.length > 0) return { on: 'requests', matches: matcherOfNames(names), errors: errorsOf(targets, code) }
  if (kind !== 'latency' && kind !== 'error')
    throw new UsageError(
      `'${target}' is long-running work, which has no connection: it can be late, fail or be stopped.`,
    )
  if (code !== undefined) throw new UsageError(`'${target}' is long-running work, whose errors have no code here.`)
  return ofJobs
}

/** Matches these alone: a fault of `*` spares the platform's own operations, which remove it. */
function matcherOfNames(names: readonly string[]): (name: string) => boolean {
  const matching = new Set(names)
  return (name) => matching.has(name)
}

/** Lists jobs that can be stopped, of the named service or of all. */
function stoppable(target: string, all: readonly string[]): string {
  const ofService = all.filter((name) => name.startsWith(`${target.split(':', 1)}:`))
  return ofService.length > 0
    ? `Of this service, ${ofService.join(', ')} can be stopped.`
    : `These can be stopped: ${all.join(', ')}.`
}

function matcherOf(target: string): (name: string) => boolean {
  const whole = target === '*' ? '*:*' : target
  const escaped = whole.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')
  const pattern = new RegExp(`^${escaped}$`)
  return (name) => pattern.test(name)
}

function errorsOf(
  operations: readonly ServiceOperation[],
  code: string | undefined,
): ReadonlyMap<string, NamedFailure> {
  if (code === undefined) return new Map()
  return new Map(
    operations.map(({ permission, api: { dialect } }) => {
      const codes = codesOf(dialect)
      const failure = codes.get(code) ?? ownCode(dialect, code)
      if (failure) return [permission, failure]
      throw new UsageError(
        `${permission} has no error '${code}'.${suggestion(code, [...codes.keys()])} Its errors are ${[...codes.keys()].join(', ')}.`,
      )
    }),
  )
}
