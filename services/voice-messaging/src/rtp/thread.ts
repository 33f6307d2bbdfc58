import type { Socket } from 'node:dgram'
import { parentPort, workerData } from 'node:worker_threads'
import { beat } from './beat.ts'
import { mediaSockets } from './media.ts'
import { play } from './play.ts'
import type { Order, Report, ThreadData } from './thread-messages.ts'

/** Plays the audio of all calls of a process, in a separate thread so that packets are sent on time. */
const { ports } = workerData as ThreadData
const openSocket = mediaSockets(ports)
const shared = beat()
const calls = new Map<number, { readonly socket: Socket; readonly stop: AbortController }>()
const send = (report: Report) => parentPort?.postMessage(report)

async function execute(order: Order): Promise<void> {
  const { call } = order
  if (order.kind === 'open') {
    const socket = await openSocket(order.address)
    calls.set(call, { socket, stop: new AbortController() })
    return send({ call, kind: 'opened', port: socket.address().port })
  }
  const active = calls.get(call)
  if (!active) return
  if (order.kind !== 'play') active.stop.abort()
  if (order.kind === 'close') {
    calls.delete(call)
    active.socket.close()
  }
  if (order.kind === 'play') {
    const { target, audio } = order
    await play(shared, { socket: active.socket, target, audio, signal: active.stop.signal })
    send({ call, kind: 'played' })
  }
}

parentPort?.on('message', (order: Order) => {
  execute(order).catch((error: Error) => send({ call: order.call, kind: 'failed', reason: error.message }))
})
