import type { OutboundRequest } from '@icosa/kernel'

/** An address that gets a message by HTTP. */
export interface HttpTarget extends Pick<OutboundRequest, 'method' | 'clientCertificate'> {
  readonly url: string
  /** Shared with the receiver, as `whsec_` and base64: by a signature it knows that the message is ours. */
  readonly secret?: string
}

/** A queue or a topic of a broker. */
export interface BrokerTarget {
  /** Such as `nats://user:password@host:4222` or `amqps://user:password@host/vhost`. */
  readonly broker: string
  readonly kind: 'queue' | 'topic'
  readonly subject: string
}

export type Target = HttpTarget | BrokerTarget

/** What is sent. */
export interface Message {
  /** The same for every attempt to send it: by it a receiver knows a message that it has already. */
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload?: string | undefined
}
