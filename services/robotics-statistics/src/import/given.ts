import { type Db, type Detail, lazyValidator } from '@icosa/kernel'
import { type ListName, lists } from '../season/lists.ts'

/** Lists of a season or an event from a source. Missing lists are left unchanged. */
export type Given = Partial<Record<ListName, readonly unknown[]>>

export interface GivenLists {
  readonly lists: Given
  /** Further writes of the same transaction. */
  readonly after?: (db: Db) => Promise<void>
}

export interface GivenEvent extends GivenLists {
  readonly code: string
}

/** A folder, another server or a generator. */
export interface Source {
  readonly season: number
  whole(): Promise<GivenLists>
  /** Events, loaded lazily. */
  events(): AsyncIterable<GivenEvent>
}

/** Validation errors of a source. Nothing of the affected event is imported. */
export class InvalidLists extends Error {
  constructor(where: string, problems: readonly Detail[]) {
    const lines = problems.slice(0, 10).map(({ at, message }) => `  ${at} ${message}`)
    const more = problems.length > 10 ? [`  and ${problems.length - 10} more`] : []
    super([`${where} cannot be imported:`, ...lines, ...more].join('\n'))
  }
}

const validators = new Map<string, (value: unknown) => readonly Detail[]>()

function validatorOf(list: ListName) {
  const validator = validators.get(list) ?? lazyValidator(lists[list].item, 'body')
  validators.set(list, validator)
  return validator
}

/** Refuses items that do not match the schema of their list. */
export function validateLists(where: string, listsByName: Given): void {
  const problems = (Object.entries(listsByName) as [ListName, readonly unknown[]][]).flatMap(([list, items]) =>
    items.flatMap((item, index) =>
      validatorOf(list)(item).map(({ at, message }) => ({
        at: `${list}[${index}]${at.replace(/^body/, '').replaceAll('/', '.')}`,
        message,
      })),
    ),
  )
  if (problems.length > 0) throw new InvalidLists(where, problems)
}
