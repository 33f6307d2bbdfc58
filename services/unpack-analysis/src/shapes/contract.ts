import { bytes, type Dialect, named, operationsOf, Type } from '@icosa/contract'
import { errorStatuses } from '@icosa/dialects/status'

/** Of bodies that cannot be read: 400 here, since the specification lists no other status for a request. */
export const requestStatuses: ReadonlySet<number> = new Set([411, 413, 415])

/** Nobody has to say who they are: callers are told apart by their addresses. */
export const dialect: Dialect = {
  name: 'unpack',
  version: '1.0.0',
  operationNames: 'unique',
  caseSensitive: true,
  errorStatuses: errorStatuses.filter((status) => !requestStatuses.has(status)),
  error: named('Error', { status: Type.Integer(), message: Type.String() }),
}

export const api = operationsOf(dialect)

/** Of a sample. */
export const maxBytes = 30 * 2 ** 20
/** With other fields. */
export const maxFormBytes = 31 * 2 ** 20

/** It may stand before or after the other fields, so it is read as a whole. */
export const file = bytes({ types: ['*/*'], maxBytes })

/** A form has only texts. */
export const YesOrNo = Type.Enum(['true', 'false'])
