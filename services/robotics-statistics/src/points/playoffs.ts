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

/** A playoff match that was played: who met, who won, who stood on the field. */
export interface Played {
  readonly round: Round
  readonly number: number
  readonly red: number
  readonly blue: number
  /** The number of an alliance; none after a tie. */
  readonly winner: number | undefined
  readonly teams: Readonly<Record<'Red' | 'Blue', readonly number[]>>
}

export const membersOf = ({ captain, round1, round2, round3, backup }: Alliance) =>
  [captain, round1, round2, round3, backup].filter((team) => typeof team === 'number')

/** Which side won a match with equal scores, by the rules of the game: 1 is red, 2 is blue. */
const decidedBy = (scores: readonly MatchScore[]) =>
  new Map(
    scores.flatMap((score) => {
      const { winningAlliance } = score as { winningAlliance?: unknown }
      return score.matchLevel === 'Playoff' ? [[score.matchNumber, winningAlliance]] : []
    }),
  )

/** Which alliances met in the playoffs, by the teams on the field. */
export function playedOf(
  matches: readonly Match[],
  alliances: readonly Alliance[],
  scores: readonly MatchScore[],
): Played[] {
  const decided = decidedBy(scores)
  const allianceOf = new Map(alliances.flatMap((one) => membersOf(one).map((team) => [team, one.number])))
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
    const ahead = scoreRedFinal - scoreBlueFinal || { 1: 1, 2: -1 }[Number(decided.get(matchNumber))] || 0
    const winner = ahead === 0 ? undefined : ahead > 0 ? red : blue
    return { round: roundOf(match), number: matchNumber, red, blue, winner, teams }
  })
}

type Points = Map<number, number>

const add = (points: Points, team: number, more: number) => points.set(team, (points.get(team) ?? 0) + more)

/** Points of every team that was in the playoffs. */
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

/** Five for each match that a team won with its alliance, if the alliance won the series. */
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

/** Where averages decided who goes on: what two wins would have given. */
function addAdvancement(
  points: Points,
  played: readonly Played[],
  alliances: readonly Alliance[],
  multiplier: number,
): void {
  for (const round of ['semis', 'final'] as const) {
    const there = new Set(played.filter((one) => one.round === round).flatMap(({ red, blue }) => [red, blue]))
    for (const alliance of alliances)
      if (there.has(alliance.number))
        for (const team of membersOf(alliance)) add(points, team, 2 * pointsForWin * multiplier)
  }
}

/** The order in which the alliances of a double elimination ended, as far as it is decided. */
export function placesOf(played: readonly Played[]): number[] {
  const finals = played.filter(({ round }) => round === 'final')
  const won = Map.groupBy(finals, ({ winner }) => winner)
  const champion = [...won].find(([winner, matches]) => winner !== undefined && matches.length >= 2)?.[0]
  if (champion === undefined) return []
  const last = new Map<number, number>()
  for (const { number, red, blue, round } of played)
    for (const one of [red, blue])
      last.set(one, Math.max(last.get(one) ?? 0, round === 'final' ? Number.MAX_SAFE_INTEGER : number))
  const others = [...last].filter(([one]) => one !== champion).sort(([, one], [, other]) => other - one)
  return [champion, ...others.map(([one]) => one)]
}

function byPlace(played: readonly Played[], alliances: readonly Alliance[], multiplier: number): Points {
  const points: Points = new Map()
  const appeared = new Set(played.flatMap(({ teams }) => [...teams.Red, ...teams.Blue]))
  for (const [index, number] of placesOf(played).entries()) {
    const alliance = alliances.find((one) => one.number === number)
    const earned = placePoints(index + 1, alliances.length, multiplier)
    for (const team of alliance ? membersOf(alliance) : []) if (appeared.has(team)) add(points, team, earned)
  }
  return points
}
