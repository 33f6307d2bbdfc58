import type { OutboundRequest } from '@icosa/kernel'

/** An HTTP endpoint that receives messages. */
export interface HttpTarget extends Pick<OutboundRequest, 'method' | 'clientCertificate'> {
  readonly url: string
  /** Shared secret as `whsec_` and base64, with which receivers verify signatures. */
  readonly secret?: string
}

/** A queue or topic of a broker. */
export interface BrokerTarget {
  /** `nats://user:password@host:4222` or `amqps://user:password@host/vhost`, for example. */
  readonly broker: string
  readonly kind: 'queue' | 'topic'
  readonly subject: string
}

export type Target = HttpTarget | BrokerTarget

export interface Message {
  /** Idempotency key: the same for every attempt, so that receivers can deduplicate. */
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload?: string | undefined
}
