import { type Ask, openPool, WorkerLost } from '@icosa/compute'
import type { Metrics } from '@icosa/kernel'
import { type FeedEpisode, NotAPodcast, type OpenFeed, type Outline } from '../feed.ts'
import type { ParserRequest, ParserResponse } from './parser-thread.ts'

export interface Source {
  /** Transferred to the parser, and unusable afterwards. */
  readonly bytes: Uint8Array
  readonly contentType: string
  /** Base of relative addresses. */
  readonly url: string
  readonly nowMs: number
}

/** Up to this many episodes are returned at once, which frees the thread. */
const maxEager = 500

/** Parser threads of a node. */
export interface FeedParser {
  /** Parses a tenant's feed for `use`. Throws `NotAPodcast` if it is invalid or exceeds the limits. */
  withFeed<T>(tenant: string, source: Source, use: (feed: OpenFeed) => Promise<T>, signal?: AbortSignal): Promise<T>
  close(): Promise<void>
}

/** Two threads, so that a crash affects neither the node nor other feeds. A tenant never occupies both. */
export function openParser(metrics: Metrics): FeedParser {
  const threads = openPool<ParserRequest, ParserResponse>({
    name: 'feed parsing',
    module: new URL('./parser-thread.ts', import.meta.url),
    size: 2,
    memoryMb: 96, // without buffers, strings and messages
    deadlineMs: 20_000,
    waitMs: 600_000, // only jobs wait, at most one per slot
    metrics,
  })
  return {
    async withFeed(tenant, source, use, signal) {
      const result = await threads.hold(
        tenant,
        async (ask) => {
          const feed = await open(ask, source)
          return feed.outlines.length <= maxEager ? { feed } : { used: await use(feed) }
        },
        { signal },
      )
      return 'feed' in result ? use(result.feed) : result.used
    },
    close: () => threads.close(),
  }
}

type Thread = Ask<ParserRequest, ParserResponse>

async function open(thread: Thread, { bytes, contentType, url, nowMs }: Source): Promise<OpenFeed> {
  const owned = bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes) // small ones share a buffer
  const { head } = await ask(thread, { bytes: owned, contentType, url, nowMs }, 'head', [owned.buffer as ArrayBuffer])
  const outlines: Outline[] = []
  for (;;) {
    const { outlines: batch } = await ask(thread, { outlinesFrom: outlines.length }, 'outlines')
    if (batch.length === 0) break
    for (const outline of batch) outlines.push(outline)
  }
  const fetchEpisodes = async (positions: readonly number[]) => (await ask(thread, { positions }, 'episodes')).episodes
  if (outlines.length > maxEager) return { ...head, outlines, episodes: fetchEpisodes }
  const all = await fetchEpisodes([...outlines.keys()])
  return { ...head, outlines, episodes: async (positions) => positions.map((position) => all[position] as FeedEpisode) }
}

const tooMuch = 'The feed needs too much time or memory to parse.'

type Part<Name extends string> = Extract<ParserResponse, Readonly<Record<Name, unknown>>>

/** A feed that crashed its thread would do so again; a stopping node is not its fault. */
function refusal(error: unknown): ParserResponse {
  if (error instanceof WorkerLost && error.why !== 'closed') return { refused: tooMuch }
  throw error
}

/** Requests a part of the feed; any other response is a refusal. */
async function ask<Name extends 'head' | 'outlines' | 'episodes'>(
  thread: Thread,
  request: ParserRequest,
  part: Name,
  transfer: ArrayBuffer[] = [],
): Promise<Part<Name>> {
  const response = await thread(request, { transfer }).catch(refusal)
  if (part in response) return response as Part<Name>
  throw new NotAPodcast('refused' in response ? response.refused : tooMuch)
}
