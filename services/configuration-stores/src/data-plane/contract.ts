import { type Dialect, named, operationsOf, type Properties, type Schema, Type } from '@icosa/contract'
import { errorStatuses } from '@icosa/dialects/status'
import { neutralSpelling } from '../names.ts'

/** Where a store's own API is: what applications read their configuration with. */
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

/** The kinds of replies have media types of their own; callers may ask for the original spelling of their beginning. */
export const mediaTypeOf = (kind: string) => `${neutralSpelling.media}${kind}+json`

// They differ in what clients know of, so all are answered alike.
const version = { 'api-version': Type.String({ pattern: '^(1\\.0|\\d{4}-\\d{2}-\\d{2}(-preview)?)$' }) }
const text = Type.Optional(Type.String())

export const queryOf = <P extends Properties>(own: P) => Type.Object({ ...version, ...own })

export const select = { $select: Type.Optional(Type.String({ description: 'Names of fields, with commas.' })) }

/** Which part of a list. */
export const page = { ...select, after: text }

const conditions = { 'if-match': text, 'if-none-match': text }
const time = Type.String({ description: 'An HTTP date, or ISO 8601: as of which time.' })

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
