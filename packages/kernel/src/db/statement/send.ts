import pg from 'pg'
import type { FairnessKey } from '../../sharing/fair-quota.ts'
import { isPooled } from '../connection/circuit-breaker.ts'
import type { FairPool } from '../connection/fair-pool.ts'
import { ofDatabase } from '../connection/unavailable.ts'
import type { Statement } from './statement.ts'

/** Sends a statement over any free connection, or over that of a transaction. */
export type Send = (statement: Statement) => Promise<pg.QueryResult>

export function anyOf({ acquire }: FairPool, key: FairnessKey): Send {
  return (statement) =>
    new Promise((resolve, reject) => {
      acquire(key, (unconnected, client, release) => {
        if (!client) return reject(unconnected)
        submit(client, statement, (error, result) => {
          release(isBroken(error))
          if (error) reject(error)
          else resolve(result)
        })
      })
    })
}

export function oneOf(client: pg.PoolClient, onError: (error: Error) => void): Send {
  return (statement) =>
    new Promise((resolve, reject) => {
      submit(client, statement, (error, result) => {
        if (!error) return resolve(result)
        onError(error)
        reject(error)
      })
    })
}

type Done = (error: Error | null | undefined, result: pg.QueryResult) => void

/** Passes a query object: pg would copy a configuration object property by property, which costs microseconds. */
function submit(client: pg.PoolClient, { text, values, name }: Statement, done: Done): void {
  const query = new pg.Query(text, values.length > 0 ? values : undefined, (error, result) => {
    // The stack of a socket error does not lead to its statement. Values are not logged.
    done(error && ofDatabase(Object.assign(error, { statement: text })), result)
  })
  // A pooler may run it in a session that has not prepared it.
  client.query(name === undefined || isPooled(client) ? query : Object.assign(query, { name }))
}

/** An error reported by the server leaves the connection usable unless it is fatal; any other breaks it. */
const isBroken = (error: (Error & { severity?: string }) | null | undefined) =>
  error instanceof Error && (error.severity === undefined || /^(FATAL|PANIC)$/.test(error.severity))
