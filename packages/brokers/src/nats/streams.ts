import type { NatsConnection } from '@nats-io/transport-node'

/** Whether a stream stores a subject's messages, cached for a few seconds. */
export interface Streams {
  isStored(subject: string): Promise<boolean>
  forget(subject: string): void
}

const cachedMs = 10_000
const maxSubjects = 1_000
const responseMs = 5_000

export function streamCache(client: NatsConnection): Streams {
  const cache = new Map<string, { readonly isStored: Promise<boolean>; readonly until: number }>()
  return {
    isStored(subject) {
      const now = performance.now()
      const cached = cache.get(subject)
      if (cached && cached.until > now) return cached.isStored
      if (cache.size >= maxSubjects) cache.clear()
      const isStored = hasStream(client, subject)
      cache.set(subject, { isStored, until: now + cachedMs })
      return isStored
    },
    forget: (subject) => void cache.delete(subject),
  }
}

/** Servers that do not support or permit the request count as having no streams. */
async function hasStream(client: NatsConnection, subject: string): Promise<boolean> {
  try {
    const answer = await client.request('$JS.API.STREAM.NAMES', JSON.stringify({ subject }), { timeout: responseMs })
    const { streams } = answer.json<{ readonly streams?: readonly string[] | null }>()
    return streams != null && streams.length > 0
  } catch {
    return false
  }
}
