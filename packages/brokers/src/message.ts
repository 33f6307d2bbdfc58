/** A message for a broker, whichever it speaks to. */
export interface Message {
  readonly kind: 'queue' | 'topic'
  /** Where it goes: a subject of NATS, a queue or an exchange of AMQP. */
  readonly subject: string
  /** The same for every attempt to send it. */
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload: string
}

export interface PublishOptions {
  readonly signal: AbortSignal
  /** For all of it: to connect, to wait for one's turn, and for the broker's confirmation. */
  readonly timeoutMs: number
}
