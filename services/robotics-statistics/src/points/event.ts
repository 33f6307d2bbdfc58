import type { Alliance, Award, Event, EventPoints, Match, MatchScore, Ranking } from '../season/lists.ts'
import { alliancePoints, multiplierOf, pointsForAward, qualificationPoints, type Role } from './formula.ts'
import { playoffPoints } from './playoffs.ts'
import { rulesOf } from './rules.ts'

export interface EventFacts {
  readonly season: number
  readonly event: Pick<Event, 'type'>
  readonly rankings: readonly Ranking[]
  readonly alliances: readonly Alliance[]
  readonly matches: readonly Match[]
  readonly scores: readonly MatchScore[]
  readonly awards: readonly Award[]
}

const roles: readonly (readonly [keyof Alliance & ('captain' | 'round1' | 'round2' | 'round3' | 'backup'), Role])[] = [
  ['captain', 'Captain'],
  ['round1', 'Round1'],
  ['round2', 'Round2'],
  ['round3', 'Round3'],
  ['backup', 'Backup'],
]

/** What every team got at an event by the published formula. */
export function pointsOf({ season, event, rankings, alliances, matches, scores, awards }: EventFacts): EventPoints[] {
  const multiplier = multiplierOf(event.type)
  if (multiplier === undefined) return []
  const points = new Map<number, { qualification: number; alliance: number; playoff: number; award: number }>()
  const of = (team: number) => {
    const known = points.get(team) ?? { qualification: 0, alliance: 0, playoff: 0, award: 0 }
    points.set(team, known)
    return known
  }
  for (const { rank, teamNumber } of rankings)
    of(teamNumber).qualification = qualificationPoints(rank, rankings.length, multiplier)
  // Where divisions played before, alliances were chosen there.
  const isChosenHere = event.type !== 'DistrictChampionshipWithLevels'
  for (const alliance of alliances)
    for (const [field, role] of roles) {
      const team = alliance[field]
      if (isChosenHere && typeof team === 'number')
        of(team).alliance = alliancePoints(alliance.number, role, alliances.length, multiplier)
    }
  for (const [team, earned] of playoffPoints(rulesOf(season), matches, alliances, scores, multiplier))
    of(team).playoff = earned
  for (const { teamNumber, name, person } of awards)
    if (typeof teamNumber === 'number' && !person) of(teamNumber).award += pointsForAward(name, multiplier)
  return [...points]
    .map(([teamNumber, one]) => ({
      teamNumber,
      ...one,
      total: one.qualification + one.alliance + one.playoff + one.award,
    }))
    .sort((one, other) => other.total - one.total || one.teamNumber - other.teamNumber)
}
