import type { Transferable } from 'node:worker_threads'
import { Failure, type Kind } from '@icosa/kernel'
import { type Channel, type ChannelOptions, type Listener, openProcess, openThread } from './channel.ts'
import type { Reply } from './serve.ts'

export type WhyLost = 'deadline' | 'memory' | 'crash' | 'closed'

/** The call has no result because its worker died. The next call gets a new one. */
export class WorkerLost extends Failure {
  readonly why: WhyLost

  constructor(why: WhyLost, message: string) {
    super('unavailable', message)
    this.why = why
  }
}

export interface AskOptions {
  /** Time limit of this call; defaults to the pool's. */
  readonly deadlineMs?: number
  /** Kills the worker and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Memory to be transferred to a thread instead of copied; a process gets a copy. */
  readonly transfer?: readonly Transferable[]
}

export type Ask<Input, Output> = (input: Input, options?: AskOptions) => Promise<Output>

export interface WorkerOptions extends ChannelOptions {
  readonly as: 'threads' | 'processes'
  readonly deadlineMs: number
  /** Time limit for warming up. */
  readonly warmMs: number
}

interface Running {
  readonly channel: Channel
  readonly warm: Promise<void>
}

interface Exchange {
  readonly deadlineMs: number
  readonly signal?: AbortSignal | undefined
  readonly begin?: () => void
}

/** A thread or process, started on demand and restarted when lost. */
export class PoolWorker {
  readonly #options: WorkerOptions
  #running: Running | undefined
  /** Receiver of the next reply: one at a time. */
  #listener: Listener | undefined
  #isClosed = false
  #isWarm = false

  constructor(options: WorkerOptions) {
    this.#options = options
  }

  get isWarm(): boolean {
    return this.#isWarm
  }

  /** Resolves when it is warm. After a rejection, the next call starts it again. */
  async warm(): Promise<Channel> {
    if (this.#isClosed) throw this.#lost('closed')
    this.#running ??= this.#start()
    const { warm, channel } = this.#running
    await warm
    return channel
  }

  async ask(input: unknown, { deadlineMs = this.#options.deadlineMs, signal, transfer = [] }: AskOptions) {
    const channel = await unlessAborted(this.warm(), signal)
    return valueIn(await this.#reply(channel, { deadlineMs, signal, begin: () => channel.send(input, transfer) }))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const running = this.#running
    this.#listener?.end({ why: 'crash', message: '' })
    await running?.channel.kill()
  }

  #start(): Running {
    const open = this.#options.as === 'threads' ? openThread : openProcess
    const channel = open(this.#options, {
      reply: (reply) => this.#running?.channel === channel && this.#listener?.reply(reply),
      end: (end) => {
        if (this.#running?.channel !== channel) return
        this.#forget()
        this.#listener?.end(end)
      },
    })
    const warm = this.#warmed(channel)
    warm.catch(() => {}) // reported to its callers
    return { channel, warm }
  }

  async #warmed(channel: Channel): Promise<void> {
    try {
      valueIn(await this.#reply(channel, { deadlineMs: this.#options.warmMs }))
      this.#isWarm = true
    } catch (error) {
      this.#drop(channel)
      throw error
    }
  }

  /** Awaits the worker's next message. If it is late or aborted, the worker is killed. */
  #reply(channel: Channel, { deadlineMs, signal, begin }: Exchange): Promise<Reply> {
    channel.ref()
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
        this.#listener = undefined
        channel.unref()
        finish()
      }
      const giveUp = (reason: unknown) => {
        this.#drop(channel)
        settle(() => reject(reason))
      }
      const abort = () => giveUp(signal?.reason)
      const timer = setTimeout(() => giveUp(this.#lost('deadline', `${deadlineMs / 1000} s`)), deadlineMs)
      signal?.addEventListener('abort', abort, { once: true })
      this.#listener = {
        reply: (reply) => settle(() => resolve(reply)),
        end: ({ why, message }) => settle(() => reject(this.#lost(this.#isClosed ? 'closed' : why, message))),
      }
      try {
        begin?.()
      } catch (error) {
        settle(() => reject(error)) // sending failed, so the worker is not affected
      }
    })
  }

  #drop(channel: Channel): void {
    if (this.#running?.channel === channel) this.#forget()
    void channel.kill()
  }

  #forget(): void {
    this.#running = undefined
    this.#isWarm = false
  }

  #lost(why: WhyLost, message = ''): WorkerLost {
    const { name } = this.#options
    const messages: Record<WhyLost, string> = {
      deadline: `${name} exceeded its time limit of ${message}.`,
      memory: `${name} exceeded its memory limit.`,
      crash: `The worker of ${name} ended unexpectedly (${message}).`,
      closed: 'The node is shutting down: try again.',
    }
    return new WorkerLost(why, messages[why])
  }
}

function valueIn(reply: Reply): unknown {
  if ('value' in reply) return reply.value
  if ('ready' in reply) return undefined
  const { message, kind, stack } = reply.error
  const error = kind === undefined ? new Error(message) : new Failure(kind as Kind, message)
  if (stack !== undefined) error.stack = stack
  throw error
}

/** Aborting stops the waiting; the work continues for others. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
