import { type Dialect, named, operationsOf, Type } from '@icosa/contract'
import { errorStatuses } from '@icosa/dialects/status'

/** Nobody has to say who they are: callers are told apart by their addresses. */
export const dialect: Dialect = {
  name: 'unpack',
  version: '1.0.0',
  operationNames: 'unique',
  caseSensitive: true,
  errorStatuses,
  error: named('Error', { status: Type.Integer(), message: Type.String() }),
}

export const api = operationsOf(dialect)

/** Of a sample. */
export const maxBytes = 30 * 2 ** 20

/** A form has only texts. */
export const YesOrNo = Type.Enum(['true', 'false'])
