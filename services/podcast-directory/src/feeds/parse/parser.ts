import { type Ask, openPool, WorkerLost } from '@icosa/compute'
import type { Metrics } from '@icosa/kernel'
import { type FeedEpisode, NotAPodcast, type OpenFeed, type Outline } from '../feed.ts'
import type { ParserRequest, ParserResponse } from './parser-thread.ts'

export interface Source {
  /** Handed over: they are gone afterwards. */
  readonly bytes: Uint8Array
  readonly contentType: string
  /** Where the bytes came from: addresses in them may be relative. */
  readonly url: string
  readonly nowMs: number
}

/** Feeds of so few episodes are handed over whole, and the thread reads the next one. */
const few = 500

/** The threads of a node that read feeds. */
export interface FeedParser {
  /**
   * Reads a tenant's feed beside the node's own work and hands it to `use`. Throws `NotAPodcast` if it is none, or more
   * than a parser can bear.
   */
  withFeed<T>(tenant: string, source: Source, use: (feed: OpenFeed) => Promise<T>, signal?: AbortSignal): Promise<T>
  close(): Promise<void>
}

/**
 * Two threads a node: whatever a feed does to one, the node goes on, and so does the other. One tenant never has both, so
 * a feed that takes as long as it may holds up its own tenant's.
 */
export function openParser(metrics: Metrics): FeedParser {
  const threads = openPool<ParserRequest, ParserResponse>({
    name: 'feed parsing',
    module: new URL('./parser-thread.ts', import.meta.url),
    size: 2,
    memoryMb: 96, // the bytes, the texts and what is handed over come on top of it
    deadlineMs: 20_000,
    waitMs: 600_000, // only jobs wait, no more than a worker has slots
    metrics,
  })
  return {
    async withFeed(tenant, source, use, signal) {
      const read = await threads.hold(
        tenant,
        async (ask) => {
          const feed = await open(ask, source)
          return feed.outlines.length <= few ? { feed } : { used: await use(feed) }
        },
        { signal },
      )
      return 'feed' in read ? use(read.feed) : read.used
    },
    close: () => threads.close(),
  }
}

type Thread = Ask<ParserRequest, ParserResponse>

async function open(own: Thread, { bytes, contentType, url, nowMs }: Source): Promise<OpenFeed> {
  const owned = bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes) // a small one shares its memory with others
  const { head } = await ask(own, { bytes: owned, contentType, url, nowMs }, 'head', [owned.buffer as ArrayBuffer])
  const outlines: Outline[] = []
  for (;;) {
    const { outlines: some } = await ask(own, { outlinesFrom: outlines.length }, 'outlines')
    if (some.length === 0) break
    for (const one of some) outlines.push(one)
  }
  const fetched = async (positions: readonly number[]) => (await ask(own, { positions }, 'episodes')).episodes
  if (outlines.length > few) return { ...head, outlines, episodes: fetched }
  const all = await fetched([...outlines.keys()])
  return { ...head, outlines, episodes: async (positions) => positions.map((position) => all[position] as FeedEpisode) }
}

const tooMuch = 'The feed takes more time or memory to read than is allowed.'

type Part<Name extends string> = Extract<ParserResponse, Readonly<Record<Name, unknown>>>

/** Whatever a feed did to its thread, it will do again; that the node stops is not its fault. */
function refusal(error: unknown): ParserResponse {
  if (error instanceof WorkerLost && error.why !== 'closed') return { refused: tooMuch }
  throw error
}

/** Asks for a part of the feed; whatever else comes back refuses it. */
async function ask<Name extends 'head' | 'outlines' | 'episodes'>(
  own: Thread,
  question: ParserRequest,
  part: Name,
  transfer: ArrayBuffer[] = [],
): Promise<Part<Name>> {
  const answer = await own(question, { transfer }).catch(refusal)
  if (part in answer) return answer as Part<Name>
  throw new NotAPodcast('refused' in answer ? answer.refused : tooMuch)
}
