import { type ReadingDb, recentlyUsed } from '@icosa/kernel'
import { assemble } from '../season/assemble.ts'
import { type ListName, lists, ofSeason } from '../season/lists.ts'
import { type Answer, freshAnswer, storedAnswer } from './answer.ts'
import { findAnswer, findItems, type Item, type Items, type State } from './store.ts'
import type { ListVersions } from './version-tracker.ts'

/** A query of a list, with its parameters parsed. */
export interface Question {
  readonly season: number
  readonly scope: string
  readonly list: ListName
  /** A level or a page, which the import has precomputed. Only without other parameters. */
  readonly part?: string | undefined
  readonly page?: number | undefined
  /** Cache key of the parameters that `select` depends on. */
  readonly name?: string
  /** Filters items; all by default. */
  readonly select?: (items: readonly Item[], other: readonly Item[]) => readonly Item[]
  /** Another list of the season on which the selection depends. */
  readonly other?: ListName | undefined
}

/** Read-through cache of answers and lists, valid while their versions are current. */
export interface AnswerCache {
  answer(tenant: string, question: Question, versions: ListVersions): Answer | Promise<Answer>
  isCurrent(answer: Answer, state: State): boolean
  /** Returns an answer with only the items that changed after a time, uncached. */
  changedSince(tenant: string, question: Question, versions: ListVersions, since: number): Promise<Answer>
  items(tenant: string, question: Question, versions: ListVersions): Promise<Items>
  /** Number of database queries. */
  queries(): number
}

const maxAnswers = 2_000
const maxLists = 200

const emptyList: Items = { version: 0, modified: 0, items: [] }

/** Returns the state of a question's lists; a list that was never imported has version 0. */
export function stateIn(versions: ListVersions, { season, scope, list, other }: Question): State {
  const state = versions.stateOf(season, scope, list) ?? emptyList
  return other === undefined ? state : later(state, versions.stateOf(season, ofSeason, other) ?? emptyList)
}

const later = (a: State, b: State): State => ({
  version: Math.max(a.version, b.version),
  modified: Math.max(a.modified, b.modified),
})

export function openAnswerCache(db: (tenant: string) => ReadingDb): AnswerCache {
  const cachedAnswers = recentlyUsed<Answer>('robotics-statistics answers', maxAnswers)
  const cachedLists = recentlyUsed<Items>('robotics-statistics lists', maxLists)
  const pending = new Map<string, Promise<unknown>>()
  let queries = 0

  /** Coalesces concurrent loads of the same key into one query. */
  function once<T>(key: string, load: () => Promise<T>): Promise<T> {
    let promise = pending.get(key) as Promise<T> | undefined
    if (!promise) {
      promise = load().finally(() => pending.delete(key))
      pending.set(key, promise)
    }
    return promise
  }

  async function items(tenant: string, question: Question, versions: ListVersions): Promise<Items> {
    const { season, scope, list } = question
    const state = versions.stateOf(season, scope, list)
    if (!state) return emptyList
    const key = `${tenant}/${season}/${scope}/${list}`
    const cached = cachedLists.get(key)
    if (cached && isCurrent(cached, state)) return cached
    return once(`items ${key}`, async () => {
      queries++
      const fresh = (await findItems(db(tenant), { tenant, season, scope, list })) ?? emptyList
      cachedLists.set(key, fresh)
      return fresh
    })
  }

  async function build(
    tenant: string,
    question: Question,
    versions: ListVersions,
    isIncluded = (_: Item) => true,
  ): Promise<Answer> {
    const { list, part, page, other, select = (all) => all } = question
    const [first, second] = await Promise.all([
      items(tenant, question, versions),
      other === undefined ? emptyList : items(tenant, { ...question, scope: ofSeason, list: other }, versions),
    ])
    const isOfPart = ({ key }: Item) => page !== undefined || !part || key.startsWith(`${part} `)
    const selected = select(first.items, second.items).filter((item) => isOfPart(item) && isIncluded(item))
    const { version, modified } = later(first, second)
    const contents = selected.map(({ content }) => content)
    return freshAnswer({ version, modified, isEmpty: selected.length === 0 }, assemble(lists[list], contents, page))
  }

  async function load(tenant: string, question: Question, versions: ListVersions): Promise<Answer> {
    const { season, scope, list, part } = question
    if (part === undefined || !versions.stateOf(season, scope, list)) return build(tenant, question, versions)
    queries++
    const stored = await findAnswer(db(tenant), { tenant, season, scope, list }, part)
    return stored ? storedAnswer({ ...stored, isEmpty: stored.items === 0 }, stored) : build(tenant, question, versions)
  }

  return {
    items,
    isCurrent,
    queries: () => queries,
    changedSince: (tenant, question, versions, since) =>
      build(tenant, question, versions, ({ modified }) => modified > since),
    answer(tenant, question, versions) {
      const { season, scope, list, part = '?', name = '' } = question
      const key = `${tenant}/${season}/${scope}/${list}/${part}/${name}`
      const cached = cachedAnswers.get(key)
      if (cached && isCurrent(cached, stateIn(versions, question))) return cached
      return once(key, async () => {
        const answer = await load(tenant, question, versions)
        cachedAnswers.set(key, answer)
        return answer
      })
    },
  }
}

/** An entry may be newer than the tracked state, if it was read later. */
const isCurrent = (cached: { readonly version: number }, state: State) => cached.version >= state.version
