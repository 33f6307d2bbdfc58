import { serve } from '@icosa/compute/serve'
import { type FeedEpisode, type FeedHead, NotAPodcast, type Outline } from '../feed.ts'
import { textOf } from './charset.ts'
import { parseFeed } from './parse.ts'

/** Parse a feed, then read outlines from a position, or single episodes. */
export type ParserRequest =
  | { readonly bytes: Uint8Array; readonly contentType: string; readonly url: string; readonly nowMs: number }
  | { readonly outlinesFrom: number }
  | { readonly positions: readonly number[] }

export type ParserResponse =
  | { readonly head: FeedHead }
  | { readonly outlines: readonly Outline[] }
  | { readonly episodes: readonly FeedEpisode[] }
  | { readonly refused: string }

/** Few enough not to block the node's event loop. */
const outlinesPerMessage = 2_000

let episodes: readonly FeedEpisode[] = []

async function respond(request: ParserRequest): Promise<ParserResponse> {
  if ('outlinesFrom' in request) {
    const batch = episodes.slice(request.outlinesFrom, request.outlinesFrom + outlinesPerMessage)
    return { outlines: batch.map(({ guid, audio, digest, pubDateMs }) => ({ guid, audio, digest, pubDateMs })) }
  }
  if ('positions' in request) return { episodes: request.positions.flatMap((position) => episodes[position] ?? []) }
  try {
    episodes = []
    const { bytes, contentType, url, nowMs } = request
    const text = textOf(bytes, contentType)
    const memory = bytes.buffer as ArrayBuffer
    memory.transfer(0) // frees it for parsing
    const { episodes: parsed, ...head } = await parseFeed(text, url, nowMs)
    episodes = parsed
    return { head }
  } catch (error) {
    return { refused: error instanceof NotAPodcast ? error.message : 'The feed is malformed.' }
  }
}

await serve(() => respond)
