import type { Parts, Target } from '@icosa/client'
import { bodyKind, type Method, paramNames, type Schema, writes } from '@icosa/contract'
import { type Api, operationsOfApi, type Service, type ServiceOperation } from '@icosa/kernel'
import fc from 'fast-check'
import { startTestApp, type TestApp } from '../app.ts'
import { type Known, someBytes, validRequest } from '../arbitrary.ts'
import { fitted, propertiesOf } from '../fields/fields.ts'
import { paramsFor } from '../fields/looking.ts'
import { sharedLength } from '../fields/operations.ts'
import { partsOf, type Recorded } from '../fields/recorded.ts'
import { ask, credentialsFor, type Seed } from '../requests.ts'
import { type Exchange, observing } from './exchange.ts'
import { plain } from './plain.ts'

export interface RecordOptions {
  readonly seed: Seed
  readonly cleanUp: (app: TestApp) => Promise<void>
  /** Services whose tables it reads. */
  readonly beside: readonly Service[]
  /** Permissions of its callers, if all of a tenant are not enough. */
  readonly permissions: readonly string[] | undefined
}

/** Records an exchange of each operation of a service, a successful one if possible, on a node of its own. */
export async function recordExchanges(
  service: Service,
  { seed, cleanUp, beside, permissions }: RecordOptions,
): Promise<Map<string, Exchange>> {
  await using app = await startTestApp({ services: [service, ...beside] })
  await app.clock.move({ to: new Date('2026-03-01T12:00:00Z'), frozen: true })
  const seen: Exchange[] = []
  const owner = await credentialsFor(app, service, 'owner', permissions)
  const known = await seed({ ...owner, fetch: observing(owner, seen) }, app)
  const recorded = seen.map(asRecorded)
  const examples = new Map<string, Exchange>()
  const values: Record<string, string> = {}
  for (const { request, reply } of seen) collect([request.body, reply.body], values)
  const all = service.apis.flatMap((api) => operationsOfApi(service, api))
  for (const operation of all.filter((one) => writes(one.operation))) {
    const own = seen.find((one, at) => !isRefused(one) && partsOf(operation.operation, recorded[at] as Recorded))
    if (own) examples.set(operation.id, own)
  }
  const targets = new Map<Api, Target>()
  for (const api of service.apis) targets.set(api, await credentialsFor(app, service, 'owner', permissions, api))
  for (const operation of inOrder(all)) {
    const before = examples.get(operation.id)
    if (before && !isRefused(before)) continue
    const target = targets.get(operation.api) as Target
    const params = [...paramsFrom(operation, all, examples), known]
    const exchange = await tryOperation(operation, target, { known, values, recorded, params })
    examples.set(operation.id, exchange)
    if (!isRefused(exchange)) collect(exchange.reply.body, values)
    await app.jobs.drain()
  }
  await cleanUp(app)
  return examples
}

/** Collects texts by the names of their fields, the first of each. */
function collect(value: unknown, values: Record<string, string>): void {
  for (const [name, member] of Object.entries(Object(value)))
    if (typeof member === 'string') values[name] ??= member
    else if (typeof member === 'object') collect(member, values)
}

const isRefused = ({ reply }: Exchange) => reply.status >= 400

/** Reads first, deletes last, and parts before the whole. */
function inOrder(operations: readonly ServiceOperation[]) {
  const rank = ({ operation: { method } }: ServiceOperation) => (method === 'DELETE' ? 2 : method === 'GET' ? 0 : 1)
  const depth = ({ operation }: ServiceOperation) => paramNames(operation.path).length
  const sorted = operations.toSorted((a, b) => rank(a) - rank(b) || depth(b) - depth(a))
  const others = sorted.filter((one) => rank(one) < 2)
  return [...others, ...sorted] // what needs the effect of a write succeeds the second time
}

/** Path parameters from the exchanges of the operations with the nearest paths. */
function paramsFrom(
  operation: ServiceOperation,
  all: readonly ServiceOperation[],
  examples: ReadonlyMap<string, Exchange>,
): Known[] {
  const isDone = (exchange: Exchange | undefined) => exchange !== undefined && !isRefused(exchange)
  const shared = (other: ServiceOperation) => sharedLength(other.operation.path, operation.operation.path)
  const near = all.filter(({ id }) => isDone(examples.get(id))).toSorted((a, b) => shared(b) - shared(a))
  const sets = near.slice(0, 6).flatMap((other) => {
    const exchange = examples.get(other.id) as Exchange
    const parts = partsOf(other.operation, asRecorded(exchange))
    const params: Known | undefined = parts && paramsFor(operation, other, parts, exchange.reply.body)
    return params ? [params] : []
  })
  return [...new Map(sets.map((set) => [JSON.stringify(set), set])).values()]
}

const asRecorded = ({ request: { method, path, headers, body } }: Exchange): Recorded => {
  const url = new URL(path, 'http://node')
  return {
    method,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: new Headers(headers),
    body,
  }
}

interface Seeded {
  readonly known: Known
  /** Texts in earlier exchanges, by the names of their fields. */
  readonly values: Known
  readonly recorded: readonly Recorded[]
  readonly params: readonly Known[]
}

/** Sends candidates until one succeeds. If none does, the example is a refusal, one that is specific if possible. */
async function tryOperation(operation: ServiceOperation, target: Target, seeded: Seeded): Promise<Exchange> {
  const seen: Exchange[] = []
  const observed = { ...target, fetch: observing(target, seen) }
  const isDone = async (parts: Parts) => (await ask(operation, observed, parts)).status < 400
  for (const parts of candidates(operation, seeded)) if (await isDone(parts)) return seen.at(-1) as Exchange
  const refusal = seen.find(({ reply }) => ![400, 404].includes(reply.status)) ?? seen.at(-1)
  for (const parts of fc.sample(validRequest(operation.operation, seeded.known), { numRuns: 8, seed: 376 }))
    if (await isDone({ ...parts, params: seeded.known })) return seen.at(-1) as Exchange
  return refusal as Exchange
}

function* candidates({ operation }: ServiceOperation, { known, values, recorded, params }: Seeded): Generator<Parts> {
  const { body, query, headers, method } = operation
  const match = 'if-match' in propertiesOf(headers) ? { headers: { 'if-match': '*' } } : {}
  const isJson = body !== undefined && !bodyKind(body)
  const samePath = isJson ? recorded.map((one) => [{ ...operation, method: one.method as Method }, one] as const) : []
  const queries = variants(query, known).map((variant) => variant as NonNullable<Parts['query']>)
  for (const [as, one] of [...recorded.map((it) => [operation, it] as const), ...samePath]) {
    const parts = partsOf(as, one)
    if (parts)
      yield {
        ...parts,
        ...match,
        query: { ...queries[0], ...parts.query },
        ...(isJson && { body: fitted(parts.body, body) }),
      }
  }
  const bodies = !body
    ? [undefined]
    : isJson
      ? [...variants(body, { ...values, ...known }), ...variants(body, known)]
      : [someBytes(body)]
  const last = paramNames(operation.path).at(-1)
  const renamed = method === 'PUT' && last && known[last] ? [{ ...known, [last]: `${known[last]}2` }] : []
  const pairs = [
    ...bodies.map((body) => [queries[0], body] as const),
    ...queries.slice(1).map((query) => [query, bodies[0]] as const),
  ]
  for (const of of [...renamed, ...params])
    for (const [asked, sent] of pairs)
      yield { params: of, ...match, query: asked ?? {}, ...(sent !== undefined && { body: sent }) }
  const shared = isJson ? recorded.map((one) => Object(fitted(one.body, body))) : []
  for (const one of shared.filter((some) => Object.keys(some).length > 0))
    yield { params: known, ...match, query: queries[0] ?? {}, body: { ...Object(bodies[0]), ...one } }
}

/** A value with the required fields, one with each of the optional ones, and one with all. */
function variants(schema: Schema | undefined, known: Known): unknown[] {
  if (!schema) return [undefined]
  const [least, full] = [false, true].map((isFull) => plain(schema, { known, isFull }))
  const optional = Object.entries(Object(full)).filter(([name]) => !(name in Object(least)))
  return [least, ...optional.slice(0, 6).map(([name, value]) => ({ ...Object(least), [name]: value })), full]
}
