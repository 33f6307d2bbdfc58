import { once } from 'node:events'
import { connect } from 'node:net'
import { type Finding, found, missing } from './need.ts'

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
