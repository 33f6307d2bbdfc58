import { createHash } from 'node:crypto'
import { attempted, type Message, type Outcome } from '@icosa/delivery'
import type { JobContext } from '@icosa/kernel'
import type { ResolvedDestination } from '../event-destinations/resolve.ts'
import { streamHeaders } from '../names.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { appendLines } from './append.ts'
import type { PendingEvent } from './delivery-store.ts'

const timeoutMs = 30_000

/** Number of delivered events, and the outcome of the last attempt. */
export interface SendResult {
  readonly delivered: number
  readonly outcome: Outcome
}

/** Sends events in order: one by one to a topic, to others as a batch. */
export async function sendEvents(
  resolve: () => ResolvedDestination,
  arn: string,
  events: readonly PendingEvent[],
  context: JobContext<ServiceRuntime>,
): Promise<SendResult> {
  let delivered = 0
  const outcome = await attempted(context, async () => {
    const destination = resolve()
    const size = destination.kind === 'topic' ? 1 : events.length
    for (;;) {
      const batch = events.slice(delivered, delivered + size)
      const last = await sendBatch(destination, arn, batch, context)
      if (last.result !== 'delivered') return last
      delivered += batch.length
      if (delivered === events.length) return last
    }
  })
  return { delivered, outcome }
}

async function sendBatch(
  destination: ResolvedDestination,
  arn: string,
  batch: readonly PendingEvent[],
  { runtime, signal, clock }: JobContext<ServiceRuntime>,
): Promise<Outcome> {
  const payloads = batch.map(({ body }) => JSON.stringify(body))
  switch (destination.kind) {
    case 'log':
      await appendLines(destination, payloads)
      return { result: 'delivered', message: 'The lines were written to the log.' }
    case 'stream':
      return runtime.send(destination, streamBatch(arn, batch, payloads, clock.now()), { signal, timeoutMs })
    case 'topic': {
      const message = { id: batch[0]?.id ?? '', headers: {}, payload: payloads[0] }
      return runtime.send(destination, message, { signal, timeoutMs })
    }
  }
}

/** Formats a batch as HTTP endpoints of streams expect it. */
function streamBatch(arn: string, batch: readonly PendingEvent[], payloads: readonly string[], now: Date): Message {
  const ids = batch.map(({ id }) => id).join()
  const requestId = createHash('sha256').update(ids).digest('hex').slice(0, 32) // the same for every retry of a batch
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
