import { isDeepStrictEqual } from 'node:util'
import type { Parts } from '@icosa/client'
import { type Method, paramNames, type Schema } from '@icosa/contract'
import { operationsOfApi, type Service, type ServiceOperation } from '@icosa/kernel'
import fc from 'fast-check'
import type { TestApp } from '../app.ts'
import { type Known, valid, validRequest } from '../arbitrary.ts'
import { ask, credentialsFor, type Seed } from '../requests.ts'
import {
  choicesOf,
  type Field,
  fieldsOf,
  fitted,
  isUnset,
  least,
  propertiesOf,
  valueAt,
  withoutValueAt,
  withValueAt,
} from './fields.ts'
import { lookFor, paramsFor, type Subject, shownValues, versionOf, type Written } from './looking.ts'
import { differing, isWrite, nameOf, partsFirst, readersOf, removerOf } from './operations.ts'
import { partsOf, type Recorded, recording } from './recorded.ts'

const repeatable = { seed: 376 } // generated values are the same in every run

/**
 * Writes every field of every resource and reads it back. Returns accepted fields that were read back differently or
 * not at all, and fields that no request could set, each with the observation. `listed` operations are skipped; of
 * operations that are `alike`, one for each set of fields is tried.
 */
export async function fieldsNotReadBack(
  app: TestApp,
  service: Service,
  seed: Seed,
  { listed = () => false, alike = [] }: ReadBackOptions = {},
): Promise<ReadonlyMap<string, string>> {
  const recorded: Recorded[] = []
  const owner = await credentialsFor(app, service, 'writer')
  const known = await seed({ ...owner, fetch: recording(owner, recorded) }, app)
  const notReadBack = new Map<string, string>()
  for (const api of service.apis) {
    const target = await credentialsFor(app, service, 'writer', undefined, api)
    const all = operationsOfApi(service, api)
    const tried = all.filter((one) => isWrite(one) && !listed(one.id))
    for (const operation of partsFirst(differing(tried, alike))) {
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
      for (const parts of good) await remove(await write(subject, parts), subject) // others rely on the seed
    }
  }
  return notReadBack
}

export interface ReadBackOptions {
  readonly listed?: (operation: string) => boolean
  readonly alike?: readonly RegExp[]
}

/** Sends the good requests unchanged. Returns the problem of each field in them, or '' if it was read back. */
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

/** Sends some values of a field, or all of an enum. Returns a problem if one is not read back or none is accepted. */
async function tryField(subject: Subject, field: Field, good: readonly Parts[], wasAccepted: boolean): Promise<string> {
  // The request that contains most of the field's path.
  const wayIn = ({ body }: Parts) =>
    field.path.filter((_, at) => valueAt(body, field.path.slice(0, at + 1)) !== undefined).length
  const [nearest] = good.toSorted((one, other) => wayIn(other) - wayIn(one))
  if (!nearest) return 'no request is accepted: let the seed make one'
  const values = choicesOf(field) ?? fc.sample(valid(field.schema), { numRuns: 6, ...repeatable })
  const outcome = await tryValues(subject, field, nearest, values, wasAccepted)
  const unset = values.find(isUnset)
  const again = { ...nearest, body: withValueAt(nearest.body, field, unset) }
  if (unset !== undefined) await remove(await write(subject, again), subject) // others rely on the seed
  return outcome
}

async function tryValues(
  subject: Subject,
  field: Field,
  nearest: Parts,
  values: readonly unknown[],
  wasAccepted: boolean,
): Promise<string> {
  const isWhole = choicesOf(field) !== undefined
  let accepted = wasAccepted ? 1 : 0
  let refusal = ''
  for (const value of values) {
    const written = await write(subject, { ...nearest, body: withValueAt(nearest.body, field, value) })
    const answer = JSON.stringify(written.reply)
    if (written.status < 300) {
      let seen = await lookFor(field, written, subject)
      if (seen && isUnset(value) && (await isAsLeftOut(field, written, nearest, subject))) seen = ''
      await remove(written, subject)
      if (seen || (++accepted >= 2 && !isWhole)) return seen
    } else if (written.status === 501 && answer.includes(field.path.at(-1) as string))
      accepted++ // refused by name
    else refusal = `every value is refused, the last with ${written.status} ${answer}`.slice(0, 600)
  }
  return accepted > 0 ? '' : refusal
}

let names = 0

/** Sends a request; on a conflict, retries after all jobs have run, and then under another name. */
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

/**
 * Renames the resource of a request: in the path, the last name if it is taken; in the body, the name known to the
 * seed, or the first text on a conflict.
 */
function underAnotherName({ operation }: ServiceOperation, parts: Parts, known: Known, status: number) {
  const { params, body } = parts
  const last = paramNames(operation.path).at(-1)
  if (operation.method !== 'POST')
    return status === 409 && last
      ? { ...parts, params: { ...params, [last]: `${params?.[last]}${++names}` } }
      : undefined
  const texts = Object.entries(Object(body)).filter(([name]) => !paramNames(operation.path).includes(name))
  const taken =
    texts.find(([name, value]) => known[name] === value) ??
    (status === 409 ? texts.find(([, value]) => typeof value === 'string') : undefined) ??
    texts.find(([name]) => name in known)
  return taken && { ...parts, body: { ...Object(body), [taken[0]]: `${taken[1]}${++names}` } }
}

/** Removes a resource that is not the seed's, so that no limit is reached. */
async function remove({ parts, status, reply, isOther }: Written, { target, operation, remover }: Subject) {
  if (!remover || status >= 300 || !(isOther || operation.operation.method === 'POST')) return
  const params = paramsFor(remover, operation, parts, reply)
  const { body } = remover.operation
  const request = {
    query: versionOf(parts),
    headers: anyMatch(remover),
    ...(body && { body: fitted(parts.body, body) }),
  }
  if (params) await ask(remover, target, { params, ...request })
}

const anyMatch = ({ operation }: ServiceOperation): Record<string, string> =>
  'if-match' in propertiesOf(operation.headers) ? { 'if-match': '*' } : {}

/** Whether a field reads as it does when a request omits it. */
async function isAsLeftOut(field: Field, written: Written, nearest: Parts, subject: Subject): Promise<boolean> {
  const without = await write(subject, { ...nearest, body: withoutValueAt(nearest.body, field.path) })
  const [given, left] = [await shownValues(field, written, subject), await shownValues(field, without, subject)]
  await remove(without, subject)
  return without.status < 300 && isDeepStrictEqual(given, left)
}

/**
 * Accepted requests: those of the seed; otherwise its requests to the same path by another method, the matching
 * members of its other requests, or generated ones.
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
    const written = await write(subject, request)
    await remove(written, subject)
    if (written.status < 300) return [request]
  }
  return []
}
