import { client } from '@icosa/client'
import { messages } from '@icosa/event-detection/contract'
import { credentialsFor } from '@icosa/testing'
import type { message } from '../../services/event-detection/src/testing/app.ts'
import type { Cell } from '../../services/event-detection/src/testing/load.ts'

/** Messages per second by signed requests, 16 at once. Client and server share the process. */
export async function overHttp({ app, service }: Cell, bodies: readonly (readonly ReturnType<typeof message>[])[]) {
  const calls = client(messages, await credentialsFor(app, service, 'acme'))
  let next = 0
  let sent = 0
  const began = performance.now()
  const sender = async () => {
    for (let body = bodies[next++]; body; body = bodies[next++]) {
      await calls.BatchPutMessage({ body: { messages: [...body] } })
      sent += body.length
    }
  }
  await Promise.all(Array.from({ length: 16 }, sender))
  return (sent * 1000) / (performance.now() - began)
}
