import { Failure } from '@icosa/kernel'
import {
  AuthorizationError,
  connect,
  createInbox,
  type Msg,
  type NatsConnection,
  headers as newHeaders,
  PermissionViolationError,
  type TlsOptions,
} from '@nats-io/transport-node'
import { hostnameOf } from '../address.ts'
import { type Connection, connectMs, heartbeatSeconds } from '../connection.ts'
import { checkCredentials, hungUp, refused, unreachable } from '../failures.ts'
import type { Message } from '../message.ts'
import { streamCache } from './streams.ts'

export async function connectTo(url: URL): Promise<Connection> {
  const client = await connect({
    servers: `${url.hostname}:${url.port || 4222}`,
    ...credentialsOf(url),
    ...(url.protocol === 'tls:' && { tls: tlsFor(url) }),
    timeout: connectMs,
    pingInterval: heartbeatSeconds * 1_000,
    reconnect: false, // the next message opens another connection
    ignoreClusterUpdates: true,
  }).catch((error: Error) => {
    throw error instanceof AuthorizationError ? refused(url, error.message, checkCredentials) : unreachable(url, error)
  })
  return publisher(client, url)
}

function credentialsOf({ username, password }: URL) {
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)]
  return pass ? { user, pass } : user ? { token: user } : {}
}

/** `host` is compared with certificates for IP addresses; the client handles names only. */
const tlsFor = (url: URL) => ({ host: hostnameOf(url) }) as TlsOptions

/** A pending confirmation, by the last token of its reply subject. */
interface Waiting {
  readonly subject: string
  readonly resolve: () => void
  readonly reject: (failure: Failure) => void
}

function publisher(client: NatsConnection, url: URL): Connection {
  const inbox = createInbox()
  const waiting = new Map<string, Waiting>()
  const streams = streamCache(client)
  let sent = 0
  client.subscribe(`${inbox}.*`, { callback: (_, answer) => settle(waiting.get(partOf(answer)), answer, url) })
  void refuseForbidden(client, waiting, url)
  const closed = client.closed().then(() => {
    for (const { reject } of waiting.values()) reject(hungUp(url))
  })

  async function publish(message: Message, signal: AbortSignal): Promise<void> {
    const { subject } = message
    const isStored = await streams.isStored(subject)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const id = String(++sent)
    waiting.set(id, { subject, resolve, reject })
    const giveUp = () => {
      streams.forget(subject)
      resolve() // the sender has already been notified
    }
    signal.addEventListener('abort', giveUp, { once: true })
    try {
      if (client.isClosed()) throw hungUp(url)
      write(client, message, `${inbox}.${id}`)
      // A stream confirms what it stores. Subscribers do not, so delivery by the server must suffice. It answers a PING
      // after reporting no responders or a permission violation; the client emits the latter a moment later.
      if (!isStored)
        client.flush().then(
          () => setImmediate(resolve),
          () => reject(hungUp(url)),
        )
      await promise
    } finally {
      waiting.delete(id)
      signal.removeEventListener('abort', giveUp)
    }
  }

  return { publish, closed, close: () => client.close() }
}

const partOf = ({ subject }: Msg) => subject.slice(subject.lastIndexOf('.') + 1)

function write(client: NatsConnection, { subject, id, headers, payload }: Message, reply: string): void {
  try {
    const all = newHeaders()
    for (const [name, value] of Object.entries(headers)) all.set(name, value)
    all.set('Nats-Msg-Id', id) // a stream deduplicates by it
    client.publish(subject, payload, { headers: all, reply })
  } catch (cause) {
    const { message } = cause as Error // the client throws errors only
    throw new Failure('invalid', `The message for ${subject} cannot be sent: ${message}.`, { cause })
  }
}

function settle(waiting: Waiting | undefined, answer: Msg, url: URL): void {
  if (!waiting) return
  const { error } = jsonOf(answer) as { readonly error?: { readonly description?: string } }
  if (answer.headers?.code === 503) waiting.reject(noReceiver(waiting.subject))
  else if (error) waiting.reject(refused(url, error.description ?? 'the stream did not store the message'))
  else waiting.resolve()
}

/** Subscribers may reply with anything: any reply is a confirmation. */
function jsonOf(answer: Msg): object {
  try {
    return Object(answer.json())
  } catch {
    return {}
  }
}

async function refuseForbidden(client: NatsConnection, waiting: ReadonlyMap<string, Waiting>, url: URL): Promise<void> {
  for await (const status of client.status()) {
    if (status.type !== 'error' || !(status.error instanceof PermissionViolationError)) continue
    const { subject, message } = status.error
    for (const pending of waiting.values())
      if (pending.subject === subject) pending.reject(refused(url, message, checkCredentials))
  }
}

function noReceiver(subject: string): Failure {
  return new Failure(
    'unavailable',
    `No stream or subscriber receives ${subject}: create a stream to store its messages, or subscribe to it.`,
  )
}
