import type { Order, RankingRules } from '../points/rules.ts'
import type { Match, MatchScore, Ranking, ScheduledMatch } from '../season/lists.ts'

type Side = Readonly<Record<string, unknown>>

interface Standing {
  wins: number
  losses: number
  ties: number
  dq: number
  played: number
  score: number
  readonly sums: number[]
}

/** Fields of a score are numbers or flags; what the whole match has counts for both sides. */
const numberOf = (value: unknown) => (value === true ? 1 : typeof value === 'number' ? value : 0)

function amountIn({ fields, less = [] }: Order, side: Side): number {
  const sum = (names: readonly string[]) => names.reduce((all, name) => all + numberOf(side[name]), 0)
  return sum(fields) - sum(less)
}

/** Cut, not rounded: as published tables are. */
const cut = (value: number) => Math.floor(value * 100 + 1e-6) / 100

const keyOf = (number: number) => `Qualification ${number}`

/** The sides of every qualification match that was scored. */
function sidesOf(scores: readonly MatchScore[]): Map<string, Readonly<Record<'Red' | 'Blue', Side>>> {
  return new Map(
    scores.flatMap(({ matchLevel, matchNumber, alliances, ...whole }) => {
      const side = (color: string) => alliances.find(({ alliance }) => alliance === color)
      const [red, blue] = [side('Red'), side('Blue')]
      if (matchLevel !== 'Qualification' || !red || !blue) return []
      return [[keyOf(matchNumber), { Red: { ...whole, ...red }, Blue: { ...whole, ...blue } }]]
    }),
  )
}

/**
 * The ranking after the qualification matches that have been played, by the orders of the season. Surrogates do not count
 * for the team, and who is disqualified gets nothing for the match.
 */
export function rank(
  { orders }: RankingRules,
  matches: readonly Match[],
  scores: readonly MatchScore[],
  schedule: readonly ScheduledMatch[],
): Ranking[] {
  const sides = sidesOf(scores)
  const surrogates = new Set(
    schedule.flatMap(({ tournamentLevel, matchNumber, teams }) =>
      teams
        .filter(({ surrogate }) => surrogate === true && tournamentLevel === 'Qualification')
        .map(({ teamNumber }) => `${matchNumber}/${teamNumber}`),
    ),
  )
  const standings = new Map<number, Standing>()
  for (const match of matches) {
    const { tournamentLevel, matchNumber, scoreRedFinal, scoreBlueFinal } = match
    if (tournamentLevel !== 'Qualification' || typeof scoreRedFinal !== 'number' || typeof scoreBlueFinal !== 'number')
      continue
    for (const { teamNumber, station, dq } of match.teams) {
      if (teamNumber === null || surrogates.has(`${matchNumber}/${teamNumber}`)) continue
      const isRed = station.startsWith('Red')
      const [own, other] = isRed ? [scoreRedFinal, scoreBlueFinal] : [scoreBlueFinal, scoreRedFinal]
      const side = sides.get(keyOf(matchNumber))?.[isRed ? 'Red' : 'Blue'] ?? { totalPoints: own }
      count(standingOf(standings, teamNumber, orders.length), orders, side, own, other, dq === true)
    }
  }
  const rows = [...standings].map(([teamNumber, one]) => ({ teamNumber, one, by: orders.map(orderIn(one)) }))
  rows.sort((one, other) => difference(one.by, other.by) || one.teamNumber - other.teamNumber)
  return rows.map(({ teamNumber, one, by }, index) => rowOf(index + 1, teamNumber, one, by))
}

function standingOf(standings: Map<number, Standing>, team: number, orders: number): Standing {
  const known = standings.get(team)
  if (known) return known
  const fresh = {
    wins: 0,
    losses: 0,
    ties: 0,
    dq: 0,
    played: 0,
    score: 0,
    sums: Array.from({ length: orders }, () => 0),
  }
  standings.set(team, fresh)
  return fresh
}

function count(one: Standing, orders: readonly Order[], side: Side, own: number, other: number, dq: boolean): void {
  one.played++
  if (dq) {
    one.dq++
    one.losses++
    return
  }
  if (own > other) one.wins++
  else if (own < other) one.losses++
  else one.ties++
  one.score += own
  for (const [nth, order] of orders.entries()) one.sums[nth] = (one.sums[nth] ?? 0) + amountIn(order, side)
}

const orderIn =
  ({ sums, played }: Standing) =>
  ({ of }: Order, nth: number) =>
    of === 'total' ? (sums[nth] ?? 0) : (sums[nth] ?? 0) / played

function difference(one: readonly number[], other: readonly number[]): number {
  for (const [nth, value] of one.entries()) {
    const gap = (other[nth] ?? 0) - value
    if (Math.abs(gap) > 1e-9) return gap
  }
  return 0
}

function rowOf(rank: number, teamNumber: number, one: Standing, by: readonly number[]): Ranking {
  const [sortOrder1, sortOrder2, sortOrder3, sortOrder4, sortOrder5, sortOrder6] = [0, 1, 2, 3, 4, 5].map((nth) =>
    cut(by[nth] ?? 0),
  )
  const { wins, losses, ties, dq, played } = one
  const orders = { sortOrder1, sortOrder2, sortOrder3, sortOrder4, sortOrder5, sortOrder6 }
  return {
    rank,
    teamNumber,
    ...orders,
    wins,
    losses,
    ties,
    qualAverage: cut(one.score / played),
    dq,
    matchesPlayed: played,
  } as Ranking
}
