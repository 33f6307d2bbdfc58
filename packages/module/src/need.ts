import { once } from 'node:events'
import { connect } from 'node:net'
import type { Facts } from './module.ts'

/** Installation command by platform. */
export interface Install {
  readonly debian: string
  readonly macos: string
  /** Defaults to Debian's, in the Windows Subsystem for Linux. */
  readonly windows?: string
  readonly other: string
}

export interface Finding {
  readonly isThere: boolean
  /** Location and version; or the problem. */
  readonly detail: string
}

export const found = (detail: string): Finding => ({ isThere: true, detail })
export const missing = (detail: string): Finding => ({ isThere: false, detail })

/** Prerequisite of a service on the machine or in its surroundings. */
export interface Need<S = unknown> {
  readonly name: string
  /** Its use for the service: "speaks the messages". */
  readonly purpose: string
  /** Whether the service works without it, with reduced functionality. */
  readonly isOptional?: boolean
  /** Installation commands, or advice on what to set. */
  readonly remedy: Install | string
  check(settings: S, facts: Facts): Promise<Finding>
}

const minVersion = 15

/** Checks that a recent enough PostgreSQL answers. */
export async function postgresAt(url: string): Promise<Finding> {
  const { openDatabase, sql } = await import('@icosa/kernel')
  const at = URL.parse(url)?.host ?? 'the address'
  const database = openDatabase({ url, maxConnections: 1, onError: () => {} })
  try {
    const { server_version: version } = await database.one<{ server_version: string }>(sql`show server_version`)
    const finding = Number.parseInt(version, 10) >= minVersion ? found : missing
    return finding(`PostgreSQL ${version} at ${at}`)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return missing(`${at} refused the connection: ${message || code}`)
  } finally {
    await database.close()
  }
}

/** Checks that a TCP port accepts connections. */
export async function reachable(host: string, port: number): Promise<Finding> {
  const at = `${host}:${port}`
  const socket = connect({ host: host.replace(/^\[(.*)\]$/, '$1'), port })
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(3_000) })
    return found(at)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return missing(`${at} does not answer${code && code !== 'ABORT_ERR' ? ` (${code})` : ''}`)
  } finally {
    socket.destroy()
  }
}
