import { type Dialect, named, oneOf, operationsOf, type ParamSchemas, Type } from '@icosa/contract'
import { errorStatuses } from '../status.ts'

const optional = Type.Optional

/** A violation, where details name one: the others say only why. */
const Detail = Type.Object({
  '@type': Type.String(),
  reason: optional(Type.String()),
  domain: optional(Type.String()),
  fieldViolations: optional(Type.Array(Type.Object({ field: Type.String(), description: Type.String() }))),
})

const GoogleError = named('ErrorResponse', {
  error: named('ErrorStatus', {
    code: Type.Integer({ description: 'The HTTP status.' }),
    message: Type.String(),
    status: Type.String({ description: 'The canonical code, such as NOT_FOUND.' }),
    details: optional(Type.Array(Detail)),
  }),
})

const Anything = Type.Record(Type.Unknown())

/** Work that goes on after the reply. When it is done it has either a response or an error. */
export const Operation = named('Operation', {
  name: Type.String(),
  metadata: optional(Anything),
  done: Type.Boolean(),
  response: optional(Anything),
  error: optional(
    named('Status', {
      code: Type.Integer({ description: 'The number of the canonical code.' }),
      message: Type.String(),
      details: Type.Array(Anything),
    }),
  ),
})

/**
 * One of a few words, the first of which says nothing. Callers may send its place in the list instead: the server reads
 * both and answers with the word.
 */
export const enumeration = oneOf

/** In which part of a list callers are interested; `most` is what they get if they ask for more, or say nothing. */
export const paging = (most: number) => ({
  pageSize: optional(Type.Integer({ minimum: 0, description: `At most ${most}, which is also the default.` })),
  pageToken: optional(Type.String({ maxLength: 2_000 })),
})

/** Of an operation that only this dialect has: which fields of a body count, in either spelling of their names. */
export const UpdateMask = Type.String({ maxLength: 2_000, description: 'Comma-separated names of fields.' })

/** Resources with names such as `projects/mine/locations/here/things/one`, and verbs of their own behind a colon. */
export function google(version: string, params: ParamSchemas = {}) {
  const dialect: Dialect = {
    name: 'google',
    version,
    security: { type: 'http', scheme: 'bearer', description: 'A token of the identity service or a trusted issuer.' },
    operationNames: 'unique',
    caseSensitive: true,
    bodyOptional: true,
    error: GoogleError,
    errorStatuses,
  }
  return { ...operationsOf(dialect, { params }), dialect }
}

export type Google = ReturnType<typeof google>
