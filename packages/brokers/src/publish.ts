import { publish as publishToAmqp } from './amqp/publish.ts'
import type { Message, PublishOptions } from './message.ts'
import { publish as publishToNats } from './nats.ts'

/** Whether an address is one of a broker that we can speak to: `nats:`, `amqp:` or `amqps:`. */
export const isBroker = (address: string) => /^(nats|amqps?):$/.test(URL.parse(address)?.protocol ?? '')

/** Publishes one message and resolves when the broker has taken it. */
export function publish(broker: string, message: Message, options: PublishOptions): Promise<void> {
  return (broker.startsWith('nats:') ? publishToNats : publishToAmqp)(broker, message, options)
}
