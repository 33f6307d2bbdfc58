import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

/** HAProxy's runtime API: https://docs.haproxy.org/2.6/management.html#9.3 */
export interface RuntimeSocket {
  /** Sends commands, separated by `;`, and returns the answers. Rejects if HAProxy does not run. */
  send(commands: string): Promise<string>
}

const maxMs = 5_000

export const runtimeSocket = (path: string): RuntimeSocket => ({
  send(commands) {
    const socket = connect(path)
    socket.setTimeout(maxMs, () => socket.destroy(new Error('HAProxy does not answer.')))
    socket.write(`${commands}\n`)
    return text(socket)
  },
})
