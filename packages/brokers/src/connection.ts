import type { Message } from './message.ts'

/** An open connection to a broker. */
export interface Connection {
  /** Resolves when the broker has confirmed the message. What was given up by its sender may still be confirmed. */
  publish(message: Message, signal: AbortSignal): Promise<void>
  /** Resolves when the connection is gone, whoever ended it. */
  readonly closed: Promise<unknown>
  close(): Promise<void>
}

/** How long a broker may take to let us in. */
export const connectMs = 10_000

/** How long a broker may say nothing before it is asked whether it is still there; dead after two such times. */
export const heartbeatSeconds = 10
