import { type Clock, Failure, isUnchanged, type media, notFound, notModified, type ReadingDb } from '@icosa/kernel'
import type { ListName } from '../season/lists.ts'
import { type Conditions, codingFor, httpDate, refuseBoth, secondsOf } from './conditions.ts'
import { openContents, type Question, stateIn } from './contents.ts'
import { type Known, openKnowledge } from './knowledge.ts'
import type { Item } from './store.ts'

export type { Question } from './contents.ts'

/** Whoever answers for a node: what it has in memory, it does not ask the database for. */
export interface Desk {
  known(tenant: string): Known | Promise<Known>
  answer(
    tenant: string,
    question: Question,
    conditions: Conditions,
  ): Promise<ReturnType<typeof media> | ReturnType<typeof notModified>>
  /** The items of a list, for those who make something else of them. */
  items(tenant: string, season: number, scope: string, list: ListName): Promise<readonly Item[]>
  /** How often the database was asked: for what has changed, and for content. */
  asked(): { readonly changes: number; readonly content: number }
}

export function openDesk(db: (tenant: string) => ReadingDb, clock: Clock): Desk {
  const knowledge = openKnowledge(db, clock)
  const contents = openContents(db)

  return {
    known: knowledge.of,
    asked: () => ({ changes: knowledge.asked(), content: contents.asked() }),

    async items(tenant, season, scope, list) {
      return (await contents.items(tenant, { season, scope, list }, await knowledge.of(tenant))).items
    },

    async answer(tenant, question, conditions) {
      refuseBoth(conditions)
      const now = Math.floor(clock.now().getTime() / 1_000)
      const only = conditions['fms-onlymodifiedsince']
      const etags = conditions['if-none-match']
      const since = secondsOf(conditions['if-modified-since'] ?? only, now)
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
      if (since !== undefined && only !== undefined)
        return (await contents.changedSince(tenant, question, known, since)).reply(coding, now)
      const coming = contents.answer(tenant, question, known)
      const answer = coming instanceof Promise ? await coming : coming
      return etags !== undefined && isUnchanged(conditions, answer.etag)
        ? answer.unmodified(now)
        : answer.reply(coding, now)
    },
  }
}

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
