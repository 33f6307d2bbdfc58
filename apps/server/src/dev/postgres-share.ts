import { Socket } from 'node:net'
import { UsageError } from '@icosa/module'
import type { Client } from 'pg'
import { addressOf, type Cluster, codeOf, type Lock } from './postgres-cluster.ts'

/** One process's share of a running server. */
export interface Share {
  /** Returns true if it was the last share, and no process can take one any more: the caller must stop the server. */
  leave(): Promise<boolean>
}

/** An arbitrary lock id: nothing else takes advisory locks in the database `postgres`. */
const share = 1
const patienceMs = 5_000
const wrongPassword = '28P01'

/**
 * Each user of the server holds a shared advisory lock; only the last one can take it exclusively. PostgreSQL releases
 * the lock with the connection, so a killed process loses its share. Returns undefined if the server refuses
 * connections.
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
  // The share does not keep the process alive.
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
        // The connection broke: the server is gone, or unusable.
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
  const { default: pg } = await import('pg') // slow to load, and not needed before the server is launched
  const url = new URL(await addressOf(cluster, lock))
  url.pathname = '/postgres'
  const client = new pg.Client({
    connectionString: url.href,
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
    stream: () => socket,
  })
  // A server shutdown breaks this connection, which would be an uncaught error.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (cause) {
    await client.end().catch(() => {})
    if (codeOf(cause) !== wrongPassword) return undefined
    const advice = `End the process ${lock.pid} if it still runs, and remove ${cluster.folder}, or set DATABASE_URL.`
    const message = `The server refuses the password in ${cluster.passwordFile}. ${advice}`
    throw new UsageError(message, { cause })
  }
}
