import { serve } from '@icosa/compute/serve'
import { type FeedEpisode, type FeedHead, NotAPodcast, type Outline } from '../feed.ts'
import { textOf } from './charset.ts'
import { parseFeed } from './parse.ts'

/** What a node asks of its parser: to read a feed, then for outlines from a position on, and for single episodes. */
export type ParserRequest =
  | { readonly bytes: Uint8Array; readonly contentType: string; readonly url: string; readonly nowMs: number }
  | { readonly outlinesFrom: number }
  | { readonly positions: readonly number[] }

export type ParserResponse =
  | { readonly head: FeedHead }
  | { readonly outlines: readonly Outline[] }
  | { readonly episodes: readonly FeedEpisode[] }
  | { readonly refused: string }

/** So few at a time that no message holds the node up. */
const outlinesAtOnce = 2_000

let episodes: readonly FeedEpisode[] = []

async function respond(request: ParserRequest): Promise<ParserResponse> {
  if ('outlinesFrom' in request) {
    const some = episodes.slice(request.outlinesFrom, request.outlinesFrom + outlinesAtOnce)
    return { outlines: some.map(({ guid, audio, digest, pubDateMs }) => ({ guid, audio, digest, pubDateMs })) }
  }
  if ('positions' in request) return { episodes: request.positions.flatMap((position) => episodes[position] ?? []) }
  try {
    episodes = []
    const { bytes, contentType, url, nowMs } = request
    const text = textOf(bytes, contentType)
    const memory = bytes.buffer as ArrayBuffer
    memory.transfer(0) // it is needed for what comes now
    const { episodes: read, ...head } = await parseFeed(text, url, nowMs)
    episodes = read
    return { head }
  } catch (error) {
    return { refused: error instanceof NotAPodcast ? error.message : 'The feed cannot be read: it is malformed.' }
  }
}

await serve(() => respond)
