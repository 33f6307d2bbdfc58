import type { DialectServer, Kind } from '@icosa/kernel'
import { type KeyedOptions, keyedServer } from './server.ts'

/** What failures are called where the service has no name of its own for one. */
const codes: Readonly<Record<Kind, string>> = {
  invalid: 'BadArgument',
  unauthenticated: 'Unspecified',
  forbidden: 'Forbidden',
  notFound: 'NotFound',
  wrongMethod: 'MethodNotAllowed',
  alreadyExists: 'Conflict',
  conflict: 'Conflict',
  preconditionFailed: 'PreconditionFailed',
  tooLarge: 'RequestTooLarge',
  lengthRequired: 'LengthRequired',
  unsupportedMediaType: 'UnsupportedMediaType',
  rateLimited: 'RateLimitExceeded',
  limitReached: 'QuotaExceeded',
  notImplemented: 'NotImplemented',
  unavailable: 'ServiceUnavailable',
  internal: 'InternalServerError',
}

/** The keyed dialect of services whose failures have names: faces, and the authoring of language understanding. */
export function cognitiveServer(options: Omit<KeyedOptions, 'failure'>): DialectServer {
  return keyedServer({
    ...options,
    failure: ({ kind, code = codes[kind], message, details }) => {
      const lines = details.map(({ at, message: wrong }) => `${at} ${wrong}`)
      return { error: { code, message, ...(lines.length > 0 && { details: lines }) } }
    },
  })
}
