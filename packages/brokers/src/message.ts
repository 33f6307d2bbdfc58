/** A message for any broker. */
export interface Message {
  readonly kind: 'queue' | 'topic'
  /** NATS subject, AMQP queue or AMQP exchange. */
  readonly subject: string
  /** Idempotency key: the same for every attempt. */
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload: string
}

export interface PublishOptions {
  readonly signal: AbortSignal
  /** For connecting, queueing and the broker's confirmation together. */
  readonly timeoutMs: number
}
