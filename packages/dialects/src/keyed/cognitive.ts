import type { DialectServer, Kind } from '@icosa/kernel'
import { type KeyedOptions, keyedServer } from './server.ts'

/** Default error codes. */
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
  misdirected: 'MisdirectedRequest',
  rateLimited: 'RateLimitExceeded',
  limitReached: 'QuotaExceeded',
  notImplemented: 'NotImplemented',
  unavailable: 'ServiceUnavailable',
  internal: 'InternalServerError',
}

/** Keyed dialect with named error codes: for faces and language authoring. */
export function cognitiveServer(options: Omit<KeyedOptions, 'failure'>): DialectServer {
  return keyedServer({
    ...options,
    failure: ({ kind, code = codes[kind], message, details }) => {
      const lines = details.map(({ at, message: detail }) => `${at} ${detail}`)
      return { error: { code, message, ...(lines.length > 0 && { details: lines }) } }
    },
  })
}
