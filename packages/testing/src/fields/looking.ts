import type { Parts, Target } from '@icosa/client'
import { paramNames, type Schema } from '@icosa/contract'
import type { ServiceOperation } from '@icosa/kernel'
import type { TestApp } from '../app.ts'
import type { Known } from '../arbitrary.ts'
import { ask } from '../requests.ts'
import { type Field, fitted, ownText, propertiesOf, shownAs, shows, textNamed, valueAt, valuesAt } from './fields.ts'

/** A writing operation, with the operations that may read its fields back. */
export interface Subject {
  readonly app: TestApp
  readonly target: Target
  readonly operation: ServiceOperation
  readonly readers: readonly ServiceOperation[]
  /** DELETE of the resource that it creates. */
  readonly remover: ServiceOperation | undefined
  readonly known: Known
}

export interface Written {
  readonly parts: Parts
  readonly status: number
  readonly reply: unknown
  /** Whether the resource is not the seed's. */
  readonly isOther: boolean
  /** Cached answers of the readers. */
  readonly answers: Map<ServiceOperation, unknown>
}

export async function shownValues(field: Field, written: Written, subject: Subject): Promise<readonly unknown[]> {
  for (const { by, end } of showing(field, subject)) {
    const answer = await answerOf(by, written, subject)
    if (answer !== undefined) return valuesAt(answer, end, namesOf(written))
  }
  return []
}

/** Operations that may return a field, with the suffix of its path in their schemas; the longest first. */
const showing = ({ path }: Field, { operation, readers }: Subject) =>
  [...readers, operation]
    .flatMap((by) => {
      const end = shownAs(path, schemasOf(by, by !== operation))
      return end ? [{ by, end }] : []
    })
    .toSorted((one, other) => other.end.length - one.end.length)

const namesOf = ({ parts: { params, body } }: Written) =>
  new Set<unknown>(Object.values({ ...params, ...Object(body) }))

/** Looks for the value sent in a field. Returns '' if it is found, at once or after all jobs have run. */
export async function lookFor(field: Field, written: Written, subject: Subject): Promise<string> {
  const { path, schema } = field
  const { app } = subject
  const sent = valueAt(written.parts.body, path)
  const names = namesOf(written)
  for (const { by, end } of showing(field, subject)) {
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

/** Schemas of the replies and, with `asked`, of the request: a resource found by a name has that name. */
function schemasOf({ operation }: ServiceOperation, asked: boolean): Schema[] {
  const replies = Object.values(operation.replies).filter((schema) => schema !== null)
  if (!asked) return replies
  const params = Object.fromEntries(paramNames(operation.path).map((name) => [name, {}]))
  return [...replies, { properties: { ...params, ...propertiesOf(operation.body) } } as unknown as Schema]
}

/**
 * Returns the request and reply of a reader; undefined if its request cannot be derived from the writer's, if it
 * fails, or if the reply lacks the id of the created resource, and so concerns another one.
 */
async function readBy(reader: ServiceOperation, { parts, reply }: Written, { target, operation }: Subject) {
  const { query, body } = reader.operation
  const params = paramsFor(reader, operation, parts, reply)
  if (!params) return undefined
  const asked = body && fitted(Object(parts.body), body)
  const answer = await ask(reader, target, {
    params,
    query: { ...Object(query && fitted(parts.query, query)), ...versionOf(parts) },
    ...(body && { body: asked }),
  })
  const created = bareId(reply)
  const read = { asked: { ...params, ...Object(asked) }, answer: answer.body }
  return answer.status < 300 && (created === undefined || mentions(read, created)) ? read : undefined
}

const mentions = (value: unknown, id: string): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some((member) => mentions(member, id))
    : String(value) === id

/**
 * Derives the path parameters of another operation from a writer's request and reply; undefined if one is missing. A
 * generated request has ids of everything: those outside the writer's own path belong to other resources. A reply that
 * is a bare id is that of the created resource.
 */
export function paramsFor(
  { operation }: ServiceOperation,
  { operation: writer }: ServiceOperation,
  { params = {}, body }: Parts,
  reply: unknown,
) {
  const own = paramNames(writer.path)
  const found = paramNames(operation.path).map((name) => {
    const value =
      (own.includes(name) ? params[name] : undefined) ??
      // A nested name in the body belongs to another resource if the reply has its own.
      ownText(body, name) ??
      ownText(reply, name) ??
      textNamed(body, name) ??
      textNamed(reply, name) ??
      textNamed(reply, 'id') ??
      textNamed(reply, 'uuid') ??
      bareId(reply)
    return value === undefined ? undefined : ([name, value] as const)
  })
  return found.includes(undefined) ? undefined : Object.fromEntries(found.filter((one) => one !== undefined))
}

const bareId = (reply: unknown): string | undefined =>
  typeof reply === 'string' || typeof reply === 'number' ? String(reply) : undefined

export const versionOf = ({ query = {} }: Pick<Parts, 'query'>) =>
  query['api-version'] ? { 'api-version': query['api-version'] } : {}
