import { type DialectServer, type Kind, systemClock } from '@icosa/kernel'
import { signedService } from './authorization.ts'
import type { Signed } from './contract.ts'
import { verifier } from './verify.ts'

/** The name of an exception and its status. */
export type Exception = readonly [name: string, status: number]

export interface Exceptions {
  /** What is not named here has its customary name. */
  readonly kinds?: Partial<Readonly<Record<Kind, Exception>>>
  /** The statuses of exceptions that a failure names by its `code`; that of its kind, if it is not here. */
  readonly codes?: Readonly<Record<string, number>>
}

export interface SignedOptions {
  readonly region: string
  /** The names by which clients know the service when they sign: the first one is shown to people. */
  readonly signingNames: readonly [string, ...string[]]
  readonly exceptions?: Exceptions
}

export function signedServer({ shape }: Signed, options: SignedOptions): DialectServer {
  const { region, signingNames, exceptions = {} } = options
  const kinds = { ...customary, ...exceptions.kinds }
  const statuses: Readonly<Record<string, number>> = { ...frontDoor, ...exceptions.codes }
  // Clients have real clocks, and sign by them: requests are checked against real time, however the platform's is moved.
  const verify = verifier({ region, signingNames, clock: systemClock })

  return {
    authentication: { kind: 'signature', region, service: signingNames[0] },
    authenticate: verify,
    locate: (incoming) => (signingNames.includes(signedService(incoming) ?? '') ? incoming.target : undefined),

    reply({ status, body, headers, next }, _, { id }) {
      const shown = next === undefined ? body : { ...(body as object), [shape.token]: next }
      return { status, body: shown, headers: { 'x-amzn-requestid': id, ...headers } }
    },

    failure({ kind, code, message, members }, { id }) {
      const [name, status] = kinds[kind]
      const shown = code ?? name
      return {
        status: code === undefined ? status : (statuses[code] ?? status),
        headers: { 'x-amzn-requestid': id, 'x-amzn-errortype': shown },
        body: { [shape.name]: shown, [shape.message]: message, ...members },
      }
    },
  }
}

const customary: Readonly<Record<Kind, Exception>> = {
  invalid: ['ValidationException', 400],
  unauthenticated: ['MissingAuthenticationTokenException', 403],
  forbidden: ['AccessDeniedException', 403],
  notFound: ['ResourceNotFoundException', 404],
  wrongMethod: ['MethodNotAllowedException', 405],
  alreadyExists: ['AlreadyExistsException', 409],
  conflict: ['ConflictException', 409],
  preconditionFailed: ['PreconditionFailedException', 412],
  tooLarge: ['RequestEntityTooLargeException', 413],
  lengthRequired: ['LengthRequiredException', 411],
  unsupportedMediaType: ['UnsupportedMediaTypeException', 415],
  rateLimited: ['ThrottlingException', 429],
  notImplemented: ['NotImplementedException', 501],
  unavailable: ['ServiceUnavailableException', 503],
  internal: ['InternalFailureException', 500],
}

/** Exceptions of the signature itself, which every service of this family knows by these names. */
const frontDoor = {
  IncompleteSignatureException: 400,
  InvalidSignatureException: 403,
  UnrecognizedClientException: 403,
  ExpiredTokenException: 403,
}
