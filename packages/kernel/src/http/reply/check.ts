import type { Operation, Schema } from '@icosa/contract'
import type { Detail } from '../../errors.ts'
import { lazyValidator } from '../input/validate.ts'

/** What is wrong with a success reply: its status, its body, or a field or header that the contract does not have. */
export function replyChecker({
  replies,
  replyHeaders,
}: Operation): (status: number, body: unknown, headers?: Readonly<Record<string, string>>) => readonly Detail[] {
  const checkHeaders = replyHeaders && lazyValidator(closed(replyHeaders), 'reply')
  const checks = new Map(
    Object.entries(replies).map(([status, schema]) => [
      Number(status),
      schema && lazyValidator(closed(schema), 'reply'),
    ]),
  )
  return (status, body, headers) => {
    const wrong = headers && checkHeaders?.(headers)
    if (wrong && wrong.length > 0) return wrong.map(({ at, message }) => ({ at: `headers of ${at}`, message }))
    const check = checks.get(status)
    if (check === undefined) return [{ at: 'reply/status', message: `${status} is not in the contract` }]
    if (check === null) return body === undefined ? [] : [{ at: 'reply', message: 'must have no body' }]
    return check(JSON.parse(JSON.stringify(body ?? null)))
  }
}

/** A copy of a schema in which objects have no other properties than those it names. */
export function closed(schema: Schema): Schema {
  return close(schema) as Schema
}

function close(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(close)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, close(value)]))
  return 'properties' in copy && !('additionalProperties' in copy) ? { ...copy, additionalProperties: false } : copy
}
