import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { ReceivedPacket } from './listener.ts'

export type PacketHeader = Omit<ReceivedPacket, 'payload'>

/** Starts a listener in its own process. */
export async function startListenerProcess() {
  const child = fork(new URL('./listener-process.ts', import.meta.url))
  const [port] = (await once(child, 'message')) as [number]
  return {
    port,
    async packets(): Promise<PacketHeader[]> {
      const answer = once(child, 'message')
      child.send('packets')
      return (await answer)[0]
    },
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  }
}
