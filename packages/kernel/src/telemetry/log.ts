import type { Logger } from 'pino'

export type { Logger } from 'pino'

export interface Log extends Logger {
  /** One line per request. Bypasses the logger: formatting by hand costs a quarter. */
  request(line: RequestLine): void
  /** Calls the listener with every error that is logged, in the asynchronous context of the caller. */
  onError(listener: (error: unknown) => void): void
}

export interface RequestLine {
  readonly id: string
  readonly operation: string
  readonly tenant: string | undefined
  readonly status: number
  readonly durationMs: number
  readonly traceId: string
}
