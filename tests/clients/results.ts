import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'

/** `notBuilt` is a 501 with the operation's name; `client` was refused by the client before it was sent. */
export type Outcome = 'success' | 'declared' | 'notBuilt' | 'client' | 'wrong'

export interface Call {
  readonly service: string
  readonly operation: string
  readonly input: string
  readonly outcome: Outcome
  readonly detail: string
}

export interface Report {
  readonly version: string
  readonly calls: readonly Call[]
}

export interface Tally extends Readonly<Record<Outcome, number>> {
  readonly operations: number
  /** Operations of which no answer was a 501. */
  readonly supported: number
  readonly listed: number
}

/** Latest run of a client, by service. */
export interface Result {
  readonly version: string
  readonly date: string
  readonly services: Readonly<Record<string, Tally>>
}

/** Answers that differ from the client's model, and why they stay. */
export const listed: readonly { readonly operation: RegExp; readonly detail: RegExp; readonly reason: string }[] = [
  {
    operation: /^DeleteRestoreTestingPlan$/,
    detail: /InvalidParameterValueException/,
    reason: 'a malformed name is an InvalidParameterValueException in all operations; this one declares none',
  },
  {
    operation: /^(apps.download_query_logs|versions.export_lu_format)$/,
    detail: /"code":"NotFound"/,
    reason: 'the answer is a file, and this client reads no error from one; the error has the usual form',
  },
]

export const isListed = ({ operation, detail }: Call) =>
  listed.some((entry) => entry.operation.test(operation) && entry.detail.test(detail))

export const wrongCalls = ({ calls }: Report) => calls.filter((call) => call.outcome === 'wrong' && !isListed(call))

export function tallies({ calls }: Report): Readonly<Record<string, Tally>> {
  const services = [...new Set(calls.map(({ service }) => service))].sort()
  return Object.fromEntries(
    services.map((service) => [service, tally(calls.filter((call) => call.service === service))]),
  )
}

function tally(calls: readonly Call[]): Tally {
  const count = (outcome: Outcome) => calls.filter((call) => call.outcome === outcome && !isListed(call)).length
  const names = new Set(calls.map(({ operation }) => operation))
  const unsupported = new Set(calls.filter(({ outcome }) => outcome === 'notBuilt').map(({ operation }) => operation))
  const answered = calls.filter(({ outcome }) => outcome !== 'notBuilt' && outcome !== 'client')
  for (const { operation } of answered) unsupported.delete(operation)
  return {
    operations: names.size,
    supported: names.size - unsupported.size,
    success: count('success'),
    declared: count('declared'),
    notBuilt: count('notBuilt'),
    client: count('client'),
    listed: calls.filter((call) => call.outcome === 'wrong' && isListed(call)).length,
    wrong: count('wrong'),
  }
}

const folder = new URL('../../docs/start/clients-tested/', import.meta.url)

export const store = (client: string, result: Result) =>
  writeFileSync(new URL(`${client}.json`, folder), `${JSON.stringify(result, null, 2)}\n`)

export function readResults(): Readonly<Record<string, Result>> {
  if (!existsSync(folder)) return {}
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
  const read = (file: string) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Result
  return Object.fromEntries(files.map((file) => [file.replace('.json', ''), read(file)]))
}
