import type { Item } from '../answers/store.ts'
import type { Level } from '../season/contract.ts'

const spellings: Readonly<Record<string, Level>> = {
  practice: 'Practice',
  qualification: 'Qualification',
  qual: 'Qualification',
  playoff: 'Playoff',
}

/** Parses a level, case-insensitively; undefined for `none`, which is all levels. The contract refuses any other word. */
export const levelOf = (word: string | undefined): Level | undefined =>
  word === undefined ? undefined : spellings[word.toLowerCase()]

export interface MatchFilter {
  readonly level?: Level | undefined
  readonly team?: number | undefined
  readonly number?: number | undefined
  readonly start?: number | undefined
  readonly end?: number | undefined
}

/** Keys of matches are their level and number. */
export function selectMatches({ level, team, number, start = 0, end = Number.POSITIVE_INFINITY }: MatchFilter) {
  return (items: readonly Item[]) =>
    items.filter(({ key, teams }) => {
      const [ofLevel, nth] = key.split(' ') as [string, string]
      return (
        (level === undefined || ofLevel === level) &&
        (team === undefined || teams.includes(team)) &&
        (number === undefined || Number(nth) === number) &&
        Number(nth) >= start &&
        Number(nth) <= end
      )
    })
}

/** Imports precompute answers for filters by level alone. */
export const isOnlyLevel = ({ team, number, start, end }: MatchFilter) =>
  team === undefined && number === undefined && start === undefined && end === undefined
