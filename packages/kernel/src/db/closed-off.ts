import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import type { Db } from './db.ts'

interface Open {
  over: boolean
  /** The first thing that was done outside the database, and where. */
  deed?: Error
}

/** What Node calls the beginnings of such things. */
const deeds: Readonly<Record<string, string>> = {
  PROCESSWRAP: 'a process was started',
  TCPCONNECTWRAP: 'a connection was opened',
  PIPECONNECTWRAP: 'a connection was opened',
  GETADDRINFOREQWRAP: 'a name was looked up',
  QUERYWRAP: 'a name was looked up',
  UDPSENDWRAP: 'a datagram was sent',
  FSREQCALLBACK: 'a file was used',
  FSREQPROMISE: 'a file was used',
}

const current = new AsyncLocalStorage<Open>()
let watching = false

function note(deed: string): void {
  const open = current.getStore()
  if (open && !open.over)
    open.deed ??= new Error(
      `While a transaction was open, ${deed}. It holds a connection that others wait for: do this before the ` +
        'transaction (`before` in handlers.ts), or in a job.',
    )
}

function watch(): void {
  if (watching) return
  watching = true
  createHook({ init: (_, type) => void (deeds[type] && note(deeds[type])), trackPromises: false }).enable()
  // A connection that is kept alive is used again without being opened.
  for (const channel of ['undici:request:create', 'http.client.request.created'])
    subscribe(channel, () => note('a request was sent'))
}

/** Connections to the database itself, which whoever is first makes for all, count for nobody. */
export const uncounted = <T>(work: () => T): T => (watching ? current.exit(work) : work())

/** For tests: the work of a transaction fails if it does something outside the database. */
export function closedOff<T>(work: (db: Db) => Promise<T>): (db: Db) => Promise<T> {
  watch()
  return async (db) => {
    const open: Open = { over: false }
    const [ended] = await Promise.allSettled([current.run(open, () => work(db))])
    open.over = true
    if (open.deed) throw open.deed
    if (ended.status === 'rejected') throw ended.reason
    return ended.value
  }
}
