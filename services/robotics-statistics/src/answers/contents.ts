import { type ReadingDb, recentlyUsed } from '@icosa/kernel'
import { assemble } from '../season/assemble.ts'
import { type ListName, lists, ofSeason } from '../season/lists.ts'
import { type Answer, freshAnswer, storedAnswer } from './answer.ts'
import type { Known } from './knowledge.ts'
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

/** Answers that a node has in memory, for as long as they are current. */
export interface Contents {
  answer(tenant: string, question: Question, known: Known): Answer | Promise<Answer>
  /** Whether an answer is as new as its lists. */
  isCurrent(answer: Answer, state: State): boolean
  /** The same with those items alone that changed after a time; not kept. */
  changedSince(tenant: string, question: Question, known: Known, since: number): Promise<Answer>
  items(tenant: string, question: Question, known: Known): Promise<Items>
  /** How often the database was asked. */
  asked(): number
}

const answersLimit = 2_000
const listsLimit = 200

export const nothing: Items = { version: 0, modified: 0, items: [] }

/** Where the lists of a question stand; what nobody has imported has never changed. */
export function stateIn(known: Known, { season, scope, list, other }: Question): State {
  const one = known.stateOf(season, scope, list) ?? nothing
  return other === undefined ? one : later(one, known.stateOf(season, ofSeason, other) ?? nothing)
}

const later = (one: State, other: State): State => ({
  version: Math.max(one.version, other.version),
  modified: Math.max(one.modified, other.modified),
})

export function openContents(db: (tenant: string) => ReadingDb): Contents {
  const answers = recentlyUsed<Answer>('robotics-statistics answers', answersLimit)
  const kept = recentlyUsed<Items>('robotics-statistics lists', listsLimit)
  const coming = new Map<string, Promise<unknown>>()
  let asked = 0

  /** Of many who ask for the same at once, one asks the database. */
  function once<T>(key: string, find: () => Promise<T>): Promise<T> {
    let found = coming.get(key) as Promise<T> | undefined
    if (!found) {
      found = find().finally(() => coming.delete(key))
      coming.set(key, found)
    }
    return found
  }

  async function items(tenant: string, question: Question, known: Known): Promise<Items> {
    const { season, scope, list } = question
    const state = known.stateOf(season, scope, list)
    if (!state) return nothing
    const key = `${tenant}/${season}/${scope}/${list}`
    const found = kept.get(key)
    if (found && isCurrent(found, state)) return found
    return once(`items ${key}`, async () => {
      asked++
      const fresh = (await findItems(db(tenant), { tenant, season, scope, list })) ?? nothing
      kept.set(key, fresh)
      return fresh
    })
  }

  async function make(tenant: string, question: Question, known: Known, isAsked = (_: Item) => true): Promise<Answer> {
    const { list, part, page, other, select = (all) => all } = question
    const [first, second] = await Promise.all([
      items(tenant, question, known),
      other === undefined ? nothing : items(tenant, { ...question, scope: ofSeason, list: other }, known),
    ])
    const isOfPart = ({ key }: Item) => page !== undefined || !part || key.startsWith(`${part} `)
    const chosen = select(first.items, second.items).filter((item) => isOfPart(item) && isAsked(item))
    const { version, modified } = later(first, second)
    const contents = chosen.map(({ content }) => content)
    return freshAnswer({ version, modified, isEmpty: chosen.length === 0 }, assemble(lists[list], contents, page))
  }

  async function find(tenant: string, question: Question, known: Known): Promise<Answer> {
    const { season, scope, list, part } = question
    if (part === undefined || !known.stateOf(season, scope, list)) return make(tenant, question, known)
    asked++
    const stored = await findAnswer(db(tenant), { tenant, season, scope, list }, part)
    return stored ? storedAnswer({ ...stored, isEmpty: stored.items === 0 }, stored) : make(tenant, question, known)
  }

  return {
    items,
    isCurrent,
    asked: () => asked,
    changedSince: (tenant, question, known, since) => make(tenant, question, known, ({ modified }) => modified > since),
    answer(tenant, question, known) {
      const { season, scope, list, part = '?', name = '' } = question
      const key = `${tenant}/${season}/${scope}/${list}/${part}/${name}`
      const found = answers.get(key)
      if (found && isCurrent(found, stateIn(known, question))) return found
      return once(key, async () => {
        const answer = await find(tenant, question, known)
        answers.set(key, answer)
        return answer
      })
    },
  }
}

/** What was read after the state was known may be newer than it. */
const isCurrent = (kept: { readonly version: number }, state: State) => kept.version >= state.version
