import type { Parts, Target } from '@icosa/client'
import { bodyKind, type Method, paramNames, type Schema, writes } from '@icosa/contract'
import { Engine, operationsOfApi, type Service, type ServiceOperation } from '@icosa/kernel'
import fc from 'fast-check'
import type { TestApp } from '../app.ts'
import { type Known, valid, validRequest } from '../arbitrary.ts'
import { ask, credentialsFor, type Seed } from '../requests.ts'
import {
  choicesOf,
  type Field,
  fieldsOf,
  fitted,
  least,
  ownText,
  propertiesOf,
  shownAs,
  shows,
  textNamed,
  valueAt,
  withValueAt,
} from './fields.ts'
import { partsOf, type Recorded, recording } from './recorded.ts'

const repeatable = { seed: 376 } // whatever is generated is the same in every run

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
      const seen = await tryAsSent(subject, good)
      for (const field of fieldsOf(operation.operation.body as Schema)) {
        const outcome = seen.get(nameOf(field)) || (await tryField(subject, field, good, seen.has(nameOf(field))))
        if (outcome) notReadBack.set(`${operation.id} ${nameOf(field)}`, outcome)
      }
      for (const parts of good) await remove(await write(subject, parts), subject) // others count on what the seed made
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

const nameOf = ({ path }: Field) => path.join('.')

/** Sends the good requests as they are. Answers what was seen of each field in them, or '' if it was read back. */
async function tryAsSent(subject: Subject, good: readonly Parts[]): Promise<ReadonlyMap<string, string>> {
  const seen = new Map<string, string>()
  const fields = fieldsOf(subject.operation.operation.body as Schema)
  for (const parts of good) {
    const written = await write(subject, parts)
    const has = ({ path }: Field) => valueAt(written.parts.body, path) !== undefined
    for (const field of written.status < 300 ? fields.filter(has) : [])
      seen.set(nameOf(field), seen.get(nameOf(field)) || (await lookFor(field, written, subject)))
    await remove(written, subject)
  }
  return seen
}

/** Sends some values of a field, or all of a choice. Answers what was seen if one was not read back or none accepted. */
async function tryField(subject: Subject, field: Field, good: readonly Parts[], wasAccepted: boolean): Promise<string> {
  // The request that has most of the way to the field.
  const wayIn = ({ body }: Parts) =>
    field.path.filter((_, at) => valueAt(body, field.path.slice(0, at + 1)) !== undefined).length
  const [nearest] = good.toSorted((one, other) => wayIn(other) - wayIn(one))
  if (!nearest) return 'no request is accepted: let the seed make one'
  const choices = choicesOf(field)
  let accepted = wasAccepted ? 1 : 0
  let refusal = ''
  for (const value of choices ?? fc.sample(valid(field.schema), { numRuns: 6, ...repeatable })) {
    const written = await write(subject, { ...nearest, body: withValueAt(nearest.body, field, value) })
    const answer = JSON.stringify(written.reply)
    if (written.status < 300) {
      const seen = await lookFor(field, written, subject)
      await remove(written, subject)
      if (seen || (++accepted >= 2 && !choices)) return seen
    } else if (written.status === 501 && answer.includes(field.path.at(-1) as string))
      accepted++ // refused by name
    else refusal = `every value is refused, the last with ${written.status} ${answer}`.slice(0, 600)
  }
  return accepted > 0 ? '' : refusal
}

interface Written {
  readonly parts: Parts
  readonly status: number
  readonly reply: unknown
  /** Whether it is another resource than the seed's. */
  readonly isOther: boolean
  /** What the readers answered since. */
  readonly answers: Map<ServiceOperation, unknown>
}

let names = 0

/** Sends a request; if something is in its way, again when nothing goes on any more, and then under another name. */
async function write({ app, target, operation, known }: Subject, parts: Parts): Promise<Written> {
  const send = async (sent: Parts): Promise<Written> => {
    const { status, body } = await ask(operation, target, sent)
    return { parts: sent, status, reply: body, isOther: sent !== parts, answers: new Map() }
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
async function remove({ parts, status, reply, isOther }: Written, { target, operation, remover }: Subject) {
  if (!remover || status >= 300 || !(isOther || operation.operation.method === 'POST')) return
  const params = paramsFor(remover, parts, reply)
  if (params) await ask(remover, target, { params, query: versionOf(parts), headers: anyMatch(remover) })
}

/** Looks for the value of a field that was sent: '' if it is there, now or when nothing goes on any more. */
async function lookFor({ path, schema }: Field, written: Written, subject: Subject): Promise<string> {
  const { app, operation, readers } = subject
  const { params, body } = written.parts
  const sent = valueAt(body, path)
  const names = new Set<unknown>(Object.values({ ...params, ...Object(body) }))
  const shown = [...readers, operation]
    .flatMap((by) => {
      const end = shownAs(path, schemasOf(by, by !== operation))
      return end ? [{ by, end }] : []
    })
    .toSorted((one, other) => other.end.length - one.end.length)
  for (const { by, end } of shown) {
    const isShown = async () => shows(await answerOf(by, written, subject), sent, { end, schema, names })
    if ((await answerOf(by, written, subject)) === undefined) continue
    if (await isShown()) return ''
    await app.jobs.drain()
    written.answers.clear()
    if (await isShown()) return ''
    return notThere(sent, `${by.id} answers ${JSON.stringify(written.answers.get(by))}`)
  }
  return notThere(sent, 'nothing shows it')
}

const notThere = (sent: unknown, seen: string) => `${JSON.stringify(sent)} is not read back: ${seen}`.slice(0, 600)

async function answerOf(by: ServiceOperation, written: Written, subject: Subject): Promise<unknown> {
  if (!written.answers.has(by))
    written.answers.set(by, by === subject.operation ? written.reply : await readBy(by, written, subject))
  return written.answers.get(by)
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
    // What a body names further inside is something else, if the answer has one of its own.
    const own = ownText(body, name) ?? ownText(reply, name)
    const value = params[name] ?? own ?? textNamed(body, name) ?? textNamed(reply, name) ?? textNamed(reply, 'id')
    return value === undefined ? undefined : ([name, value] as const)
  })
  return found.includes(undefined) ? undefined : Object.fromEntries(found.filter((one) => one !== undefined))
}

const anyMatch = ({ operation }: ServiceOperation): Record<string, string> =>
  'if-match' in propertiesOf(operation.headers) ? { 'if-match': '*' } : {}

const versionOf = ({ query = {} }: Pick<Parts, 'query'>) =>
  query['api-version'] ? { 'api-version': query['api-version'] } : {}

/**
 * Those that the seed sent; otherwise what it sent to the same path by another method, one of what it sent elsewhere as
 * far as it fits, or a generated one.
 */
async function goodRequests(subject: Subject, recorded: readonly Recorded[]): Promise<Parts[]> {
  const { operation, known } = subject
  const schema = operation.operation.body as Schema
  const headers = anyMatch(operation)
  const accepted = async (all: readonly Parts[]) => {
    const good: Parts[] = []
    for (const parts of all) {
      const written = await write(subject, parts)
      if (written.status < 300) good.push(parts)
      await remove(written, subject)
    }
    return good
  }
  const own = await accepted(recorded.flatMap((one) => partsOf(operation.operation, one) ?? []))
  if (own.length > 0) return own
  const there = recorded.flatMap((one) => partsOf({ ...operation.operation, method: one.method as Method }, one) ?? [])
  const same = await accepted(there.map((parts) => ({ ...parts, headers, body: fitted(parts.body, schema) })))
  if (same.length > 0) return same
  const alike = recorded.map(({ query, body }) => ({
    query: versionOf({ query }),
    body: { ...least(schema), ...Object(fitted(body, schema)) },
  }))
  const generated = fc.sample(validRequest(operation.operation, known), { numRuns: 20, ...repeatable })
  for (const parts of [...alike, ...generated]) {
    const request = { ...parts, headers, params: known }
    if ((await write(subject, request)).status < 300) return [request]
  }
  return []
}
