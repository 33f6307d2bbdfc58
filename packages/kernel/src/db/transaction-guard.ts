import { AsyncLocalStorage } from 'node:async_hooks'
import childProcess, { ChildProcess } from 'node:child_process'
import dgram from 'node:dgram'
import { subscribe } from 'node:diagnostics_channel'
import dns from 'node:dns'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { Socket } from 'node:net'
import type { Db } from './db.ts'

interface Open {
  over: boolean
  /** The first thing that was done outside the database, and where. */
  violation?: Error
}

const current = new AsyncLocalStorage<Open | undefined>()

/** For tests: the work of a transaction fails if it does something outside the database. */
export function guardTransaction<T>(work: (db: Db) => Promise<T>): (db: Db) => Promise<T> {
  watch()
  return async (db) => {
    const open: Open = { over: false }
    const [ended] = await Promise.allSettled([current.run(open, () => work(db))])
    open.over = true
    if (open.violation) throw open.violation // also where its error was caught
    if (ended.status === 'rejected') throw ended.reason
    return ended.value
  }
}

/** For the connections of the pool itself, of which a transaction may bring about another one. */
export const unguarded = <T>(work: () => T): T => current.run(undefined, work)

let watching = false

function watch(): void {
  if (watching) return
  watching = true
  for (const functions of [fs, fs.promises, dns, dns.promises, childProcess]) guardAll(functions)
  guard(ChildProcess.prototype as unknown as Functions, 'spawn')
  guard(Socket.prototype as unknown as Functions, 'connect')
  guard(dgram.Socket.prototype as unknown as Functions, 'send')
  syncBuiltinESMExports()
  // Over a connection that is kept alive, a request needs none of these.
  for (const channel of ['undici:request:create', 'http.client.request.created'])
    subscribe(channel, () => void violation('a request'))
}

type Functions = Record<string, unknown>

function guardAll(functions: object): void {
  for (const name of Object.keys(functions)) if (/^[a-z]/.test(name)) guard(functions as Functions, name)
}

function guard(functions: Functions, name: string): void {
  const original = functions[name]
  if (typeof original !== 'function') return
  function guarded(this: unknown, ...args: unknown[]): unknown {
    const done = violation(name)
    if (done) throw done
    return Reflect.apply(original as () => unknown, this, args)
  }
  functions[name] = Object.defineProperties(guarded, Object.getOwnPropertyDescriptors(original))
}

function violation(name: string): Error | undefined {
  const open = current.getStore()
  if (!open || open.over) return undefined
  open.violation ??= new Error(
    `\`${name}\` while a transaction is open, which holds a connection that others wait for: ` +
      'do this before it (`before` in handlers.ts), or in a job.',
  )
  return open.violation
}
