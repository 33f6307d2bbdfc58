import { type DialectServer, Failure, type Incoming, type Kind, type Outgoing } from '@icosa/kernel'

/** How a failure has to be made for a dialect to show it under a name. */
export interface Named {
  readonly kind: Kind
  /** Where the name is not that of the kind itself. */
  readonly code?: string
}

/** Where kinds share a name or a status, the one that callers are to try again comes first. */
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

/** Every name and status by which a dialect knows failures: it is asked to write one of each kind, and they are read. */
export function codesOf(dialect: DialectServer): ReadonlyMap<string, Named> {
  const known = new Map<string, Named>()
  for (const kind of kinds) {
    const outgoing = dialect.failure(new Failure(kind, message), incoming)
    for (const name of [...namesIn(outgoing.body), String(outgoing.status)])
      if (!known.has(name)) known.set(name, { kind })
  }
  return known
}

/** One that a service has beside those of the kinds: the dialect knows its status, whatever kind is said. */
export function ownCode(dialect: DialectServer, code: string): Named | undefined {
  const statusAs = (kind: Kind, shown: string): number => write(dialect, kind, shown).status
  const isOwn =
    statusAs('invalid', code) === statusAs('internal', code) &&
    statusAs('invalid', unheardOf) !== statusAs('internal', unheardOf)
  return isOwn && namesIn(write(dialect, 'invalid', code).body).includes(code) ? { kind: 'invalid', code } : undefined
}

const unheardOf = 'NobodyKnowsThis'
const write = (dialect: DialectServer, kind: Kind, code: string): Outgoing =>
  dialect.failure(new Failure(kind, message, { code }), incoming)

/** Words, and the last part of addresses; sentences are for people. */
function namesIn(body: unknown): string[] {
  if (typeof body === 'string') return /^[\w.:/-]+$/.test(body) ? [body.split('/').at(-1) ?? body] : []
  if (typeof body !== 'object' || body === null) return []
  return Object.values(body).flatMap(namesIn)
}
