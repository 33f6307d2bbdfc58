import { createHash } from 'node:crypto'
import { attempted, type Message, type Outcome } from '@icosa/delivery'
import type { JobContext } from '@icosa/kernel'
import type { ResolvedDestination } from '../event-destinations/resolve.ts'
import { streamHeaders } from '../names.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { appendLines } from './append.ts'
import type { Waiting } from './delivery-store.ts'

const timeoutMs = 30_000

/** How many events a destination has taken, and what came of the last attempt. */
export interface Sent {
  readonly delivered: number
  readonly outcome: Outcome
}

/** Sends events to a destination in their order: one by one to a topic, to others together. */
export async function sendEvents(
  resolve: () => ResolvedDestination,
  arn: string,
  waiting: readonly Waiting[],
  context: JobContext<ServiceRuntime>,
): Promise<Sent> {
  let delivered = 0
  const outcome = await attempted(context, async () => {
    const destination = resolve()
    const size = destination.kind === 'topic' ? 1 : waiting.length
    for (;;) {
      const batch = waiting.slice(delivered, delivered + size)
      const last = await sendBatch(destination, arn, batch, context)
      if (last.result !== 'delivered') return last
      delivered += batch.length
      if (delivered === waiting.length) return last
    }
  })
  return { delivered, outcome }
}

async function sendBatch(
  destination: ResolvedDestination,
  arn: string,
  batch: readonly Waiting[],
  { runtime, signal, clock }: JobContext<ServiceRuntime>,
): Promise<Outcome> {
  const payloads = batch.map(({ body }) => JSON.stringify(body))
  switch (destination.kind) {
    case 'log':
      await appendLines(destination, payloads)
      return { result: 'delivered', message: 'The log has the lines.' }
    case 'stream':
      return runtime.send(destination, streamBatch(arn, batch, payloads, clock.now()), { signal, timeoutMs })
    case 'topic': {
      const message = { id: batch[0]?.id ?? '', headers: {}, payload: payloads[0] }
      return runtime.send(destination, message, { signal, timeoutMs })
    }
  }
}

/** In the form that HTTP endpoints of such streams expect. */
function streamBatch(arn: string, batch: readonly Waiting[], payloads: readonly string[], now: Date): Message {
  const ids = batch.map(({ id }) => id).join()
  const requestId = createHash('sha256').update(ids).digest('hex').slice(0, 32) // the same as long as the batch is
  const records = payloads.map((payload) => ({ data: Buffer.from(payload).toString('base64') }))
  return {
    id: requestId,
    headers: {
      'content-type': 'application/json',
      [streamHeaders.version]: '1.0',
      [streamHeaders.requestId]: requestId,
      [streamHeaders.source]: encodeURI(arn),
    },
    payload: JSON.stringify({ requestId, timestamp: now.getTime(), records }),
  }
}
