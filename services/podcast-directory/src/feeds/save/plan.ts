import { randomUUID } from 'node:crypto'
import type { OpenFeed, Outline } from '../feed.ts'
import type { StoredEpisode } from './episode-store.ts'

/** An episode to write: its position in the feed, id and time. */
export interface PlannedEpisode {
  readonly position: number
  readonly id: string
  readonly pubDateMs: number
}

/** Differences between a feed and the stored episodes. */
export interface Plan {
  /** New and changed episodes. */
  readonly upserts: readonly PlannedEpisode[]
  /** Ids of episodes removed from the feed. */
  readonly withdrawn: readonly string[]
}

/**
 * Compares a feed with the stored episodes. An episode is identified by its guid; one with a new guid by its audio, if the
 * old guid is no longer in the feed.
 */
export function planOf(
  stored: readonly StoredEpisode[],
  feed: Pick<OpenFeed, 'outlines' | 'complete'>,
  now: Date,
): Plan {
  const guids = new Set(feed.outlines.map(({ guid }) => guid))
  const byGuid = new Map(stored.map((episode) => [episode.guid, episode]))
  const renamed = new Map(stored.filter(({ guid }) => !guids.has(guid)).map((episode) => [episode.audio, episode]))
  const freeTime = freeTimes(stored)
  const upserts: PlannedEpisode[] = []
  const matched = new Set<string>()
  for (const [position, episode] of feed.outlines.entries()) {
    const match = byGuid.get(episode.guid) ?? renamed.get(episode.audio)
    if (match) {
      renamed.delete(match.audio) // each is matched once
      matched.add(match.id)
      if (match.digest === episode.digest) continue
    }
    const feedMs = episode.pubDateMs ?? match?.pubDateMs ?? undatedMs(now, position)
    const pubDateMs = match && isSameSecond(match.pubDateMs, feedMs) ? match.pubDateMs : freeTime(feedMs)
    upserts.push({ position, id: match?.id ?? randomUUID().replaceAll('-', ''), pubDateMs })
  }
  return { upserts, withdrawn: withdrawnFrom(stored, feed, matched) }
}

/** Episodes without a time get the time of discovery, in feed order. */
const undatedMs = (now: Date, position: number) => now.getTime() - position * 1000

const isSameSecond = (a: number, b: number) => Math.floor(a / 1000) === Math.floor(b / 1000)

/** Makes the times of a podcast's episodes unique, as paging requires, using the milliseconds that feeds leave zero. */
function freeTimes(stored: readonly StoredEpisode[]): (feedMs: number) => number {
  const used = new Set(stored.map(({ pubDateMs }) => pubDateMs))
  const next = new Map<number, number>()
  return (feedMs) => {
    let ms = next.get(feedMs) ?? feedMs
    while (used.has(ms)) ms++
    used.add(ms)
    next.set(feedMs, ms + 1)
    return ms
  }
}

/** Episodes missing from the middle of a feed were withdrawn; missing oldest ones only keep it short. */
function withdrawnFrom(
  stored: readonly StoredEpisode[],
  { outlines, complete }: { readonly outlines: readonly Outline[]; readonly complete: boolean },
  matched: ReadonlySet<string>,
): string[] {
  const times = outlines.flatMap(({ pubDateMs }) => pubDateMs ?? [])
  if (!complete || times.length < outlines.length) return []
  const oldestMs = times.reduce((least, ms) => Math.min(least, ms), Number.MAX_SAFE_INTEGER)
  return stored.filter(({ id, pubDateMs }) => pubDateMs > oldestMs && !matched.has(id)).map(({ id }) => id)
}
