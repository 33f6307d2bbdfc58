import { subjectPart } from '@icosa/brokers'
import type { SchedulerSettings } from '../settings.ts'
import type { BusMessage, MessageAction } from './action.ts'
import { type Execution, executionHeaders } from './execution.ts'
import type { Outgoing } from './outgoing.ts'

const timeoutMs = 10_000

/** Subjects are `scheduler.{tenant}.queues.{account or namespace}.{queue}`, or `topics`. */
export function brokerMessage(action: MessageAction, execution: Execution, settings: SchedulerSettings): Outgoing {
  const { names, message: payload, bus } = partsOf(action)
  const isTopic = action.type === 'ServiceBusTopic'
  return {
    target: {
      broker: isTopic ? settings.topic : settings.queue,
      kind: isTopic ? 'topic' : 'queue',
      subject: ['scheduler', subjectPart(execution.tenant), ...names.map((name) => name.replaceAll('/', '.'))].join(
        '.',
      ),
    },
    message: {
      id: execution.id,
      headers: {
        ...bus?.customMessageProperties,
        ...(bus?.brokeredMessageProperties && { BrokerProperties: ascii(bus.brokeredMessageProperties) }),
        ...executionHeaders(execution),
      },
      payload,
    },
    timeoutMs,
  }
}

interface Parts {
  readonly names: readonly string[]
  readonly message: string
  readonly bus?: BusMessage
}

function partsOf(action: MessageAction): Parts {
  switch (action.type) {
    case 'StorageQueue': {
      const { storageAccount, queueName, message } = action.queueMessage
      return { names: ['queues', storageAccount, queueName], message }
    }
    case 'ServiceBusQueue': {
      const { serviceBusQueueMessage: bus } = action
      return { names: ['queues', bus.namespace, bus.queueName], message: bus.message, bus }
    }
    case 'ServiceBusTopic': {
      const { serviceBusTopicMessage: bus } = action
      return { names: ['topics', bus.namespace, bus.topicPath], message: bus.message, bus }
    }
  }
}

/** JSON in one line of ASCII, for headers. */
const ascii = (value: object) =>
  JSON.stringify(value).replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
