import { Failure, type Semaphore, semaphore } from '@icosa/kernel'
import type { Connection } from './connection.ts'
import { silent } from './failures.ts'
import type { Message, PublishOptions } from './message.ts'

/** Brokers that were published to: a connection to each, opened by the first message and shared by all. */
export interface Brokers extends AsyncDisposable {
  /** Resolves when the broker has confirmed the message; rejects with a `Failure` in words. */
  publish(address: string, message: Message, options: PublishOptions): Promise<void>
}

/** How many messages a broker may owe us a confirmation for: so many, at most, arrive twice when it goes away. */
const unconfirmedLimit = 1_000

interface Kept {
  readonly connection: Promise<Connection>
  readonly pass: Semaphore
  isOpen: boolean
}

export function openBrokers(): Brokers {
  const kept = new Map<string, Kept>()
  let isClosed = false

  /** A connection that is lost is forgotten, and opened again by the next message. */
  function keptTo(address: string, url: URL): Kept {
    const known = kept.get(address)
    if (known) return known
    const connection = open(url)
    const one: Kept = { connection, pass: semaphore(unconfirmedLimit), isOpen: false }
    const forget = () => void (kept.get(address) === one && kept.delete(address))
    const opened = ({ closed }: Connection) => {
      one.isOpen = true
      return closed
    }
    connection.then(opened).then(forget, forget)
    kept.set(address, one)
    return one
  }

  return {
    async publish(address, message, { signal, timeoutMs }) {
      if (isClosed) throw new Failure('unavailable', 'The server is shutting down: try again in a moment.')
      const url = new URL(address)
      const ending = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      const { connection, pass } = keptTo(address, url)
      const work = pass(async () => {
        const open = await connection
        if (!ending.aborted) await open.publish(message, ending)
      })
      return unlessAborted(work, ending, () => silent(url))
    },

    async [Symbol.asyncDispose]() {
      isClosed = true
      const closing = [...kept.values()].map(async ({ connection, isOpen }) => {
        const closed = connection.then((one) => one.close()).catch(() => {})
        if (isOpen) await closed // for who has not let us in yet, nobody waits
      })
      await Promise.all(closing)
    },
  }
}

/** Clients are loaded by the first message: most nodes never send one. */
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
