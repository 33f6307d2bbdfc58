import { type Dialect, named, oneOf, operationsOf, type ParamSchemas, Type } from '@icosa/contract'
import { errorStatuses } from '../status.ts'

/** The customary body of a failure; a service may have another. */
const KeyedError = named('Error', {
  error: named('ErrorDetail', {
    code: Type.Union(Type.Integer(), Type.String()),
    message: Type.String(),
    details: Type.Optional(Type.Array(Type.String())),
  }),
})

/** Services whose callers carry a key in a header. */
export function keyedDialect(header: string, error: Dialect['error'] = KeyedError): Dialect {
  return {
    name: 'keyed',
    security: { type: 'apiKey', in: 'header', name: header },
    operationNames: 'unique',
    caseSensitive: true,
    error,
    errorStatuses,
  }
}

/** The constructors of a service's operations. */
export const keyed = (header: string, params: ParamSchemas = {}) => operationsOf(keyedDialect(header), { params })

/** Where a caller asks how a long-running operation is going: for services that have any. */
export function keyedOperations(dialect: Dialect) {
  return {
    getOperation: operationsOf(dialect).get('/operations/{operationId}', {
      summary: 'Read the status of a long-running operation.',
      replies: {
        200: named('OperationStatus', {
          status: oneOf('notstarted', 'running', 'succeeded', 'failed'),
          createdTime: Type.String({ format: 'date-time' }),
          lastActionTime: Type.String({ format: 'date-time' }),
          percentComplete: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
          resourceLocation: Type.Optional(Type.String()),
          message: Type.Optional(Type.String()),
        }),
      },
    }),
  }
}
