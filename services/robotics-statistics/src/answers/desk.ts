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
import { type Conditions, codingFor, httpDate, refuseBoth, secondsOf } from './conditions.ts'
import { openContents, type Question, stateIn } from './contents.ts'
import { type Known, openKnowledge } from './knowledge.ts'
import type { Item } from './store.ts'

export type { Question } from './contents.ts'

/** Whoever answers for a node: what it has in memory, it does not ask the database for. */
export interface Desk {
  known(tenant: string): Known | Promise<Known>
  answer(tenant: string, question: Question, conditions: Conditions): Promise<Reply>
  /** The same for an address that was asked for before, if all that it takes is in memory. */
  recall(tenant: string, target: string, conditions: Conditions): Reply | undefined
  /** The items of a list, for those who make something else of them. */
  items(tenant: string, season: number, scope: string, list: ListName): Promise<readonly Item[]>
  /** How often the database was asked: for what has changed, and for content. */
  asked(): { readonly changes: number; readonly content: number }
}

type Reply = ReturnType<typeof media> | ReturnType<typeof notModified>

/** A reply that can be found again by the address that was asked for. */
export interface Memorable {
  readonly remember?: (target: string) => void
}

interface Remembered {
  readonly question: Question
  readonly answer: Answer
  /** The change up to which the answer is known to be current. */
  version: number
}

const targetsLimit = 5_000
const longestTarget = 300

export function openDesk(db: (tenant: string) => ReadingDb, clock: Clock): Desk {
  const knowledge = openKnowledge(db, clock)
  const contents = openContents(db)
  const remembered = recentlyUsed<Remembered>('robotics-statistics targets', targetsLimit)

  /** Of shared replies each learns once how it is found again. */
  function memorable<R extends Reply>(reply: R, tenant: string, question: Question, answer: Answer): R & Memorable {
    if ('remember' in reply) return reply as R & Memorable
    const remember = (target: string) => {
      if (target.length <= longestTarget) remembered.set(`${tenant} ${target}`, { question, answer, version: -1 })
    }
    return Object.assign(reply, { remember })
  }

  return {
    recall(tenant, target, conditions) {
      const entry = remembered.get(`${tenant} ${target}`)
      if (!entry || conditions['if-none-match'] !== undefined || conditions[only] !== undefined) return undefined
      const known = knowledge.of(tenant)
      if (known instanceof Promise) return undefined
      if (entry.version !== known.version) {
        if (!contents.isCurrent(entry.answer, stateIn(known, entry.question))) return undefined
        entry.version = known.version
      }
      const since = conditions['if-modified-since']
      if (since === undefined) return entry.answer.recalled(codingFor(conditions['accept-encoding']))
      return since === entry.answer.shown ? entry.answer.recalledUnmodified : undefined
    },

    known: knowledge.of,
    asked: () => ({ changes: knowledge.asked(), content: contents.asked() }),

    async items(tenant, season, scope, list) {
      return (await contents.items(tenant, { season, scope, list }, await knowledge.of(tenant))).items
    },

    async answer(tenant, question, conditions) {
      refuseBoth(conditions)
      const now = Math.floor(clock.now().getTime() / 1_000)
      const etags = conditions['if-none-match']
      const since = secondsOf(conditions['if-modified-since'] ?? conditions[only], now)
      const found = knowledge.of(tenant)
      let known = found instanceof Promise ? await found : found
      let state = stateIn(known, question)
      // Whoever has seen something newer, on another node, must not be told of something older.
      if (since !== undefined && since > state.modified && since >= known.askedAt - 1) {
        known = await knowledge.now(tenant)
        state = stateIn(known, question)
      }
      if (since !== undefined && etags === undefined && state.version > 0 && since >= state.modified)
        return notModified({ 'last-modified': httpDate(state.modified) })
      const coding = codingFor(conditions['accept-encoding'])
      if (since !== undefined && conditions[only] !== undefined)
        return (await contents.changedSince(tenant, question, known, since)).reply(coding, now)
      const coming = contents.answer(tenant, question, known)
      const answer = coming instanceof Promise ? await coming : coming
      return etags !== undefined && isUnchanged(conditions, answer.etag)
        ? answer.unmodified(now)
        : memorable(answer.reply(coding, now), tenant, question, answer)
    },
  }
}

const only = 'fms-onlymodifiedsince'

/** Refuses a season that cannot be one, or that nobody has imported. */
export function demandSeason(known: Known, season: number, now: Date, first = firstSeason): void {
  if (season < first || season > now.getUTCFullYear() + 1)
    throw new Failure('invalid', `The season ${season} is not one of these: they begin with ${first}.`)
  if (!known.seasons.has(season)) notFound('season', String(season))
}

const firstSeason = 1992

export function demandEvent(known: Known, season: number, code: string): void {
  if (!known.hasScope(season, code.toUpperCase())) notFound('event', code)
}

export function demandDistrict(known: Known, season: number, code: string | undefined): void {
  if (code !== undefined && !known.hasScope(season, ofDistrict(code)))
    invalid([{ at: 'query/districtCode', message: 'is not a district of the season' }])
}
