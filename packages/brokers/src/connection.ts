import type { Message } from './message.ts'

export interface Connection {
  /** Resolves when the broker has confirmed the message, possibly after its sender has given up. */
  publish(message: Message, signal: AbortSignal): Promise<void>
  /** Resolves when the connection is closed by either side. */
  readonly closed: Promise<unknown>
  close(): Promise<void>
}

/** Timeout for connecting. */
export const connectMs = 10_000

/** Idle time before a broker is pinged; it is considered dead after two of these. */
export const heartbeatSeconds = 10
