import { type Dialect, identifier, named, operationsOf, type Schema, Type } from '@icosa/contract'
import { headerNames } from '../names.ts'

/** The status of a payment without a signature. */
export const unsignedStatus = 466

const dialect: Dialect = {
  name: 'bank',
  version: '1.0',
  security: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Vendor-Client-Authentication',
    description: 'A platform key, or the token of an installation or session.',
  },
  operationNames: 'unique',
  caseSensitive: true,
  bodyOptional: true,
  error: named('BankError', {
    Error: Type.Array(
      named('BankErrorLine', { error_description: Type.String(), error_description_translated: Type.String() }),
    ),
  }),
  errorStatuses: [400, 401, 403, 404, 405, 409, 411, 412, 413, 415, 421, 429, unsignedStatus, 500, 501, 503],
}

const id = (noun: string) => identifier(noun, { pattern: '^[1-9][0-9]{0,14}$' })

/** Path parameters are numbers, unless an operation overrides one. */
const params = {
  userID: id('user'),
  'monetary-accountID': id('monetary account'),
  'oauth-clientID': id('OAuth client'),
  cardID: id('card'),
  itemId: id('item'),
  installationID: id('installation'),
  attachmentID: id('attachment'),
  'customer-statementID': id('statement'),
  invoiceID: id('invoice'),
  scheduleID: id('schedule'),
}

export const { get, put, post, delete: remove } = operationsOf(dialect, { params })
export const constructorsWith = (more: Readonly<Record<string, string>>) =>
  operationsOf(dialect, {
    params: { ...params, ...Object.fromEntries(Object.entries(more).map(([name, noun]) => [name, id(noun)])) },
  })

/** A response with one item. */
export const one = <const W extends string, S extends Schema>(wrapper: W, schema: S) =>
  named(`${wrapper}Answer`, { Response: Type.Array(Type.Object({ [wrapper]: schema } as { readonly [K in W]: S })) })

const link = Type.Nullable(Type.String())
const Pagination = named('Pagination', { future_url: link, newer_url: link, older_url: link })

/** A page of items, newest first. */
export const many = <const W extends string, S extends Schema>(wrapper: W, schema: S) =>
  named(`${wrapper}List`, {
    Response: Type.Array(Type.Object({ [wrapper]: schema } as { readonly [K in W]: S })),
    Pagination,
  })

/** A page of items of several kinds. */
export const mixed = <S extends Schema>(title: string, schema: S) =>
  named(title, { Response: Type.Array(schema), Pagination })

export const IdAnswer = one('Id', named('Id', { id: Type.Integer() }))
export const NothingAnswer = named('NothingAnswer', { Response: Type.Array(Type.Object({})) })

/** Selects the newest items, or those older or newer than an id. */
export const pageQuery = Type.Object({
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  older_id: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 ** 15 })),
  newer_id: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 ** 15 })),
})

/** Operations of the usual shapes; a write returns the id of its item. */
export const list = <const P extends string, S extends Schema>(path: P, summary: string, page: S) =>
  get(path, { summary, query: pageQuery, replies: { 200: page } })
export const read = <const P extends string, S extends Schema>(path: P, summary: string, item: S) =>
  get(path, { summary, replies: { 200: item } })
export const create = <const P extends string, S extends Schema>(path: P, summary: string, body: S) =>
  post(path, { summary, body, replies: { 200: IdAnswer } })
export const update = <const P extends string, S extends Schema>(path: P, summary: string, body: S) =>
  put(path, { summary, body, replies: { 200: IdAnswer } })

/** A header in either spelling. */
const inBothSpellings = <const N extends readonly [string, string], S extends Schema>(
  [neutral, original]: N,
  schema: S,
) => ({ [neutral]: schema, [original]: schema }) as { readonly [K in N[number]]: S }

/** Longitude, latitude, altitude, radius and country: `4.89 53.2 12 100 NL`. */
const place = inBothSpellings(
  headerNames.geolocation,
  Type.Optional(Type.String({ pattern: '^ *-?\\d{1,3}(\\.\\d{1,15})?( -?\\d{1,7}(\\.\\d{1,15})?){3} \\w{2,3} *$' })),
)
export const placeHeaders = Type.Object(place)

/** The request id is an idempotency key. */
export const requestHeaders = Type.Object({
  ...inBothSpellings(headerNames.requestId, Type.Optional(Type.String({ maxLength: 200 }))),
  ...place,
})
