import { type Dialect, named, oneOf, operationsOf, type ParamSchemas, Type } from '@icosa/contract'
import { errorStatuses } from '../status.ts'

const optional = Type.Optional

/** Fields for violations; other details only give a reason. */
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

/** A long-running operation. When done, it has either a response or an error. */
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
 * Enumeration whose first value is unspecified. Callers may send the index instead: the server accepts both and returns
 * the name.
 */
export const enumeration = oneOf

/** Paging parameters; `max` is both the default and the maximum. */
export const paging = (max: number) => ({
  pageSize: optional(Type.Integer({ minimum: 0, description: `At most ${max}, which is also the default.` })),
  pageToken: optional(Type.String({ maxLength: 2_000 })),
})

/** Field mask: names of the fields to update, in camel or snake case. */
export const UpdateMask = Type.String({ maxLength: 2_000, description: 'Comma-separated names of fields.' })

/** API with resource names such as `projects/mine/locations/here/things/one`, and custom verbs after a colon. */
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
