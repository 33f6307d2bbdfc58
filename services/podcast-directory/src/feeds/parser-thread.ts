import { parentPort } from 'node:worker_threads'
import { textOf } from './charset.ts'
import { type FeedEpisode, type FeedHead, NotAPodcast, type Outline } from './feed.ts'
import { readFeed } from './read.ts'

/** What a node asks of its parser: to read a feed, then for outlines from a position on, and for single episodes. */
export type Question =
  | { readonly bytes: Uint8Array; readonly contentType: string; readonly url: string; readonly nowMs: number }
  | { readonly outlinesFrom: number }
  | { readonly positions: readonly number[] }

export type Answer =
  | { readonly head: FeedHead }
  | { readonly outlines: readonly Outline[] }
  | { readonly episodes: readonly FeedEpisode[] }
  | { readonly refused: string }

/** So few at a time that no message holds the node up. */
const outlinesAtOnce = 2_000

let episodes: readonly FeedEpisode[] = []

async function answerTo(question: Question): Promise<Answer> {
  if ('outlinesFrom' in question) {
    const some = episodes.slice(question.outlinesFrom, question.outlinesFrom + outlinesAtOnce)
    return { outlines: some.map(({ guid, audio, digest, pubDateMs }) => ({ guid, audio, digest, pubDateMs })) }
  }
  if ('positions' in question) return { episodes: question.positions.flatMap((position) => episodes[position] ?? []) }
  try {
    episodes = []
    const { bytes, contentType, url, nowMs } = question
    const text = textOf(bytes, contentType)
    const memory = bytes.buffer as ArrayBuffer
    memory.transfer(0) // it is needed for what comes now
    const { episodes: read, ...head } = await readFeed(text, url, nowMs)
    episodes = read
    return { head }
  } catch (error) {
    return { refused: error instanceof NotAPodcast ? error.message : 'The feed is too odd to be read.' }
  }
}

parentPort?.on('message', async (question: Question) => parentPort?.postMessage(await answerTo(question)))
