import { Worker } from 'node:worker_threads'
import { Failure } from '@icosa/kernel'
import type { MediaTarget } from '../sip/sdp.ts'
import type { Audio } from '../speech/audio.ts'
import type { PortRange } from './media.ts'
import type { Order, Report, ThreadData } from './thread-messages.ts'

/** The way of sound into one call. */
export interface Channel extends Disposable {
  readonly port: number
  /** Speaks, a packet every 20 ms. Resolves after the last one, or when it is stopped. */
  play(target: MediaTarget, audio: Audio, signal: AbortSignal): Promise<void>
}

type Hear = (report: Report) => void

export interface Channels extends AsyncDisposable {
  /** At one of our addresses. */
  open(address: string): Promise<Channel>
}

/** Opens channels, all of them in one thread, which is started with the first. */
export function channels(ports: PortRange): Channels {
  const waiting = new Map<number, Hear>()
  let thread: Worker | undefined
  let calls = 0

  function start(): Worker {
    const started = new Worker(new URL('./thread.ts', import.meta.url), { workerData: { ports } satisfies ThreadData })
    started.unref() // a node that has nothing else to do may end
    started.on('message', (report: Report) => waiting.get(report.call)?.(report))
    started.on('error', () => {}) // `exit` follows
    started.on('exit', () => {
      thread = undefined
      for (const [call, hear] of waiting) hear({ call, kind: 'failed', reason: 'The audio thread has ended.' })
    })
    return started
  }

  /** Gives an order, and waits for the answer. */
  function ask(worker: Worker, order: Order): Promise<Report> {
    return new Promise((resolve, reject) => {
      waiting.set(order.call, (report) => {
        waiting.delete(order.call)
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
    const opened = await ask(worker, { call, kind: 'open', address })
    return {
      port: opened.kind === 'opened' ? opened.port : 0,
      async play(target, audio, signal) {
        const stop = () => worker.postMessage({ call, kind: 'stop' } satisfies Order)
        signal.addEventListener('abort', stop, { once: true })
        if (signal.aborted) stop()
        await ask(worker, { call, kind: 'play', target, audio }).finally(() =>
          signal.removeEventListener('abort', stop),
        )
      },
      [Symbol.dispose]: () => worker.postMessage({ call, kind: 'close' } satisfies Order),
    }
  }

  return { open, [Symbol.asyncDispose]: async () => void (await thread?.terminate()) }
}
