import { brokerAddress } from '@icosa/brokers/operator'
import { group, setting, type ValuesOf } from '@icosa/settings'

/** What an operator decides about the scheduler. */
export const settings = group({
  queue: setting('ICOSA_QUEUE_URL', brokerAddress, {
    default: 'nats://127.0.0.1:4222',
    secret: true,
    meaning: 'The broker to which StorageQueue and ServiceBusQueue actions send their messages.',
  }),
  topic: setting('ICOSA_TOPIC_URL', brokerAddress, {
    default: 'nats://127.0.0.1:4222',
    secret: true,
    meaning: 'The broker to which ServiceBusTopic actions send their messages.',
  }),
})

export type SchedulerSettings = ValuesOf<typeof settings>

export const defaultSettings: SchedulerSettings = settings.read({})
