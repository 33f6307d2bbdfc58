import { Worker } from 'node:worker_threads'
import { Failure } from '@icosa/kernel'
import type { MediaTarget } from '../sip/sdp.ts'
import type { Audio } from '../speech/audio.ts'
import type { PortRange } from './media.ts'
import type { Order, Report, ThreadData } from './thread-messages.ts'

/** Audio of one call. */
export interface Channel extends Disposable {
  readonly port: number
  /** Sends a packet every 20 ms. Resolves after the last, or when aborted. */
  play(target: MediaTarget, audio: Audio, signal: AbortSignal): Promise<void>
}

export interface Channels extends AsyncDisposable {
  /** Opens a channel on a local address. */
  open(address: string): Promise<Channel>
}

/** Channels that share a thread, which is started with the first. */
export function channels(ports: PortRange): Channels {
  const pending = new Map<number, (report: Report) => void>()
  let thread: Worker | undefined
  let calls = 0

  function start(): Worker {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData: { ports } satisfies ThreadData })
    worker.unref() // does not keep the node alive
    worker.on('message', (report: Report) => pending.get(report.call)?.(report))
    worker.on('error', () => {}) // `exit` follows
    worker.on('exit', () => {
      thread = undefined
      for (const [call, settle] of pending) settle({ call, kind: 'failed', reason: 'The audio thread has ended.' })
    })
    return worker
  }

  /** Sends an order, and waits for its report. */
  function send(worker: Worker, order: Order): Promise<Report> {
    return new Promise((resolve, reject) => {
      pending.set(order.call, (report) => {
        pending.delete(order.call)
        if (report.kind === 'failed') reject(new Failure('unavailable', report.reason))
        else resolve(report)
      })
      worker.postMessage(order)
    })
  }

  async function open(address: string): Promise<Channel> {
    thread ??= start()
    const worker = thread
    const call = ++calls
    const report = await send(worker, { call, kind: 'open', address })
    return {
      port: report.kind === 'opened' ? report.port : 0,
      async play(target, audio, signal) {
        const stop = () => worker.postMessage({ call, kind: 'stop' } satisfies Order)
        signal.addEventListener('abort', stop, { once: true })
        if (signal.aborted) stop()
        await send(worker, { call, kind: 'play', target, audio }).finally(() =>
          signal.removeEventListener('abort', stop),
        )
      },
      [Symbol.dispose]: () => worker.postMessage({ call, kind: 'close' } satisfies Order),
    }
  }

  return { open, [Symbol.asyncDispose]: async () => void (await thread?.terminate()) }
}
