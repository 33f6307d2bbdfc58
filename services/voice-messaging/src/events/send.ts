import { randomUUID } from 'node:crypto'
import { publish } from '@icosa/brokers'
import { Failure, type GuardedFetch } from '@icosa/kernel'
import type { RealPlace } from '../event-destinations/place.ts'
import { streamHeaders } from '../names.ts'
import { appendLines } from './append.ts'
import type { Waiting } from './delivery-store.ts'

const timeoutMs = 30_000

/** How many were told, and what hindered the rest. */
export interface Sent {
  readonly told: number
  readonly problem?: string
}

export interface Source {
  readonly tenant: string
  readonly arn: string
  readonly now: Date
}

interface Means {
  readonly fetch: GuardedFetch
  readonly signal: AbortSignal
}

/** Tells a destination some events. Throws only what is our own fault. */
export async function sendTo(
  findPlace: () => RealPlace,
  waiting: readonly Waiting[],
  source: Source,
  means: Means,
): Promise<Sent> {
  let told = 0
  try {
    for await (const count of sending(findPlace(), waiting, source, means)) told += count
    return { told }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { told, problem: error.message }
  }
}

/** Says after each step how many were told by it. */
async function* sending(
  place: RealPlace,
  waiting: readonly Waiting[],
  source: Source,
  means: Means,
): AsyncGenerator<number> {
  switch (place.kind) {
    case 'log':
      await appendLines(
        place,
        waiting.map(({ body }) => JSON.stringify(body)),
      )
      yield waiting.length
      return
    case 'stream':
      await post(place.url, waiting, source, means)
      yield waiting.length
      return
    case 'topic':
      for (const { id, body } of waiting) {
        const message = {
          kind: 'topic' as const,
          subject: place.subject,
          id,
          headers: {},
          payload: JSON.stringify(body),
        }
        await publish(place.broker, message, { signal: means.signal, timeoutMs })
        yield 1
      }
  }
}

/** One batch, in the form that HTTP endpoints of such streams expect. Any status of success will do. */
async function post(
  url: string,
  waiting: readonly Waiting[],
  { arn, now }: Source,
  { fetch, signal }: Means,
): Promise<void> {
  const requestId = randomUUID()
  const records = waiting.map(({ body }) => ({ data: Buffer.from(JSON.stringify(body)).toString('base64') }))
  const { status } = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      [streamHeaders.version]: '1.0',
      [streamHeaders.requestId]: requestId,
      [streamHeaders.source]: encodeURI(arn),
    },
    body: JSON.stringify({ requestId, timestamp: now.getTime(), records }),
    signal,
    timeoutMs,
    maxBytes: 1_000_000,
  })
  if (status < 200 || status > 299) throw new Failure('unavailable', `The endpoint of the stream answered ${status}.`)
}
