import { Failure, fairSemaphore } from '@icosa/kernel'
import pg from 'pg'
import type { QueryResult, Statement } from './contract.ts'
import { refusalOf, runStatement } from './run.ts'

export interface Statements {
  /** Runs one statement of a tenant on a connection of its own, as the role that the connection names. */
  run(tenant: string, at: pg.ClientConfig, statement: Statement, unreachable: string): Promise<QueryResult>
}

const maxStatements = 8
const waiting = { maxWaiting: 100, waitMs: 10_000 }

const unknownDatabase = '3D000'

/** A statement whose connection was closed ends even if it sends nothing. */
const timeouts =
  '-c lock_timeout=5000 -c statement_timeout=10000 -c idle_session_timeout=20000 -c client_connection_check_interval=1000'

/** The statements of a node, shared fairly between tenants. */
export function openStatements(): Statements {
  const places = fairSemaphore(maxStatements, waiting)
  return {
    run: (tenant, at, statement, unreachable) =>
      places.run(tenant, async () => {
        const client = new pg.Client({
          application_name: 'icosa',
          connectionTimeoutMillis: 10_000,
          options: timeouts,
          ...at,
        })
        client.on('error', () => {}) // the current or the next statement fails with it
        try {
          await client.connect().catch((cause: Error) => {
            if (cause instanceof pg.DatabaseError && cause.code === unknownDatabase) throw refusalOf(cause)
            throw new Failure('unavailable', unreachable, { cause })
          })
          return await runStatement(client, statement)
        } finally {
          await client.end().catch(() => {})
        }
      }),
  }
}
