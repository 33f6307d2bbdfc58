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

/**
 * Two threads a process read feeds: whatever they do to one, the node goes on, and so does the other. One tenant never has
 * both, so a feed that takes as long as it may holds up its own tenant's.
 */
const parsers = [parser(), parser()]
const idle = [...parsers]
const parsing = fairGate(parsers.length)
let last: string | undefined

/**
 * Reads a tenant's feed beside the node's own work and hands it to `use`. Throws `NotAPodcast` if it is none, or more than a
 * parser can bear.
 */
export async function withFeed<T>(tenant: string, source: Source, use: (feed: OpenFeed) => Promise<T>): Promise<T> {
  if (last !== undefined && last !== tenant) for (const one of parsers) one.start() // so that both are there in time
  last = tenant
  const read = await parsing.run(tenant, async () => {
    const own = idle.pop() as Parser // there are as many as places
    try {
      const feed = await open(own, source)
      return feed.outlines.length <= few ? { feed } : { used: await use(feed) }
    } finally {
      idle.push(own)
    }
  })
  return 'feed' in read ? use(read.feed) : read.used
}

async function open(own: Parser, { bytes, contentType, url, nowMs }: Source): Promise<OpenFeed> {
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

type Part<Name extends string> = Extract<Answer, Readonly<Record<Name, unknown>>>

/** Asks for a part of the feed; whatever else comes back refuses it. */
async function ask<Name extends 'head' | 'outlines' | 'episodes'>(
  own: Parser,
  question: Question,
  part: Name,
  handedOver: ArrayBuffer[] = [],
): Promise<Part<Name>> {
  const answer = await own.ask(question, handedOver)
  if (part in answer) return answer as Part<Name>
  throw new NotAPodcast('refused' in answer ? answer.refused : tooMuch)
}

interface Parser {
  start(): Worker
  /** One that dies or takes too long refuses the feed, and is made anew. */
  ask(question: Question, handedOver: ArrayBuffer[]): Promise<Answer>
}

function parser(): Parser {
  let thread: Worker | undefined
  const start = () => (thread ??= startThread())
  return {
    start,
    ask(question, handedOver) {
      const asked = start()
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
    },
  }
}

function startThread(): Worker {
  const made = new Worker(new URL('./parser-thread.ts', import.meta.url), { resourceLimits })
  made.on('error', () => {}) // told to whoever waits
  made.unref() // until it is asked
  return made
}
