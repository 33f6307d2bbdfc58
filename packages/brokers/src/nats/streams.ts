import type { NatsConnection } from '@nats-io/transport-node'

/** Whether a stream stores a subject's messages, cached for a few seconds. */
export interface Streams {
  isKept(subject: string): Promise<boolean>
  forget(subject: string): void
}

const cachedMs = 10_000
const subjectsLimit = 1_000
const answerMs = 5_000

export function knownStreams(client: NatsConnection): Streams {
  const cache = new Map<string, { readonly isKept: Promise<boolean>; readonly until: number }>()
  return {
    isKept(subject) {
      const now = performance.now()
      const last = cache.get(subject)
      if (last && last.until > now) return last.isKept
      if (cache.size >= subjectsLimit) cache.clear()
      const isKept = ask(client, subject)
      cache.set(subject, { isKept, until: now + cachedMs })
      return isKept
    },
    forget: (subject) => void cache.delete(subject),
  }
}

/** Servers without streams, or that forbid asking, count as having none. */
async function ask(client: NatsConnection, subject: string): Promise<boolean> {
  try {
    const answer = await client.request('$JS.API.STREAM.NAMES', JSON.stringify({ subject }), { timeout: answerMs })
    const { streams } = answer.json<{ readonly streams?: readonly string[] | null }>()
    return streams != null && streams.length > 0
  } catch {
    return false
  }
}
