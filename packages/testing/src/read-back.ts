import type { Parts, Target } from '@icosa/client'
import { bodyKind, paramNames, type Schema, writes } from '@icosa/contract'
import { Engine, operationsOfApi, type Service, type ServiceOperation } from '@icosa/kernel'
import fc from 'fast-check'
import type { TestApp } from './app.ts'
import { type Known, valid, validRequest } from './arbitrary.ts'
import { ask, credentialsFor, type Seed } from './coverage.ts'
import {
  type Field,
  fieldsOf,
  fitted,
  least,
  propertiesOf,
  shownAs,
  shows,
  textNamed,
  valueAt,
  withValueAt,
} from './fields.ts'
import { partsOf, type Recorded, recording } from './recorded.ts'

const same = { seed: 376 } // whatever is generated is the same in every run

/**
 * Writes every field of every resource and reads it back. Answers the fields that were taken and then read otherwise, or
 * not at all, and those that no request got in with: for each what was seen. Operations that `skip` names are not tried.
 */
export async function fieldsNotReadBack(
  app: TestApp,
  service: Service,
  seed: Seed,
  skip: (operation: string) => boolean = () => false,
): Promise<ReadonlyMap<string, string>> {
  const recorded: Recorded[] = []
  const owner = await credentialsFor(app, service, 'writer')
  const known = await seed({ ...owner, fetch: recording(owner, recorded) }, app)
  const notReadBack = new Map<string, string>()
  for (const api of service.apis) {
    const target = await credentialsFor(app, service, 'writer', undefined, api)
    const all = operationsOfApi(service, api)
    for (const operation of all.filter((one) => isWrite(one) && !skip(one.id))) {
      const subject = {
        app,
        target,
        operation,
        readers: readersOf(operation, all),
        remover: removerOf(operation, all),
        known,
      }
      const good = await goodRequests(subject, recorded)
      for (const field of fieldsOf(operation.operation.body as Schema)) {
        const outcome = await tryField(subject, field, good)
        if (outcome) notReadBack.set(`${operation.id} ${field.path.join('.')}`, outcome)
      }
      for (const parts of good) await write(subject, parts) // others count on what the seed made
    }
  }
  return notReadBack
}

/** Protocol libraries have fields of their own. */
const isWrite = ({ operation, handler }: ServiceOperation) =>
  writes(operation) && operation.body !== undefined && !bodyKind(operation.body) && !(handler instanceof Engine)

/** An operation that writes, those that may show what it wrote, and what they are sent with. */
interface Subject {
  readonly app: TestApp
  readonly target: Target
  readonly operation: ServiceOperation
  readonly readers: readonly ServiceOperation[]
  /** The DELETE of what it creates. */
  readonly remover: ServiceOperation | undefined
  readonly known: Known
}

const isMember = (path: string, of: string) => path.startsWith(`${of}/`) && /^\{\w+\}$/.test(path.slice(of.length + 1))

/** The GET of a member first, then that of the same path, then whatever else reads. */
function readersOf({ operation: { path } }: ServiceOperation, all: readonly ServiceOperation[]): ServiceOperation[] {
  const distance = ({ operation }: ServiceOperation) =>
    isMember(operation.path, path) ? 0 : operation.path === path ? 1 : 2
  const reads = ({ operation }: ServiceOperation) => !writes(operation) && operation.method !== 'HEAD'
  return all.filter(reads).toSorted((one, other) => distance(one) - distance(other))
}

function removerOf({ operation: { method, path } }: ServiceOperation, all: readonly ServiceOperation[]) {
  const isOfSame = (other: string) => (method === 'POST' ? isMember(other, path) : other === path)
  return all.find(({ operation }) => operation.method === 'DELETE' && isOfSame(operation.path))
}

/** Whether a request with some value of this field is accepted, and the value is there afterwards; if not, what was seen. */
async function tryField(subject: Subject, field: Field, good: readonly Parts[]): Promise<string | undefined> {
  const tried = new Set<string>()
  let accepted = 0
  let refusal: string | undefined = 'no request is accepted: let the seed make one'
  for (const { value, ...parts } of attempts(field, good)) {
    if (accepted === 2 || tried.has(JSON.stringify(value))) continue
    tried.add(JSON.stringify(value))
    const written = await write(subject, { ...parts, body: withValueAt(parts.body, field, value) })
    if (written.status < 300) {
      const sent = valueAt(written.parts.body, field.path)
      const seen = await lookFor(sent, field, written, subject)
      await remove(written, subject)
      if (seen !== undefined) return `${JSON.stringify(sent)} is not read back: ${seen}`.slice(0, 600)
      accepted++
    } else if (refusal) {
      const answer = JSON.stringify(written.reply)
      const isRefusedByName = written.status === 501 && answer.includes(field.path.at(-1) as string)
      refusal = isRefusedByName ? undefined : `every value is refused, the last with ${written.status} ${answer}`
    }
  }
  return accepted === 0 ? refusal?.slice(0, 600) : undefined
}

/** Good requests with the field as it is there, then one of them with other values of it. */
function attempts(field: Field, good: readonly Parts[]): (Parts & { readonly value: unknown })[] {
  const [having, others] = [true, false].map((has) =>
    good.filter(({ body }) => (valueAt(body, field.path) !== undefined) === has),
  ) as [Parts[], Parts[]]
  const generated = fc.sample(valid(field.schema), { numRuns: 12, ...same })
  const first = [...having, ...others].slice(0, 1)
  return [
    ...having.map((parts) => ({ ...parts, value: valueAt(parts.body, field.path) })),
    ...first.flatMap((parts) => generated.map((value) => ({ ...parts, value }))),
  ]
}

interface Written {
  readonly parts: Parts
  readonly status: number
  readonly reply: unknown
  /** Whether it is another resource than the seed's. */
  readonly isOther: boolean
}

let names = 0

/** Sends a request; if something is in its way, again when nothing goes on any more, and then under another name. */
async function write({ app, target, operation, known }: Subject, parts: Parts): Promise<Written> {
  const send = async (sent: Parts): Promise<Written> => {
    const { status, body } = await ask(operation, target, sent)
    return { parts: sent, status, reply: body, isOther: sent !== parts }
  }
  let written = await send(parts)
  if (written.status === 409) {
    await app.jobs.drain()
    written = await send(parts)
  }
  const renamed = written.status >= 400 && underAnotherName(operation, parts, known, written.status)
  return renamed ? send(renamed) : written
}

/** For another resource: in the body, the name that the seed knows it by; in the path, the last one if it is taken. */
function underAnotherName({ operation }: ServiceOperation, parts: Parts, known: Known, status: number) {
  const { params, body } = parts
  const last = paramNames(operation.path).at(-1)
  if (operation.method !== 'POST')
    return status === 409 && last
      ? { ...parts, params: { ...params, [last]: `${params?.[last]}${++names}` } }
      : undefined
  const taken = Object.entries(Object(body)).find(
    ([name]) => name in known && !paramNames(operation.path).includes(name),
  )
  return taken && { ...parts, body: { ...Object(body), [taken[0]]: `${taken[1]}${++names}` } }
}

/** What was made besides the seed's, so that no limit is reached. */
async function remove({ parts, reply, isOther }: Written, { target, operation, remover }: Subject) {
  if (!remover || !(isOther || operation.operation.method === 'POST')) return
  const params = paramsFor(remover, parts, reply)
  if (params) await ask(remover, target, { params, query: versionOf(parts), ...anyMatch(remover) })
}

/** Nothing if the value is there, now or when nothing goes on any more; otherwise what is there. */
async function lookFor(value: unknown, { path }: Field, written: Written, subject: Subject) {
  const { app, operation, readers } = subject
  const shown = [...readers, operation]
    .flatMap((by) => {
      const end = shownAs(path, schemasOf(by, by !== operation))
      return end ? [{ by, end }] : []
    })
    .toSorted((one, other) => other.end.length - one.end.length)
  for (const { by, end } of shown) {
    const read = () => (by === operation ? written.reply : readBy(by, written, subject))
    const names = new Set<unknown>(Object.values({ ...written.parts.params, ...Object(written.parts.body) }))
    let answer = await read()
    if (answer === undefined) continue
    if (shows(answer, end, value, names)) return undefined
    await app.jobs.drain()
    answer = await read()
    return shows(answer, end, value, names) ? undefined : `${by.id} answers ${JSON.stringify(answer)}`
  }
  return 'nothing shows it'
}

/** What an operation answers, and what it is asked with if that counts: a resource that is found by a name has it. */
function schemasOf({ operation }: ServiceOperation, asked: boolean): Schema[] {
  const replies = Object.values(operation.replies).filter((schema) => schema !== null)
  if (!asked) return replies
  const params = Object.fromEntries(paramNames(operation.path).map((name) => [name, {}]))
  return [...replies, { properties: { ...params, ...propertiesOf(operation.body) } } as unknown as Schema]
}

/** What a reader answers, with what it was asked; nothing if the request to it cannot be made of the writer's, or fails. */
async function readBy(reader: ServiceOperation, { parts, reply }: Written, { target }: Subject) {
  const { query, body } = reader.operation
  const params = paramsFor(reader, parts, reply)
  if (!params) return undefined
  const asked = body && fitted(Object(parts.body), body)
  const answer = await ask(reader, target, {
    params,
    query: { ...Object(query && fitted(parts.query, query)), ...versionOf(parts) },
    ...(body && { body: asked }),
  })
  return answer.status < 300 ? { asked: { ...params, ...Object(asked) }, answer: answer.body } : undefined
}

/** What another operation needs in its path, from what a writer was sent and answered; nothing if that is not enough. */
function paramsFor({ operation }: ServiceOperation, { params = {}, body }: Parts, reply: unknown) {
  const found = paramNames(operation.path).map((name) => {
    const value = params[name] ?? textNamed(body, name) ?? textNamed(reply, name) ?? textNamed(reply, 'id')
    return value === undefined ? undefined : ([name, value] as const)
  })
  return found.includes(undefined) ? undefined : Object.fromEntries(found.filter((one) => one !== undefined))
}

const anyMatch = ({ operation }: ServiceOperation) =>
  'if-match' in propertiesOf(operation.headers) ? { headers: { 'if-match': '*' } } : {}

const versionOf = ({ query = {} }: Pick<Parts, 'query'>) =>
  query['api-version'] ? { 'api-version': query['api-version'] } : {}

/** Those that the seed sent; otherwise one of what it sent elsewhere as far as it fits, or a generated one. */
async function goodRequests(subject: Subject, recorded: readonly Recorded[]): Promise<Parts[]> {
  const { operation, known } = subject
  const own: Parts[] = []
  for (const parts of recorded.flatMap((one) => partsOf(operation.operation, one) ?? []))
    if ((await write(subject, parts)).status < 300) own.push(parts)
  if (own.length > 0) return own
  const schema = operation.operation.body as Schema
  const alike = recorded.map(({ query, body }) => ({
    query: versionOf({ query }),
    body: { ...least(schema), ...Object(fitted(body, schema)) },
  }))
  const generated = fc.sample(validRequest(operation.operation, known), { numRuns: 20, ...same })
  for (const parts of [...alike, ...generated]) {
    const request = { ...parts, ...anyMatch(operation), params: known }
    if ((await write(subject, request)).status < 300) return [request]
  }
  return []
}
