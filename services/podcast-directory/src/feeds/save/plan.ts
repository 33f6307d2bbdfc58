import { randomUUID } from 'node:crypto'
import type { OpenFeed, Outline } from '../feed.ts'
import type { KnownEpisode } from './episode-store.ts'

/** An episode that is to be written: which of the feed's, under which id and time. */
export interface PlannedEpisode {
  readonly position: number
  readonly id: string
  readonly pubDateMs: number
}

/** What a feed changes about the episodes that are known. */
export interface Plan {
  /** New ones and those of which the feed says something else than before. */
  readonly written: readonly PlannedEpisode[]
  /** The ids of those that the feed has taken back. */
  readonly withdrawn: readonly string[]
}

/**
 * Holds a feed against what is known. An episode is known by its name, whatever its title is now; one with a new name is
 * known by its audio, if the feed has nobody of the old name any more.
 */
export function planOf(known: readonly KnownEpisode[], feed: Pick<OpenFeed, 'outlines' | 'complete'>, now: Date): Plan {
  const guids = new Set(feed.outlines.map(({ guid }) => guid))
  const byGuid = new Map(known.map((one) => [one.guid, one]))
  const renamed = new Map(known.filter(({ guid }) => !guids.has(guid)).map((one) => [one.audio, one]))
  const freeTime = freeTimes(known)
  const written: PlannedEpisode[] = []
  const kept = new Set<string>()
  for (const [position, episode] of feed.outlines.entries()) {
    const match = byGuid.get(episode.guid) ?? renamed.get(episode.audio)
    if (match) {
      renamed.delete(match.audio) // no two are the same one
      kept.add(match.id)
      if (match.digest === episode.digest) continue
    }
    const wantedMs = episode.pubDateMs ?? match?.pubDateMs ?? undatedMs(now, position)
    const pubDateMs = match && isSameSecond(match.pubDateMs, wantedMs) ? match.pubDateMs : freeTime(wantedMs)
    written.push({ position, id: match?.id ?? randomUUID().replaceAll('-', ''), pubDateMs })
  }
  return { written, withdrawn: withdrawnFrom(known, feed, kept) }
}

/** Episodes without a time count as published when they were found, in the feed's order. */
const undatedMs = (now: Date, position: number) => now.getTime() - position * 1000

const isSameSecond = (a: number, b: number) => Math.floor(a / 1000) === Math.floor(b / 1000)

/**
 * Gives each episode of a podcast a time of its own: callers page by it alone. Feeds count in seconds, so there are
 * milliseconds to spare.
 */
function freeTimes(known: readonly KnownEpisode[]): (wantedMs: number) => number {
  const taken = new Set(known.map(({ pubDateMs }) => pubDateMs))
  const next = new Map<number, number>()
  return (wantedMs) => {
    let ms = next.get(wantedMs) ?? wantedMs
    while (taken.has(ms)) ms++
    taken.add(ms)
    next.set(wantedMs, ms + 1)
    return ms
  }
}

/** What is missing from the middle of a feed was withdrawn; feeds leave out the oldest episodes to be short. */
function withdrawnFrom(
  known: readonly KnownEpisode[],
  { outlines, complete }: { readonly outlines: readonly Outline[]; readonly complete: boolean },
  kept: ReadonlySet<string>,
): string[] {
  const times = outlines.flatMap(({ pubDateMs }) => pubDateMs ?? [])
  if (!complete || times.length < outlines.length) return []
  const oldestMs = times.reduce((least, ms) => Math.min(least, ms), Number.MAX_SAFE_INTEGER)
  return known.filter(({ id, pubDateMs }) => pubDateMs > oldestMs && !kept.has(id)).map(({ id }) => id)
}
