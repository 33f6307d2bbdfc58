import { isDeepStrictEqual } from 'node:util'
import type { Parts, Target } from '@icosa/client'
import { bodyKind, type Operation, paramNames, type Schema, writes } from '@icosa/contract'
import { type Api, operationsOfApi, type Service, type ServiceOperation } from '@icosa/kernel'
import fc from 'fast-check'
import type { TestApp } from './app.ts'
import { type Known, valid, validRequest } from './arbitrary.ts'
import { ask, credentialsFor, type Seed } from './coverage.ts'
import { type Field, fieldsOf, namesIn, valueAt, withValueAt } from './fields.ts'

/**
 * Writes every field of every resource and reads it back. Answers the fields that were taken and then read otherwise, or
 * not at all, and those that no request got in with: for each what was seen.
 */
export async function fieldsNotReadBack(
  app: TestApp,
  service: Service,
  api: Api,
  seed: Seed,
): Promise<ReadonlyMap<string, string>> {
  const recorded: Recorded[] = []
  const owner = await credentialsFor(app, service, 'writer')
  const known = (await seed({ ...owner, fetch: recording(owner, recorded) }, app)) ?? {}
  const target = await credentialsFor(app, service, 'writer', undefined, api)
  const operations = operationsOfApi(service, api)
  const notReadBack = new Map<string, string>()
  for (const operation of operations.filter(isWrite)) {
    const reader = readerOf(operation, operations)
    const fields = fieldsOf(operation.operation.body as Schema)
    if (!showsAnyOf(fields, [operation, ...(reader ? [reader] : [])])) continue // an action: its effect is elsewhere
    const write = writerOf(app, target, operation, reader)
    const good = await goodRequest(operation, known, recorded, write)
    for (const field of fields) {
      const outcome = good
        ? await tryField(field, good, write)
        : 'no generated request is accepted: let the seed make one'
      if (outcome) notReadBack.set(`${operation.id} ${field.path.join('.')}`, outcome)
    }
  }
  return notReadBack
}

/** Whether a request with some value of this field is accepted, and the value is there afterwards; if not, what was seen. */
async function tryField(field: Field, good: Parts, write: Write): Promise<string | undefined> {
  let accepted = 0
  let refused = ''
  const values = fc.sample(valid(field.schema), { numRuns: 12, seed: 376 })
  for (const value of [valueAt(good.body, field.path), ...values]) {
    if (value === undefined || accepted === 2) continue
    const body = withValueAt(good.body, field, value)
    const { status, answers } = await write({ ...good, body })
    if (status >= 300) {
      refused = `every value is refused, the last with ${status}`
      continue
    }
    accepted++
    const name = field.path.at(-1) as string
    if (!answers.some((answer) => holds(answer, name, value)))
      return `${JSON.stringify(value)} is not read back from ${JSON.stringify(answers)}`.slice(0, 600)
  }
  return accepted === 0 ? refused : undefined
}

interface Written {
  readonly status: number
  /** The reply, and the resource as it is read afterwards where it has a way to be read. */
  readonly answers: readonly unknown[]
}

type Write = (parts: Parts) => Promise<Written>

function writerOf(app: TestApp, target: Target, operation: ServiceOperation, reader?: ServiceOperation): Write {
  return async (parts) => {
    const { status, body } = await ask(operation, target, parts)
    if (status >= 300 || !reader) return { status, answers: [body] }
    await app.jobs.drain()
    const read = await ask(reader, target, { params: paramsOf(reader, parts, body), query: versionOf(parts) })
    return { status, answers: read.status < 300 ? [read.body] : [body] }
  }
}

/** What a path names that the writer's does not is in the writer's reply. */
const paramsOf = ({ operation }: ServiceOperation, { params }: Parts, reply: unknown): Record<string, string> =>
  Object.fromEntries(
    paramNames(operation.path).map((name) => [
      name,
      params?.[name] ?? String(valueAt(reply, [name]) ?? valueAt(reply, ['id'])),
    ]),
  )

const versionOf = ({ query = {} }: Parts) => (query['api-version'] ? { 'api-version': query['api-version'] } : {})

const isWrite = ({ operation }: ServiceOperation) =>
  writes(operation) && operation.body !== undefined && !bodyKind(operation.body) && fieldsOf(operation.body).length > 0

/** The GET of the same path; for a POST to a collection, that of a member. */
function readerOf({ operation }: ServiceOperation, all: readonly ServiceOperation[]): ServiceOperation | undefined {
  const gets = all.filter((other) => other.operation.method === 'GET')
  if (operation.method !== 'POST') return gets.find((other) => other.operation.path === operation.path)
  const member = new RegExp(`^${RegExp.escape(operation.path)}/\\{\\w+\\}$`)
  return gets.find((other) => member.test(other.operation.path))
}

function showsAnyOf(fields: readonly Field[], shown: readonly ServiceOperation[]): boolean {
  const names = new Set(shown.flatMap(({ operation }) => Object.values(operation.replies).flatMap(namesIn)))
  return fields.some(({ path }) => names.has(path.at(-1) as string))
}

async function goodRequest(operation: ServiceOperation, known: Known, recorded: readonly Recorded[], write: Write) {
  const same = recorded.flatMap((one) => partsOf(operation.operation, one) ?? [])
  const generated = fc.sample(validRequest(operation.operation, known), { numRuns: 20, seed: 376 })
  for (const parts of [...same, ...generated.map((one) => ({ ...one, params: known }))]) {
    if ((await write(parts)).status < 300) return parts
  }
  return undefined
}

function holds(answer: unknown, name: string, value: unknown): boolean {
  if (typeof answer !== 'object' || answer === null) return false
  return Object.entries(answer).some(
    ([key, member]) => (key === name && isSame(member, value)) || holds(member, name, value),
  )
}

/** The same text, or the same moment however it is written. */
function isSame(one: unknown, other: unknown): boolean {
  if (isDeepStrictEqual(one, other)) return true
  const isMoment = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)
  return isMoment(one) && isMoment(other) && Date.parse(one) === Date.parse(other)
}

/** A request that a seed sent: what it says is known to be good. */
interface Recorded {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
}

function recording({ baseUrl, fetch: send = fetch }: Target, recorded: Recorded[]): typeof fetch {
  return async (input, init) => {
    const url = new URL(String(input))
    if (typeof init?.body === 'string')
      recorded.push({
        method: init.method ?? 'GET',
        path: url.pathname.slice(new URL(baseUrl).pathname.length),
        query: Object.fromEntries(url.searchParams),
        body: JSON.parse(init.body),
      })
    return send(input, init)
  }
}

function partsOf({ method, path }: Operation, recorded: Recorded): Parts | undefined {
  const template = path.replace(/[^{}]+(?=\{|$)/g, RegExp.escape).replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')
  const match = recorded.method === method ? new RegExp(`^${template}$`, 'i').exec(recorded.path) : null
  if (!match) return undefined
  const params = Object.fromEntries(
    Object.entries(match.groups ?? {}).map(([name, text]) => [name, decodeURIComponent(text)]),
  )
  return { params, query: recorded.query, body: recorded.body }
}
