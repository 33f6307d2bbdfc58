import { isBroker } from '@icosa/brokers'

/** What an operator decides about the scheduler. */
export interface SchedulerSettings {
  /** The broker of StorageQueue and ServiceBusQueue actions: `nats://user:password@host:4222`, or `amqp://user:password@host:5672/vhost`. */
  readonly queue: string
  /** The broker of ServiceBusTopic actions. */
  readonly topic: string
}

export const defaultSettings: SchedulerSettings = {
  queue: 'nats://127.0.0.1:4222',
  topic: 'nats://127.0.0.1:4222',
}

/** At the start, not at the first message. */
export function checkSettings(settings: SchedulerSettings): void {
  for (const [name, address] of Object.entries(settings)) {
    if (!isBroker(address))
      throw new Error(
        `The ${name} broker of the job scheduler is '${address}': set it to such as nats://127.0.0.1:4222 or amqp://127.0.0.1:5672.`,
      )
  }
}
