import { Socket } from 'node:net'
import { UsageError } from '@icosa/module'
import type { Client } from 'pg'
import { addressOf, type Cluster, codeOf, type Lock } from './postgres-cluster.ts'

/** The part that one process has in a running server. */
export interface Share {
  /** True: nobody else has a part, and nobody gets one any more. So the caller is to end the server. */
  leave(): Promise<boolean>
}

/** Any number will do: these locks are of the database `postgres`, where nobody else has any. */
const share = 1
const patienceMs = 5_000
const wrongPassword = '28P01'

/**
 * Whoever uses the server holds one lock in it, shared. Who gets it alone is the last. PostgreSQL drops the lock with
 * the connection, so that a process which was killed has no part any more. Undefined: the server takes nobody now.
 */
export async function takeShare(cluster: Cluster, lock: Lock): Promise<Share | undefined> {
  const socket = new Socket()
  const client = await connect(cluster, lock, socket)
  if (!client) return undefined
  const ask = async (call: string): Promise<boolean> => {
    const { rows } = await client.query<{ yes: boolean }>(`select ${call}(${share}) as yes`)
    return rows[0]?.yes === true
  }
  if (!(await ask('pg_try_advisory_lock_shared').catch(() => false))) {
    await client.end().catch(() => {})
    return undefined
  }
  // A process that has nothing else to do may exit.
  socket.unref()
  return {
    leave: async () => {
      socket.ref()
      try {
        await ask('pg_advisory_unlock_shared')
        const last = await ask('pg_try_advisory_lock')
        if (!last) await client.end()
        return last
      } catch {
        // The connection broke: either the server is gone, or it is not fit to go on.
        return true
      }
    },
  }
}

/** Whether the server accepts connections. */
export async function answers(cluster: Cluster, lock: Lock): Promise<boolean> {
  const client = await connect(cluster, lock, new Socket())
  await client?.end()
  return client !== undefined
}

async function connect(cluster: Cluster, lock: Lock, socket: Socket): Promise<Client | undefined> {
  const { default: pg } = await import('pg') // takes its time, and nobody connects before the server has been started
  const url = new URL(await addressOf(cluster, lock))
  url.pathname = '/postgres'
  const client = new pg.Client({
    connectionString: url.href,
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
    stream: () => socket,
  })
  // The end of the server also ends this connection, which would be an uncaught error.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (cause) {
    await client.end().catch(() => {})
    if (codeOf(cause) !== wrongPassword) return undefined
    const advice = `End the process ${lock.pid} if it still runs, and remove ${cluster.folder}, or set DATABASE_URL.`
    const message = `The server does not take the password in ${cluster.passwordFile}. ${advice}`
    throw new UsageError(message, { cause })
  }
}
