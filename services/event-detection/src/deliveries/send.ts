import { isBroker, subjectPart } from '@icosa/brokers'
import type { Message, Outcome, Target } from '@icosa/delivery'
import type { JobContext } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import { isJson } from '../shapes/json.ts'
import type { Delivery } from './delivery.ts'
import type { Destination } from './target.ts'

const timeoutMs = 10_000

export async function sendTo(
  { kind, name, address }: Destination,
  delivery: Delivery,
  { runtime, signal }: JobContext<ServiceRuntime>,
): Promise<Outcome> {
  if (address === undefined)
    return {
      result: 'refused',
      message: `No address is configured for '${kind}:${name}': add it to the settings.`,
    }
  const target = isBroker(address) ? queueOrTopic(delivery.of.tenant, kind, name, address) : { url: address }
  return runtime.send(target, messageOf(delivery), { signal, timeoutMs })
}

function messageOf({ id, action, eventName, of, target, at, payload }: Delivery): Message {
  return {
    id,
    headers: {
      'content-type': isJson(payload) ? 'application/json' : 'text/plain',
      'Icosa-Delivery-Id': id,
      'Icosa-Tenant': encodeURIComponent(of.tenant),
      'Icosa-Action': action,
      'Icosa-Event-Name': encodeURIComponent(eventName),
      'Icosa-Event-Time': new Date(at).toISOString(),
      'Icosa-Target': encodeURIComponent(JSON.stringify(target)),
    },
    payload,
  }
}

/** Subject `events.{tenant}.{kind}.{name}`, unique per tenant; a `/` in a topic becomes a `.`. */
function queueOrTopic(tenant: string, kind: string, name: string, broker: string): Target {
  const subject = ['events', tenant, kind, ...name.split('/')].map(subjectPart).join('.')
  return { broker, kind: kind === 'sqs' || kind === 'firehose' ? 'queue' : 'topic', subject }
}
