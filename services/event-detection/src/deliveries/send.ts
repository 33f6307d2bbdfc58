import { isBroker, publish, subjectPart } from '@icosa/brokers'
import { Failure, type GuardedFetch } from '@icosa/kernel'
import { isJson } from '../shapes/json.ts'
import type { Delivery } from './delivery.ts'
import type { Destination } from './target.ts'

export interface Sending {
  readonly fetch: GuardedFetch
  readonly signal: AbortSignal
}

const timeoutMs = 10_000

/** Sends a delivery to its address; throws a Failure that says in words why it could not. The one file that knows how. */
export async function send(delivery: Delivery, { kind, name, address }: Destination, sending: Sending): Promise<void> {
  if (address === undefined)
    throw new Failure('invalid', `Nothing is configured for '${kind}:${name}': give it an address in the settings.`)
  if (isBroker(address)) await sendToBroker(delivery, kind, name, address, sending.signal)
  else await post(delivery, address, sending)
}

const headersOf = ({ id, action, eventName, of, target, at }: Delivery) => ({
  'Icosa-Delivery-Id': id,
  'Icosa-Tenant': encodeURIComponent(of.tenant),
  'Icosa-Action': action,
  'Icosa-Event-Name': encodeURIComponent(eventName),
  'Icosa-Event-Time': new Date(at).toISOString(),
  'Icosa-Target': encodeURIComponent(JSON.stringify(target)),
})

/** As `events.{tenant}.{kind}.{name}`, so that two tenants never share a subject; a `/` in a topic becomes a `.`. */
async function sendToBroker(delivery: Delivery, kind: string, name: string, broker: string, signal: AbortSignal) {
  const subject = ['events', delivery.of.tenant, kind, ...name.split('/')].map(subjectPart).join('.')
  const message = {
    kind: kind === 'sqs' || kind === 'firehose' ? ('queue' as const) : ('topic' as const),
    subject,
    id: delivery.id,
    headers: headersOf(delivery),
    payload: delivery.payload,
  }
  await publish(broker, message, { signal, timeoutMs })
}

async function post(delivery: Delivery, url: string, { fetch, signal }: Sending): Promise<void> {
  const { status } = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': isJson(delivery.payload) ? 'application/json' : 'text/plain', ...headersOf(delivery) },
    body: delivery.payload,
    signal,
    timeoutMs,
  })
  if (status < 200 || status >= 300)
    throw new Failure('unavailable', `${new URL(url).host} answered HTTP ${status}, not a success.`)
}
