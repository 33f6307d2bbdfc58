import { Failure, type Semaphore, semaphore } from '@icosa/kernel'
import type { Connection } from './connection.ts'
import { silent } from './failures.ts'
import type { Message, PublishOptions } from './message.ts'

/** One shared connection per broker, opened by the first message. */
export interface Brokers extends AsyncDisposable {
  /** Resolves when the broker has confirmed the message; rejects with a `Failure`. */
  publish(address: string, message: Message, options: PublishOptions): Promise<void>
}

/** Per broker: at most as many arrive twice after an outage. */
const maxUnconfirmed = 1_000

interface Entry {
  readonly connection: Promise<Connection>
  readonly pass: Semaphore
  isOpen: boolean
}

export function openBrokers(): Brokers {
  const connections = new Map<string, Entry>()
  let isClosed = false

  /** A lost connection is reopened by the next message. */
  function entryFor(address: string, url: URL): Entry {
    const existing = connections.get(address)
    if (existing) return existing
    const connection = open(url)
    const entry: Entry = { connection, pass: semaphore(maxUnconfirmed), isOpen: false }
    const forget = () => void (connections.get(address) === entry && connections.delete(address))
    const opened = ({ closed }: Connection) => {
      entry.isOpen = true
      return closed
    }
    connection.then(opened).then(forget, forget)
    connections.set(address, entry)
    return entry
  }

  return {
    async publish(address, message, { signal, timeoutMs }) {
      if (isClosed) throw new Failure('unavailable', 'The server is shutting down: try again in a moment.')
      const url = new URL(address)
      const ending = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      const { connection, pass } = entryFor(address, url)
      const work = pass(async () => {
        const open = await connection
        if (!ending.aborted) await open.publish(message, ending)
      })
      return unlessAborted(work, ending, () => silent(url))
    },

    async [Symbol.asyncDispose]() {
      isClosed = true
      const closing = [...connections.values()].map(async ({ connection, isOpen }) => {
        const closed = connection.then((open) => open.close()).catch(() => {})
        if (isOpen) await closed // connections still being opened are not awaited
      })
      await Promise.all(closing)
    },
  }
}

/** Clients are loaded on first use: most nodes never need one. */
async function open(url: URL): Promise<Connection> {
  const isAmqp = url.protocol.startsWith('amqp')
  const client = isAmqp ? await import('./amqp/connection.ts') : await import('./nats/connection.ts')
  return client.connectTo(url)
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal, failure: () => Failure): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(failure())
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  })
}
