import type { Parts, Target } from '@icosa/client'
import { paramNames, type Schema } from '@icosa/contract'
import type { ServiceOperation } from '@icosa/kernel'
import type { TestApp } from '../app.ts'
import type { Known } from '../arbitrary.ts'
import { ask } from '../requests.ts'
import { type Field, fitted, ownText, propertiesOf, shownAs, shows, textNamed, valueAt, valuesAt } from './fields.ts'

/** An operation that writes, those that may show what it wrote, and what they are sent with. */
export interface Subject {
  readonly app: TestApp
  readonly target: Target
  readonly operation: ServiceOperation
  readonly readers: readonly ServiceOperation[]
  /** The DELETE of what it creates. */
  readonly remover: ServiceOperation | undefined
  readonly known: Known
}

export interface Written {
  readonly parts: Parts
  readonly status: number
  readonly reply: unknown
  /** Whether it is another resource than the seed's. */
  readonly isOther: boolean
  /** What the readers answered since. */
  readonly answers: Map<ServiceOperation, unknown>
}

export async function shownValues(field: Field, written: Written, subject: Subject): Promise<readonly unknown[]> {
  for (const { by, end } of showing(field, subject)) {
    const answer = await answerOf(by, written, subject)
    if (answer !== undefined) return valuesAt(answer, end, namesOf(written))
  }
  return []
}

/** The operations that may show a field, with the end of its path as they have it: the longest first. */
const showing = ({ path }: Field, { operation, readers }: Subject) =>
  [...readers, operation]
    .flatMap((by) => {
      const end = shownAs(path, schemasOf(by, by !== operation))
      return end ? [{ by, end }] : []
    })
    .toSorted((one, other) => other.end.length - one.end.length)

const namesOf = ({ parts: { params, body } }: Written) =>
  new Set<unknown>(Object.values({ ...params, ...Object(body) }))

/** Looks for the value of a field that was sent: '' if it is there, now or when nothing goes on any more. */
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

/** What an operation answers, and what it is asked with if that counts: a resource that is found by a name has it. */
function schemasOf({ operation }: ServiceOperation, asked: boolean): Schema[] {
  const replies = Object.values(operation.replies).filter((schema) => schema !== null)
  if (!asked) return replies
  const params = Object.fromEntries(paramNames(operation.path).map((name) => [name, {}]))
  return [...replies, { properties: { ...params, ...propertiesOf(operation.body) } } as unknown as Schema]
}

/**
 * What a reader answers, with what it was asked; nothing if the request to it cannot be made of the writer's, or fails, or if
 * the answer does not have the id of what was made: then it is about something else.
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
  const made = bareId(reply)
  const read = { asked: { ...params, ...Object(asked) }, answer: answer.body }
  return answer.status < 300 && (made === undefined || mentions(read, made)) ? read : undefined
}

const mentions = (value: unknown, id: string): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some((member) => mentions(member, id))
    : String(value) === id

/**
 * What another operation needs in its path, from what a writer was sent and answered; nothing if that is not enough. A
 * generated request has the ids of everything: those that are not in the writer's own path are of something else. An answer
 * that is a mere id is that of what was made.
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
      // What a body names further inside is something else, if the answer has one of its own.
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
