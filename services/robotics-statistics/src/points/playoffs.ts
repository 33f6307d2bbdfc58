import type { Alliance, Match, MatchScore } from '../season/lists.ts'
import { placePoints, pointsForWin } from './formula.ts'
import type { Rules } from './rules.ts'

export type Round = 'eighths' | 'quarters' | 'semis' | 'final' | 'bracket'

const rounds: readonly (readonly [RegExp, Round])[] = [
  [/octofinal|eighth/i, 'eighths'],
  [/quarter/i, 'quarters'],
  [/semi/i, 'semis'],
  [/final|overtime|einstein/i, 'final'],
]

export const roundOf = ({ description }: Pick<Match, 'description'>): Round =>
  rounds.find(([pattern]) => pattern.test(description ?? ''))?.[1] ?? 'bracket'

/** A played playoff match, with the numbers of its alliances. */
export interface Played {
  readonly round: Round
  readonly number: number
  readonly red: number
  readonly blue: number
  /** Number of the winning alliance; undefined after a tie. */
  readonly winner: number | undefined
  readonly teams: Readonly<Record<'Red' | 'Blue', readonly number[]>>
}

export const membersOf = ({ captain, round1, round2, round3, backup }: Alliance) =>
  [captain, round1, round2, round3, backup].filter((team) => typeof team === 'number')

/** Tie-breakers by match number: 1 is red, 2 is blue. */
const tieBreakersIn = (scores: readonly MatchScore[]) =>
  new Map(
    scores.flatMap((score) => {
      const { winningAlliance } = score as { winningAlliance?: unknown }
      return score.matchLevel === 'Playoff' ? [[score.matchNumber, winningAlliance]] : []
    }),
  )

/** Determines the alliances of each playoff match by the teams on the field. */
export function playedOf(
  matches: readonly Match[],
  alliances: readonly Alliance[],
  scores: readonly MatchScore[],
): Played[] {
  const tieBreakers = tieBreakersIn(scores)
  const allianceOf = new Map(
    alliances.flatMap((alliance) => membersOf(alliance).map((team) => [team, alliance.number])),
  )
  return matches.flatMap((match) => {
    const { tournamentLevel, matchNumber, scoreRedFinal, scoreBlueFinal } = match
    if (tournamentLevel !== 'Playoff' || typeof scoreRedFinal !== 'number' || typeof scoreBlueFinal !== 'number')
      return []
    const side = (color: 'Red' | 'Blue') =>
      match.teams.flatMap(({ station, teamNumber }) =>
        station.startsWith(color) && teamNumber !== null ? [teamNumber] : [],
      )
    const teams = { Red: side('Red'), Blue: side('Blue') }
    const allianceIn = (color: 'Red' | 'Blue') =>
      teams[color].map((team) => allianceOf.get(team)).find((number) => number !== undefined)
    const [red, blue] = [allianceIn('Red'), allianceIn('Blue')]
    if (red === undefined || blue === undefined) return []
    const margin = scoreRedFinal - scoreBlueFinal || { 1: 1, 2: -1 }[Number(tieBreakers.get(matchNumber))] || 0
    const winner = margin === 0 ? undefined : margin > 0 ? red : blue
    return { round: roundOf(match), number: matchNumber, red, blue, winner, teams }
  })
}

type Points = Map<number, number>

const add = (points: Points, team: number, more: number) => points.set(team, (points.get(team) ?? 0) + more)

/** Returns the playoff points of every team. */
export function playoffPoints(
  { playoffs }: Rules,
  matches: readonly Match[],
  alliances: readonly Alliance[],
  scores: readonly MatchScore[],
  multiplier: number,
): Points {
  const played = playedOf(matches, alliances, scores)
  if (playoffs === 'doubleElimination') return byPlace(played, alliances, multiplier)
  const points = bySeries(
    playoffs === 'averages' ? played.filter(({ round }) => round === 'final') : played,
    multiplier,
  )
  if (playoffs === 'averages') addAdvancement(points, played, alliances, multiplier)
  return points
}

/** Five points for each won match of a won series. */
function bySeries(played: readonly Played[], multiplier: number): Points {
  const points: Points = new Map()
  const series = Map.groupBy(played, ({ round, red, blue }) => `${round} ${[red, blue].sort((a, b) => a - b)}`)
  for (const matches of series.values()) {
    const wins = Map.groupBy(matches, ({ winner }) => winner)
    for (const [winner, won] of wins)
      if (winner !== undefined && won.length >= 2)
        for (const { red, teams } of won)
          for (const team of winner === red ? teams.Red : teams.Blue) add(points, team, pointsForWin * multiplier)
  }
  return points
}

/** Adds the points of two wins for each round reached by average. */
function addAdvancement(
  points: Points,
  played: readonly Played[],
  alliances: readonly Alliance[],
  multiplier: number,
): void {
  for (const round of ['semis', 'final'] as const) {
    const advanced = new Set(played.filter((match) => match.round === round).flatMap(({ red, blue }) => [red, blue]))
    for (const alliance of alliances)
      if (advanced.has(alliance.number))
        for (const team of membersOf(alliance)) add(points, team, 2 * pointsForWin * multiplier)
  }
}

/** Returns the alliances of a double elimination by place; empty before it is decided. */
export function placesOf(played: readonly Played[]): number[] {
  const finals = played.filter(({ round }) => round === 'final')
  const won = Map.groupBy(finals, ({ winner }) => winner)
  const champion = [...won].find(([winner, matches]) => winner !== undefined && matches.length >= 2)?.[0]
  if (champion === undefined) return []
  const lastMatches = new Map<number, number>()
  for (const { number, red, blue, round } of played)
    for (const alliance of [red, blue])
      lastMatches.set(
        alliance,
        Math.max(lastMatches.get(alliance) ?? 0, round === 'final' ? Number.MAX_SAFE_INTEGER : number),
      )
  const others = [...lastMatches].filter(([alliance]) => alliance !== champion).sort(([, a], [, b]) => b - a)
  return [champion, ...others.map(([alliance]) => alliance)]
}

function byPlace(played: readonly Played[], alliances: readonly Alliance[], multiplier: number): Points {
  const points: Points = new Map()
  const appeared = new Set(played.flatMap(({ teams }) => [...teams.Red, ...teams.Blue]))
  for (const [index, number] of placesOf(played).entries()) {
    const alliance = alliances.find((candidate) => candidate.number === number)
    const earned = placePoints(index + 1, alliances.length, multiplier)
    for (const team of alliance ? membersOf(alliance) : []) if (appeared.has(team)) add(points, team, earned)
  }
  return points
}
