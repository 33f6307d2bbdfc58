import { type Dialect, named, oneOf, operationsOf, type ParamSchemas, Type } from '@icosa/contract'
import { errorStatuses } from '../status.ts'

/** Default error body; a service may have another. */
const KeyedError = named('Error', {
  error: named('ErrorDetail', {
    code: Type.Union(Type.Integer(), Type.String()),
    message: Type.String(),
    details: Type.Optional(Type.Array(Type.String())),
  }),
})

/** Services that authenticate by a key in a header. */
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

/** Constructors of operations. */
export const keyed = (header: string, params: ParamSchemas = {}) => operationsOf(keyedDialect(header), { params })

/** Status route, for services with long-running operations. */
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
