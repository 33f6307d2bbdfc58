import type { Socket } from 'node:dgram'
import { parentPort, workerData } from 'node:worker_threads'
import { beat } from './beat.ts'
import { mediaSockets } from './media.ts'
import { play } from './play.ts'
import type { Order, Report, ThreadData } from './thread-messages.ts'

/** Speaks into all calls of a process. In a thread of its own: whatever else a node does, packets leave on time. */
const { ports } = workerData as ThreadData // who starts it says so
const openSocket = mediaSockets(ports)
const shared = beat()
const calls = new Map<number, { readonly socket: Socket; readonly stop: AbortController }>()
const report = (one: Report) => parentPort?.postMessage(one)

async function obey(order: Order): Promise<void> {
  const { call } = order
  if (order.kind === 'open') {
    const socket = await openSocket(order.address)
    calls.set(call, { socket, stop: new AbortController() })
    return report({ call, kind: 'opened', port: socket.address().port })
  }
  const known = calls.get(call)
  if (!known) return
  if (order.kind !== 'play') known.stop.abort()
  if (order.kind === 'close') {
    calls.delete(call)
    known.socket.close()
  }
  if (order.kind === 'play') {
    const { target, audio } = order
    await play(shared, { socket: known.socket, target, audio, signal: known.stop.signal })
    report({ call, kind: 'played' })
  }
}

parentPort?.on('message', (order: Order) => {
  obey(order).catch((error: Error) => report({ call: order.call, kind: 'failed', reason: error.message }))
})
