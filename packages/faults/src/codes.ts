import { type DialectServer, Failure, type Incoming, type Kind, type Outgoing } from '@icosa/kernel'

/** Failure that a dialect writes under a given name. */
export interface NamedFailure {
  readonly kind: Kind
  /** Set where the name is not that of the kind itself. */
  readonly code?: string
}

/** Where kinds share a name or a status, the retryable one comes first. */
const kinds: readonly Kind[] = [
  'rateLimited',
  'unavailable',
  'internal',
  'invalid',
  'unauthenticated',
  'forbidden',
  'notFound',
  'wrongMethod',
  'conflict',
  'alreadyExists',
  'preconditionFailed',
  'limitReached',
  'tooLarge',
  'lengthRequired',
  'unsupportedMediaType',
  'misdirected',
  'notImplemented',
]

const message = 'a fault'
const incoming: Incoming = {
  id: 'fault',
  method: 'GET',
  target: '/',
  url: new URL('http://localhost/'),
  ip: '127.0.0.1',
  headers: {},
  params: {},
  rawHeaders: [],
  body: undefined,
}

/** Returns all error names and statuses of a dialect, by letting it write a failure of each kind. */
export function codesOf(dialect: DialectServer): ReadonlyMap<string, NamedFailure> {
  const codes = new Map<string, NamedFailure>()
  for (const kind of kinds) {
    const outgoing = dialect.failure(new Failure(kind, message), incoming)
    for (const name of [...namesIn(outgoing.body), String(outgoing.status)])
      if (!codes.has(name)) codes.set(name, { kind })
  }
  return codes
}

/** Returns a service's own error code, whose status the dialect knows whatever the kind; undefined if it is none. */
export function ownCode(dialect: DialectServer, code: string): NamedFailure | undefined {
  const statusAs = (kind: Kind, name: string): number => write(dialect, kind, name).status
  const isOwn =
    statusAs('invalid', code) === statusAs('internal', code) &&
    statusAs('invalid', unknownCode) !== statusAs('internal', unknownCode)
  return isOwn && namesIn(write(dialect, 'invalid', code).body).includes(code) ? { kind: 'invalid', code } : undefined
}

const unknownCode = 'NoSuchCode'
const write = (dialect: DialectServer, kind: Kind, code: string): Outgoing =>
  dialect.failure(new Failure(kind, message, { code }), incoming)

/** Collects words and the last segment of URLs; sentences are messages, not names. */
function namesIn(body: unknown): string[] {
  if (typeof body === 'string') return /^[\w.:/-]+$/.test(body) ? [body.split('/').at(-1) ?? body] : []
  if (typeof body !== 'object' || body === null) return []
  return Object.values(body).flatMap(namesIn)
}
