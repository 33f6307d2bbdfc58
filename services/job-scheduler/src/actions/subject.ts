import { type Message, subjectPart } from '@icosa/brokers'
import type { BusMessage, Deed } from './action.ts'
import type { Occasion } from './perform.ts'

type Messaging = Exclude<Deed, { readonly type: 'Http' | 'Https' }>

/** Where a message goes: `scheduler.{tenant}.queues.{account or namespace}.{queue}`, or `topics`. */
export function messageOf(deed: Messaging, { tenant, executionId, expectedAt }: Occasion): Message {
  const { place, message, bus } = partsOf(deed)
  return {
    kind: deed.type === 'ServiceBusTopic' ? 'topic' : 'queue',
    subject: ['scheduler', subjectPart(tenant), ...place.map((name) => name.replaceAll('/', '.'))].join('.'),
    id: executionId,
    payload: message,
    headers: {
      ...bus?.customMessageProperties,
      ...(bus?.brokeredMessageProperties && { BrokerProperties: ascii(bus.brokeredMessageProperties) }),
      'Icosa-Execution-Id': executionId,
      'Icosa-Expected-Time': expectedAt.toISOString(),
    },
  }
}

interface Parts {
  readonly place: readonly string[]
  readonly message: string
  readonly bus?: BusMessage
}

function partsOf(deed: Messaging): Parts {
  switch (deed.type) {
    case 'StorageQueue': {
      const { storageAccount, queueName, message } = deed.queueMessage
      return { place: ['queues', storageAccount, queueName], message }
    }
    case 'ServiceBusQueue': {
      const { serviceBusQueueMessage: bus } = deed
      return { place: ['queues', bus.namespace, bus.queueName], message: bus.message, bus }
    }
    case 'ServiceBusTopic': {
      const { serviceBusTopicMessage: bus } = deed
      return { place: ['topics', bus.namespace, bus.topicPath], message: bus.message, bus }
    }
  }
}

/** JSON on one line of ASCII, as headers want it. */
const ascii = (value: object) =>
  JSON.stringify(value).replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
