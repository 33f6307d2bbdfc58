import { Worker } from 'node:worker_threads'
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

/** The thread's own heap; the bytes, the texts and what is handed over come on top of it. */
const resourceLimits = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 8 }
const mostMs = 20_000

/** One thread a process reads feeds: whatever they do to it, the node goes on. It is made anew when it dies. */
let thread: Worker | undefined
let turn: Promise<unknown> = Promise.resolve()

/** Feeds of so few episodes are handed over whole, and the thread reads the next one. */
const few = 500

/**
 * Reads a feed beside the node's own work and hands it to `use`. Throws `NotAPodcast` if it is none, or more than a parser
 * can bear.
 */
export function withFeed<T>(source: Source, use: (feed: OpenFeed) => Promise<T>): Promise<T> {
  let letGo = () => {}
  const opened = turn.then(() => open(source))
  turn = opened.then(
    ({ outlines }) => (outlines.length <= few ? undefined : new Promise<void>((resolve) => (letGo = resolve))),
    () => {},
  )
  return opened.then(use).finally(() => letGo())
}

async function open({ bytes, contentType, url, nowMs }: Source): Promise<OpenFeed> {
  const owned = bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes) // a small one shares its memory with others
  const { head } = await ask({ bytes: owned, contentType, url, nowMs }, 'head', [owned.buffer as ArrayBuffer])
  const outlines: Outline[] = []
  for (;;) {
    const { outlines: some } = await ask({ outlinesFrom: outlines.length }, 'outlines')
    if (some.length === 0) break
    for (const one of some) outlines.push(one)
  }
  const fetched = async (positions: readonly number[]) => (await ask({ positions }, 'episodes')).episodes
  if (outlines.length > few) return { ...head, outlines, episodes: fetched }
  const all = await fetched([...outlines.keys()])
  return { ...head, outlines, episodes: async (positions) => positions.map((position) => all[position] as FeedEpisode) }
}

const tooMuch = 'The feed takes more time or memory to read than is allowed.'

type Part<Name extends string> = Extract<Answer, Readonly<Record<Name, unknown>>>

/** Asks for a part of the feed; whatever else comes back refuses it. */
async function ask<Name extends 'head' | 'outlines' | 'episodes'>(
  question: Question,
  part: Name,
  handedOver: ArrayBuffer[] = [],
): Promise<Part<Name>> {
  const answer = await answerTo(question, handedOver)
  if (part in answer) return answer as Part<Name>
  throw new NotAPodcast('refused' in answer ? answer.refused : tooMuch)
}

/** A thread that dies or takes too long refuses the feed. */
function answerTo(question: Question, handedOver: ArrayBuffer[]): Promise<Answer> {
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

function start(): Worker {
  const made = new Worker(new URL('./parser-thread.ts', import.meta.url), { resourceLimits })
  made.on('error', () => {}) // told to whoever waits
  return made
}
