import { bytes, type Dialect, named, operationsOf, Type } from '@icosa/contract'
import { errorStatuses } from '@icosa/dialects/status'

/** Statuses of unreadable bodies: 400 here, the only request error of the specification. */
export const requestStatuses: ReadonlySet<number> = new Set([411, 413, 415])

/** Without credentials, callers are identified by their addresses. */
export const dialect: Dialect = {
  name: 'unpack',
  version: '1.0.0',
  operationNames: 'unique',
  caseSensitive: true,
  errorStatuses: errorStatuses.filter((status) => !requestStatuses.has(status)),
  error: named('Error', { status: Type.Integer(), message: Type.String() }),
}

export const api = operationsOf(dialect)

/** Maximum size of a sample. */
export const maxBytes = 30 * 2 ** 20
/** Includes other fields. */
export const maxFormBytes = 31 * 2 ** 20

/** Fields may be in any order, so it is buffered. */
export const file = bytes({ types: ['*/*'], maxBytes })

/** Form fields are texts. */
export const YesOrNo = Type.Enum(['true', 'false'])
