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
import { knownStreams } from './streams.ts'

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

/** `host` is what a certificate for an IP address is compared with; the client knows of names only. */
const tlsFor = (url: URL) => ({ host: hostnameOf(url) }) as TlsOptions

/** Who waits for an answer, by the last part of the address for it. */
interface Waiting {
  readonly subject: string
  readonly resolve: () => void
  readonly reject: (failure: Failure) => void
}

function publisher(client: NatsConnection, url: URL): Connection {
  const inbox = createInbox()
  const waiting = new Map<string, Waiting>()
  const streams = knownStreams(client)
  let sent = 0
  client.subscribe(`${inbox}.*`, { callback: (_, answer) => settle(waiting.get(partOf(answer)), answer, url) })
  void refuseForbidden(client, waiting, url)
  const closed = client.closed().then(() => {
    for (const { reject } of waiting.values()) reject(hungUp(url))
  })

  async function publish(message: Message, signal: AbortSignal): Promise<void> {
    const { subject } = message
    const isKept = await streams.isKept(subject)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const id = String(++sent)
    waiting.set(id, { subject, resolve, reject })
    const giveUp = () => {
      streams.forget(subject)
      resolve() // whoever sent it has been told already
    }
    signal.addEventListener('abort', giveUp, { once: true })
    try {
      if (client.isClosed()) throw hungUp(url)
      write(client, message, `${inbox}.${id}`)
      // A stream confirms what it keeps. Subscribers do not: there it must do that the server has handed it on. It answers
      // a PING after it has said that there is nobody, or that we may not; of the latter the client tells a moment later.
      if (!isKept)
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
    all.set('Nats-Msg-Id', id) // by which a stream knows a message that it has already
    client.publish(subject, payload, { headers: all, reply })
  } catch (cause) {
    const { message } = cause as Error // the client throws nothing else
    throw new Failure('invalid', `The message for ${subject} cannot be sent: ${message}.`, { cause })
  }
}

function settle(waiting: Waiting | undefined, answer: Msg, url: URL): void {
  if (!waiting) return
  const { error } = jsonOf(answer) as { readonly error?: { readonly description?: string } }
  if (answer.headers?.code === 503) waiting.reject(nobody(waiting.subject))
  else if (error) waiting.reject(refused(url, error.description ?? 'the stream did not keep the message'))
  else waiting.resolve()
}

/** A subscriber may answer with anything: that it answers is enough. */
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
    for (const one of waiting.values()) if (one.subject === subject) one.reject(refused(url, message, checkCredentials))
  }
}

function nobody(subject: string): Failure {
  return new Failure(
    'unavailable',
    `Nobody takes messages on ${subject}: make a stream for it, so that they are kept, or subscribe to it.`,
  )
}
