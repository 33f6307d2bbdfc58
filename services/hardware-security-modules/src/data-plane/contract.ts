import { type Dialect, named, operationsOf, type Schema, Type } from '@icosa/contract'
import { errorStatuses } from '@icosa/dialects/status'

/** Mount of a module's own API. */
export const at = '/modules/{moduleId}'

const dialect: Dialect = {
  name: 'module',
  security: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: "`Bearer {token}` of the module's tenant, or `Basic`, with any user name and the PIN of the module.",
  },
  operationNames: 'perResource',
  caseSensitive: true,
  error: named('ErrorResponse', {
    error: Type.Object({ code: Type.String(), message: Type.String() }),
  }),
  errorStatuses,
}

const uuid = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'

export const api = operationsOf(dialect, {
  at,
  params: {
    moduleId: Type.String({ pattern: uuid, description: 'the id of a module, as its endpoint shows it' }),
    keyName: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: '1 to 64 letters, digits, _ and -' }),
  },
})

/** Maximum size of data to sign or encrypt; for larger data, send the digest. */
export const maxDataBytes = 65_536

/** Bytes in base64, in either alphabet. */
export const bytes = (maxBytes: number, description: string) =>
  Type.String({ pattern: '^[A-Za-z0-9+/_-]*={0,2}$', maxLength: Math.ceil(maxBytes / 3) * 4, description })

/** Token of the next page. */
export const page = { after: Type.Optional(Type.String({ maxLength: 2_000 })) }

export const pageOf = <T>(title: string, item: Schema<T>) =>
  named(title, { value: Type.Array(item), nextLink: Type.Optional(Type.String()) })
