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
  /** First access outside the database, with its stack. */
  violation?: Error
}

const current = new AsyncLocalStorage<Open | undefined>()

/** For tests: fails a transaction that accesses anything outside the database. */
export function guardTransaction<T>(work: (db: Db) => Promise<T>): (db: Db) => Promise<T> {
  watch()
  return async (db) => {
    const open: Open = { over: false }
    const [ended] = await Promise.allSettled([current.run(open, () => work(db))])
    open.over = true
    if (open.violation) throw open.violation // even if its error was caught
    if (ended.status === 'rejected') throw ended.reason
    return ended.value
  }
}

/** Exempts the pool: a transaction may cause it to open a connection. */
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
  // Requests over a keep-alive connection use none of these functions.
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
    const error = violation(name)
    if (error) throw error
    return Reflect.apply(original as () => unknown, this, args)
  }
  functions[name] = Object.defineProperties(guarded, Object.getOwnPropertyDescriptors(original))
}

function violation(name: string): Error | undefined {
  const open = current.getStore()
  if (!open || open.over) return undefined
  open.violation ??= new Error(
    `\`${name}\` while a transaction is open, holding a connection that others wait for: ` +
      'do this before it (`before` in handlers.ts), or in a job.',
  )
  return open.violation
}
