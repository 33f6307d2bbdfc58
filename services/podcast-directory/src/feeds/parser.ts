import { Worker } from 'node:worker_threads'
import { fairGate } from '@icosa/kernel'
import { type FeedEpisode, NotAPodcast, type OpenFeed, type Outline } from './feed.ts'
import type { Answer, Question } from './parser-thread.ts'

export interface Source {
  /** Handed over: they are gone afterwards. */
  readonly bytes: Uint8Array
  readonly contentType: string
  /** Where the bytes came from: addresses in them may be relative. */
  readonly url: string
  readonly nowMs: number
}

/** Of each thread, its own heap; the bytes, the texts and what is handed over come on top of it. */
const resourceLimits = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 8 }
const mostMs = 20_000

/** Feeds of so few episodes are handed over whole, and the thread reads the next one. */
const few = 500

/** The threads of a node that read feeds. */
export interface FeedParser {
  /**
   * Reads a tenant's feed beside the node's own work and hands it to `use`. Throws `NotAPodcast` if it is none, or more
   * than a parser can bear.
   */
  withFeed<T>(tenant: string, source: Source, use: (feed: OpenFeed) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/**
 * Two threads a node: whatever a feed does to one, the node goes on, and so does the other. One tenant never has both, so
 * a feed that takes as long as it may holds up its own tenant's.
 */
export function openParser(): FeedParser {
  const threads = [parser(), parser()]
  const idle = [...threads]
  const parsing = fairGate(threads.length)
  return {
    async withFeed(tenant, source, use) {
      const read = await parsing.run(tenant, async () => {
        const own = idle.pop() as Parser // there are as many as places
        try {
          const feed = await open(own.ask, source)
          return feed.outlines.length <= few ? { feed } : { used: await use(feed) }
        } finally {
          idle.push(own)
        }
      })
      return 'feed' in read ? use(read.feed) : read.used
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.close()))
    },
  }
}

async function open(parse: Ask, { bytes, contentType, url, nowMs }: Source): Promise<OpenFeed> {
  const owned = bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes) // a small one shares its memory with others
  const { head } = await ask(parse, { bytes: owned, contentType, url, nowMs }, 'head', [owned.buffer as ArrayBuffer])
  const outlines: Outline[] = []
  for (;;) {
    const { outlines: some } = await ask(parse, { outlinesFrom: outlines.length }, 'outlines')
    if (some.length === 0) break
    for (const one of some) outlines.push(one)
  }
  const fetched = async (positions: readonly number[]) => (await ask(parse, { positions }, 'episodes')).episodes
  if (outlines.length > few) return { ...head, outlines, episodes: fetched }
  const all = await fetched([...outlines.keys()])
  return { ...head, outlines, episodes: async (positions) => positions.map((position) => all[position] as FeedEpisode) }
}

const tooMuch = 'The feed takes more time or memory to read than is allowed.'

type Part<Name extends string> = Extract<Answer, Readonly<Record<Name, unknown>>>

/** Asks for a part of the feed; whatever else comes back refuses it. */
async function ask<Name extends 'head' | 'outlines' | 'episodes'>(
  parse: Ask,
  question: Question,
  part: Name,
  handedOver: ArrayBuffer[] = [],
): Promise<Part<Name>> {
  const answer = await parse(question, handedOver)
  if (part in answer) return answer as Part<Name>
  throw new NotAPodcast('refused' in answer ? answer.refused : tooMuch)
}

type Ask = (question: Question, handedOver: ArrayBuffer[]) => Promise<Answer>

interface Parser {
  readonly ask: Ask
  close(): Promise<unknown>
}

/** Asks a thread, which is made when it is needed. One that dies or takes too long refuses the feed, and is made anew. */
function parser(): Parser {
  let thread: Worker | undefined
  const ask: Ask = (question, handedOver) => {
    thread ??= start()
    const asked = thread
    return new Promise((resolve) => {
      const end = (answer: Answer) => {
        clearTimeout(timer)
        asked.off('message', end).off('error', giveUp).off('exit', giveUp)
        asked.unref()
        resolve(answer)
      }
      const giveUp = () => {
        if (thread === asked) thread = undefined
        void asked.terminate()
        end({ refused: tooMuch })
      }
      const timer = setTimeout(giveUp, mostMs)
      asked.ref()
      asked.once('message', end).once('error', giveUp).once('exit', giveUp)
      asked.postMessage(question, handedOver)
    })
  }
  return { ask, close: async () => thread?.terminate() }
}

function start(): Worker {
  const made = new Worker(new URL('./parser-thread.ts', import.meta.url), { resourceLimits })
  made.on('error', () => {}) // told to whoever waits
  return made
}
