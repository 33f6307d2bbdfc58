import {
  type Clock,
  Failure,
  media,
  notFound,
  notModified,
  type ReadingDb,
  recentlyUsed,
  isUnchanged as unchanged,
} from '@icosa/kernel'
import { assemble } from '../season/assemble.ts'
import { type ListKind, type ListName, lists, ofSeason } from '../season/lists.ts'
import { type Answer, etagOf, freshAnswer, storedAnswer } from './answer.ts'
import { type Conditions, codingFor, httpDate, refuseBoth, secondsOf } from './conditions.ts'
import { type Known, openKnowledge } from './knowledge.ts'
import { findAnswer, findItems, type Item, type Items, type State } from './store.ts'

/** A question about a list, once its parameters were read. */
export interface Question {
  readonly season: number
  readonly scope: string
  readonly list: ListName
  /** The part that was made at the import: a level, or a page. Only where nothing else is asked for. */
  readonly part?: string | undefined
  readonly page?: number | undefined
  /** Of all questions about the list, this one: whatever `select` depends on. */
  readonly name?: string
  /** Which items are asked for; all, if not given. */
  readonly select?: (items: readonly Item[], other: readonly Item[]) => readonly Item[]
  /** Another list of the season on which the selection depends. */
  readonly other?: ListName | undefined
}

/** Whoever answers for a node: what it has in memory, it does not ask the database for. */
export interface Desk {
  known(tenant: string): Known | Promise<Known>
  answer(tenant: string, question: Question, conditions: Conditions): Promise<ReturnType<typeof media> | Unmodified>
  /** The items of a list, for those who make something else of them. */
  items(tenant: string, season: number, scope: string, list: ListName): Promise<readonly Item[]>
  /** How often the database was asked: for what has changed, and for content. */
  asked(): { readonly changes: number; readonly content: number }
}

type Unmodified = ReturnType<typeof notModified>

const answersLimit = 2_000
const listsLimit = 200

export function openDesk(db: (tenant: string) => ReadingDb, clock: Clock): Desk {
  const knowledge = openKnowledge(db, clock)
  const answers = recentlyUsed<Answer>(answersLimit)
  const contents = recentlyUsed<Items>(listsLimit)
  const coming = new Map<string, Promise<unknown>>()
  let content = 0

  /** Of many who ask for the same at once, one asks the database. */
  function once<T>(key: string, find: () => Promise<T>): Promise<T> {
    let found = coming.get(key) as Promise<T> | undefined
    if (!found) {
      content++
      found = find().finally(() => coming.delete(key))
      coming.set(key, found)
    }
    return found
  }

  async function itemsOf(tenant: string, question: Question, state: State | undefined): Promise<Items> {
    if (!state) return nothing
    const { season, scope, list } = question
    const key = `${tenant}/${season}/${scope}/${list}`
    const kept = contents.get(key)
    if (kept && isCurrent(kept, state)) return kept
    const place = { tenant, season, scope, list }
    const found = (await once(`items ${key}`, () => findItems(db(tenant), place))) ?? nothing
    contents.set(key, found)
    return found
  }

  async function make(tenant: string, question: Question, known: Known): Promise<Answer> {
    const { season, scope, list, part, other, page, select = (items) => items } = question
    const state = known.stateOf(season, scope, list)
    if (part !== undefined && state) {
      const stored = await findAnswer(db(tenant), { tenant, season, scope, list }, part)
      if (stored) return storedAnswer({ ...stored, isEmpty: stored.items === 0 }, stored)
    }
    const second = other && { ...question, scope: ofSeason, list: other }
    const [first, next] = await Promise.all([
      itemsOf(tenant, question, state),
      second ? itemsOf(tenant, second, known.stateOf(season, ofSeason, second.list)) : nothing,
    ])
    const items = select(first.items, next.items)
    const ofLevel = part === undefined ? items : items.filter(({ key }) => part === '' || key.startsWith(`${part} `))
    return made(lists[list], ofLevel, later(first, next), page)
  }

  async function current(tenant: string, question: Question, known: Known, state: State): Promise<Answer> {
    const key = `${tenant}/${question.season}/${question.scope}/${question.list}/${question.part ?? '?'}/${question.name ?? ''}`
    const kept = answers.get(key)
    if (kept && isCurrent(kept, state)) return kept
    const answer = await once(key, () => make(tenant, question, known))
    answers.set(key, answer)
    return answer
  }

  return {
    known: knowledge.of,
    asked: () => ({ changes: knowledge.asked(), content }),

    async items(tenant, season, scope, list) {
      const state = (await knowledge.of(tenant)).stateOf(season, scope, list)
      return (await itemsOf(tenant, { season, scope, list }, state)).items
    },

    async answer(tenant, question, conditions) {
      refuseBoth(conditions)
      const { season, scope, list, other } = question
      const now = clock.now()
      const since = secondsOf(conditions['if-modified-since'] ?? conditions['fms-onlymodifiedsince'], now)
      const stateIn = (known: Known) =>
        later(known.stateOf(season, scope, list), other && known.stateOf(season, ofSeason, other))
      const found = knowledge.of(tenant)
      let known = found instanceof Promise ? await found : found
      // Whoever has seen something newer, on another node, must not be told of something older.
      if (since !== undefined && since > stateIn(known).modified && since >= known.askedAt - 1)
        known = await knowledge.now(tenant)
      const state = stateIn(known)
      const shown = httpDate(Math.min(state.modified, Math.floor(now.getTime() / 1_000)))
      const etags = conditions['if-none-match']
      if (since !== undefined && etags === undefined && since >= state.modified && state !== nothing)
        return notModified({ 'last-modified': shown })
      if (since !== undefined && conditions['fms-onlymodifiedsince'] !== undefined) {
        const select = question.select ?? ((items: readonly Item[]) => items)
        const { part, name = '', ...rest } = question
        const level = (key: string) => part === undefined || part === '' || question.page || key.startsWith(`${part} `)
        const changed: Question = {
          ...rest,
          name: `${name}&${part}>${since}`,
          select: (items, others) =>
            select(items, others).filter(({ modified, key }) => modified > since && level(key)),
        }
        return sent(await make(tenant, changed, known), conditions, now)
      }
      const answer = await current(tenant, question, known, state)
      if (etags !== undefined && unchanged(conditions, answer.etag)) return notModified(headersOf(answer, now))
      return sent(answer, conditions, now)
    },
  }
}

const nothing: Items = { version: '0', modified: 0, items: [] }

/** What was read after the state was known may be newer than it. */
const isCurrent = (kept: State, state: State) =>
  kept.version === state.version || BigInt(kept.version) > BigInt(state.version)

const later = (one: State = nothing, other: State = nothing): State =>
  BigInt(one.version) >= BigInt(other.version)
    ? { ...one, modified: Math.max(one.modified, other.modified) }
    : { ...other, modified: Math.max(one.modified, other.modified) }

function made(kind: ListKind, items: readonly Item[], { version, modified }: State, page?: number): Answer {
  const text = assemble(
    kind,
    items.map(({ content }) => content),
    page,
  )
  return freshAnswer({ version, modified, etag: etagOf(text), isEmpty: items.length === 0 }, text)
}

function headersOf({ etag, isEmpty, modified }: Answer, now: Date): Record<string, string> {
  const headers: Record<string, string> = { etag, vary: 'accept-encoding', 'cache-control': 'private, no-cache' }
  // Never a date that is still to come, which the change of the last moment has.
  if (!isEmpty) headers['last-modified'] = httpDate(Math.min(modified, Math.floor(now.getTime() / 1_000)))
  return headers
}

function sent(answer: Answer, conditions: Conditions, now: Date) {
  const coding = codingFor(conditions['accept-encoding'])
  const headers = headersOf(answer, now)
  if (coding !== 'identity') headers['content-encoding'] = coding
  return media('application/json; charset=utf-8', answer.bytes(coding), headers)
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
