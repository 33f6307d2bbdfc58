import { type Dialect, named, operationsOf, type Properties, type Schema, Type } from '@icosa/contract'
import { errorStatuses } from '@icosa/dialects/status'
import { neutralSpelling } from '../names.ts'

/** Mount of a store's data-plane API. */
export const at = '/stores/{configStoreName}'

const dialect: Dialect = {
  name: 'store',
  security: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description:
      '`HMAC-SHA256 Credential={id}&SignedHeaders={names}&Signature={signature}` by an access key of the store, or `Bearer {token}`.',
  },
  operationNames: 'perResource',
  caseSensitive: false,
  queryCase: 'ignored',
  bodyOptional: true,
  replyHeaders: Type.Object({ 'sync-token': Type.String() }),
  error: named('Problem', {
    type: Type.String(),
    title: Type.String(),
    name: Type.Optional(Type.String({ description: 'The parameter that is wrong.' })),
    detail: Type.String(),
    status: Type.Integer(),
  }),
  errorStatuses,
  errorType: 'application/problem+json',
}

export const api = operationsOf(dialect, { at })

/** Media type of a kind of reply, in the neutral spelling; callers may ask for the original one. */
export const mediaTypeOf = (kind: string) => `${neutralSpelling.media}${kind}+json`

// All versions get the same responses.
const version = { 'api-version': Type.String({ pattern: '^(1\\.0|\\d{4}-\\d{2}-\\d{2}(-preview)?)$' }) }
const text = Type.Optional(Type.String())

export const queryOf = <P extends Properties>(properties: P) => Type.Object({ ...version, ...properties })

export const select = { $select: Type.Optional(Type.String({ description: 'Names of fields, separated by commas.' })) }

/** Paging parameters. */
export const page = { ...select, after: text }

const conditions = { 'if-match': text, 'if-none-match': text }
const time = Type.String({ description: 'The time to read as of: an HTTP date, or ISO 8601.' })

export const ConditionHeaders = Type.Object(conditions)
export const TimeHeaders = Type.Object({ ...conditions, 'accept-datetime': Type.Optional(time) })

export const EntityHeaders = Type.Object({
  etag: text,
  'last-modified': text,
  link: text,
  'memento-datetime': text,
  'retry-after': text,
  'operation-location': text,
  'sync-token': text,
})

export const pageOf = <T>(title: string, item: Schema<T>) =>
  named(title, { items: Type.Array(item), etag: Type.String(), '@nextLink': text })
