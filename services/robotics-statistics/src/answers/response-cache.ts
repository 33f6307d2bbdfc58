import {
  type Clock,
  Failure,
  invalid,
  isUnchanged,
  type media,
  notFound,
  notModified,
  type ReadingDb,
  recentlyUsed,
} from '@icosa/kernel'
import { type ListName, ofDistrict } from '../season/lists.ts'
import type { Answer } from './answer.ts'
import { openAnswerCache, type Question, stateIn } from './answer-cache.ts'
import { type Conditions, codingFor, httpDate, refuseBoth, secondsOf } from './conditions.ts'
import type { Item } from './store.ts'
import { type ListVersions, openVersionTracker } from './version-tracker.ts'

export type { Question } from './answer-cache.ts'

/** Read-through cache of a node's responses, with ETag and If-Modified-Since validation. */
export interface ResponseCache {
  versions(tenant: string): ListVersions | Promise<ListVersions>
  answer(tenant: string, question: Question, conditions: Conditions): Promise<Reply>
  /** Returns the response to a request target seen before, if it is current and needs no query. */
  fromCache(tenant: string, target: string, conditions: Conditions): Reply | undefined
  items(tenant: string, season: number, scope: string, list: ListName): Promise<readonly Item[]>
  /** Number of database queries, for versions and for content. */
  queries(): { readonly versions: number; readonly content: number }
}

type Reply = ReturnType<typeof media> | ReturnType<typeof notModified>

/** A reply that can be cached under its request target. */
export interface Cacheable {
  readonly cacheAs?: (target: string) => void
}

interface Entry {
  readonly question: Question
  readonly answer: Answer
  /** Version up to which the answer is known to be current. */
  version: number
}

const maxEntries = 5_000
const maxTargetLength = 300

export function openResponseCache(db: (tenant: string) => ReadingDb, clock: Clock): ResponseCache {
  const tracker = openVersionTracker(db, clock)
  const answerCache = openAnswerCache(db)
  const entries = recentlyUsed<Entry>('robotics-statistics targets', maxEntries)

  /** Adds `cacheAs` once, since replies are shared between requests. */
  function cacheable<R extends Reply>(reply: R, tenant: string, question: Question, answer: Answer): R & Cacheable {
    if ('cacheAs' in reply) return reply as R & Cacheable
    const cacheAs = (target: string) => {
      if (target.length <= maxTargetLength) entries.set(`${tenant} ${target}`, { question, answer, version: -1 })
    }
    return Object.assign(reply, { cacheAs })
  }

  return {
    fromCache(tenant, target, conditions) {
      const entry = entries.get(`${tenant} ${target}`)
      if (!entry || conditions['if-none-match'] !== undefined || conditions[only] !== undefined) return undefined
      const versions = tracker.current(tenant)
      if (versions instanceof Promise) return undefined
      if (entry.version !== versions.version) {
        if (!answerCache.isCurrent(entry.answer, stateIn(versions, entry.question))) return undefined
        entry.version = versions.version
      }
      const since = conditions['if-modified-since']
      if (since === undefined) return entry.answer.cachedReply(codingFor(conditions['accept-encoding']))
      return since === entry.answer.cachedLastModified ? entry.answer.cachedNotModified : undefined
    },

    versions: tracker.current,
    queries: () => ({ versions: tracker.queries(), content: answerCache.queries() }),

    async items(tenant, season, scope, list) {
      return (await answerCache.items(tenant, { season, scope, list }, await tracker.current(tenant))).items
    },

    async answer(tenant, question, conditions) {
      refuseBoth(conditions)
      const now = Math.floor(clock.now().getTime() / 1_000)
      const etags = conditions['if-none-match']
      const since = secondsOf(conditions['if-modified-since'] ?? conditions[only], now)
      const current = tracker.current(tenant)
      let versions = current instanceof Promise ? await current : current
      let state = stateIn(versions, question)
      // A caller that has seen a newer version on another node must not get an older one.
      if (since !== undefined && since > state.modified && since >= versions.queriedAt - 1) {
        versions = await tracker.refreshed(tenant)
        state = stateIn(versions, question)
      }
      if (since !== undefined && etags === undefined && state.version > 0 && since >= state.modified)
        return notModified({ 'last-modified': httpDate(state.modified) })
      const coding = codingFor(conditions['accept-encoding'])
      if (since !== undefined && conditions[only] !== undefined)
        return (await answerCache.changedSince(tenant, question, versions, since)).reply(coding, now)
      const cachedOrLoading = answerCache.answer(tenant, question, versions)
      const answer = cachedOrLoading instanceof Promise ? await cachedOrLoading : cachedOrLoading
      return etags !== undefined && isUnchanged(conditions, answer.etag)
        ? answer.notModified(now)
        : cacheable(answer.reply(coding, now), tenant, question, answer)
    },
  }
}

const only = 'fms-onlymodifiedsince'

/** Refuses an impossible season, or one that was never imported. */
export function demandSeason(versions: ListVersions, season: number, now: Date, first = firstSeason): void {
  if (season < first || season > now.getUTCFullYear() + 1)
    throw new Failure('invalid', `The season must be from ${first} to next year, not ${season}.`)
  if (!versions.seasons.has(season)) notFound('season', String(season))
}

const firstSeason = 1992

export function demandEvent(versions: ListVersions, season: number, code: string): void {
  if (!versions.hasScope(season, code.toUpperCase())) notFound('event', code)
}

export function demandDistrict(versions: ListVersions, season: number, code: string | undefined): void {
  if (code !== undefined && !versions.hasScope(season, ofDistrict(code)))
    invalid([{ at: 'query/districtCode', message: 'is not a district of the season' }])
}
