import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { HeardPacket } from './listener.ts'

export type HeardHeader = Omit<HeardPacket, 'payload'>

/** A listener in a process of its own. */
export async function startListenerProcess() {
  const child = fork(new URL('./listener-process.ts', import.meta.url))
  const [port] = (await once(child, 'message')) as [number]
  return {
    port,
    async heard(): Promise<HeardHeader[]> {
      const answer = once(child, 'message')
      child.send('what did you hear?')
      return (await answer)[0]
    },
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  }
}
