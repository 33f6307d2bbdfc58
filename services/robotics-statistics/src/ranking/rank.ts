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

/** Fields of a score are numbers or flags. */
const numberOf = (value: unknown) => (value === true ? 1 : typeof value === 'number' ? value : 0)

function amountIn({ fields, less = [], results }: Order, side: Side, own: number, other: number): number {
  const sum = (names: readonly string[]) => names.reduce((all, name) => all + numberOf(side[name]), 0)
  const resultPoints = own > other ? 2 : own === other ? 1 : 0
  return sum(fields) - sum(less) + (results ? resultPoints : 0)
}

/** Published tables truncate averages. */
const truncate = (value: number) => Math.floor(value * 100 + 1e-6) / 100

const keyOf = (number: number) => `Qualification ${number}`

/** Returns both sides of every scored qualification match. Fields of the match itself count for both. */
function sidesOf(scores: readonly MatchScore[]): Map<string, Readonly<Record<'Red' | 'Blue', Side>>> {
  return new Map(
    scores.flatMap(({ matchLevel, matchNumber, alliances, ...common }) => {
      const side = (color: string) => alliances.find(({ alliance }) => alliance === color)
      const [red, blue] = [side('Red'), side('Blue')]
      if (matchLevel !== 'Qualification' || !red || !blue) return []
      return [[keyOf(matchNumber), { Red: { ...common, ...red }, Blue: { ...common, ...blue } }]]
    }),
  )
}

type Played = Match & { readonly scoreRedFinal: number; readonly scoreBlueFinal: number }

const isPlayed = (match: Match): match is Played =>
  match.tournamentLevel === 'Qualification' &&
  typeof match.scoreRedFinal === 'number' &&
  typeof match.scoreBlueFinal === 'number'

/**
 * Returns the numbers of played qualification matches that lack the fields of the first sort order. While there are
 * any, teams cannot be ranked.
 */
export function matchesWithoutDetails(
  { orders: [first] }: RankingRules,
  matches: readonly Match[],
  scores: readonly MatchScore[],
): number[] {
  const sides = sidesOf(scores)
  const fields = first?.fields ?? []
  const isComplete = (side: Side | undefined) => side !== undefined && fields.every((field) => field in side)
  return matches.filter(isPlayed).flatMap(({ matchNumber }) => {
    const score = sides.get(keyOf(matchNumber))
    return isComplete(score?.Red) && isComplete(score?.Blue) ? [] : [matchNumber]
  })
}

/**
 * Ranks teams by their qualification matches so far and the sort orders of the season; empty while score details are
 * missing. Matches as a surrogate do not count for the team, and a disqualified team gets nothing for the match.
 */
export function rank(
  rules: RankingRules,
  matches: readonly Match[],
  scores: readonly MatchScore[],
  schedule: readonly ScheduledMatch[],
): Ranking[] {
  if (matchesWithoutDetails(rules, matches, scores).length > 0) return []
  const { orders } = rules
  const sides = sidesOf(scores)
  const surrogates = new Set(
    schedule.flatMap(({ tournamentLevel, matchNumber, teams }) =>
      teams
        .filter(({ surrogate }) => surrogate === true && tournamentLevel === 'Qualification')
        .map(({ teamNumber }) => `${matchNumber}/${teamNumber}`),
    ),
  )
  const standings = new Map<number, Standing>()
  for (const { matchNumber, scoreRedFinal, scoreBlueFinal, teams } of matches.filter(isPlayed)) {
    for (const { teamNumber, station, dq } of teams) {
      if (teamNumber === null || surrogates.has(`${matchNumber}/${teamNumber}`)) continue
      const isRed = station.startsWith('Red')
      const [own, other] = isRed ? [scoreRedFinal, scoreBlueFinal] : [scoreBlueFinal, scoreRedFinal]
      const side = sides.get(keyOf(matchNumber))?.[isRed ? 'Red' : 'Blue'] ?? {}
      count(standingOf(standings, teamNumber, orders.length), orders, side, own, other, dq === true)
    }
  }
  const rows = [...standings].map(([teamNumber, standing]) => ({
    teamNumber,
    standing,
    criteria: orders.map(orderIn(standing)),
  }))
  rows.sort((a, b) => difference(a.criteria, b.criteria) || a.teamNumber - b.teamNumber)
  return rows.map(({ teamNumber, standing, criteria }, index) => rowOf(index + 1, teamNumber, standing, criteria))
}

function standingOf(standings: Map<number, Standing>, team: number, orders: number): Standing {
  const existing = standings.get(team)
  if (existing) return existing
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

function count(
  standing: Standing,
  orders: readonly Order[],
  side: Side,
  own: number,
  other: number,
  dq: boolean,
): void {
  standing.played++
  if (dq) {
    standing.dq++
    standing.losses++
    return
  }
  if (own > other) standing.wins++
  else if (own < other) standing.losses++
  else standing.ties++
  standing.score += own
  for (const [nth, order] of orders.entries())
    standing.sums[nth] = (standing.sums[nth] ?? 0) + amountIn(order, side, own, other)
}

const orderIn =
  ({ sums, played }: Standing) =>
  ({ of }: Order, nth: number) =>
    of === 'total' ? (sums[nth] ?? 0) : (sums[nth] ?? 0) / played

function difference(a: readonly number[], b: readonly number[]): number {
  for (const [nth, value] of a.entries()) {
    const gap = (b[nth] ?? 0) - value
    if (Math.abs(gap) > 1e-9) return gap
  }
  return 0
}

function rowOf(rank: number, teamNumber: number, standing: Standing, criteria: readonly number[]): Ranking {
  const [sortOrder1, sortOrder2, sortOrder3, sortOrder4, sortOrder5, sortOrder6] = [0, 1, 2, 3, 4, 5].map((nth) =>
    truncate(criteria[nth] ?? 0),
  )
  const { wins, losses, ties, dq, played } = standing
  const orders = { sortOrder1, sortOrder2, sortOrder3, sortOrder4, sortOrder5, sortOrder6 }
  return {
    rank,
    teamNumber,
    ...orders,
    wins,
    losses,
    ties,
    qualAverage: truncate(standing.score / played),
    dq,
    matchesPlayed: played,
  } as Ranking
}
