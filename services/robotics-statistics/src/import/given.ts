import { type Db, type Detail, lazyValidator } from '@icosa/kernel'
import { type ListName, lists } from '../season/lists.ts'

/** What a source has of a season or of an event: lists that it does not have stay as they are. */
export type Given = Partial<Record<ListName, readonly unknown[]>>

export interface GivenLists {
  readonly lists: Given
  /** What else belongs into the transaction. */
  readonly after?: (db: Db) => Promise<void>
}

export interface GivenEvent extends GivenLists {
  readonly code: string
}

/** Where seasons come from: a folder, another server, a generator. */
export interface Source {
  readonly season: number
  /** The lists of the season as a whole. */
  whole(): Promise<GivenLists>
  /** One event after the other, read when its turn comes. */
  events(): AsyncIterable<GivenEvent>
}

/** What is wrong with the facts of a source. Nothing of the event that they belong to is imported. */
export class WrongFacts extends Error {
  constructor(where: string, problems: readonly Detail[]) {
    const shown = problems.slice(0, 10).map(({ at, message }) => `  ${at} ${message}`)
    const more = problems.length > 10 ? [`  and ${problems.length - 10} more`] : []
    super([`${where} cannot be imported:`, ...shown, ...more].join('\n'))
  }
}

const checks = new Map<string, (value: unknown) => readonly Detail[]>()

function checkOf(list: ListName) {
  const known = checks.get(list) ?? lazyValidator(lists[list].item, 'body')
  checks.set(list, known)
  return known
}

/** Refuses items that are not what their list holds. */
export function demandFacts(where: string, given: Given): void {
  const problems = (Object.entries(given) as [ListName, readonly unknown[]][]).flatMap(([list, items]) =>
    items.flatMap((item, index) =>
      checkOf(list)(item).map(({ at, message }) => ({
        at: `${list}[${index}]${at.replace(/^body/, '').replaceAll('/', '.')}`,
        message,
      })),
    ),
  )
  if (problems.length > 0) throw new WrongFacts(where, problems)
}
