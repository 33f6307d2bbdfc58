import type { Alliance, Award, Event, EventPoints, Match, MatchScore, Ranking } from '../season/lists.ts'
import { alliancePoints, multiplierOf, pointsForAward, qualificationPoints, type Role } from './formula.ts'
import { playoffPoints } from './playoffs.ts'
import { rulesOf } from './rules.ts'

export interface EventResults {
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

/** Returns every team's points at an event by the published formula. */
export function pointsOf({ season, event, rankings, alliances, matches, scores, awards }: EventResults): EventPoints[] {
  const multiplier = multiplierOf(event.type)
  if (multiplier === undefined) return []
  const points = new Map<number, { qualification: number; alliance: number; playoff: number; award: number }>()
  const ofTeam = (team: number) => {
    const parts = points.get(team) ?? { qualification: 0, alliance: 0, playoff: 0, award: 0 }
    points.set(team, parts)
    return parts
  }
  for (const { rank, teamNumber } of rankings)
    ofTeam(teamNumber).qualification = qualificationPoints(rank, rankings.length, multiplier)
  // After divisions, alliances were selected there.
  const hasSelection = event.type !== 'DistrictChampionshipWithLevels'
  for (const alliance of alliances)
    for (const [field, role] of roles) {
      const team = alliance[field]
      if (hasSelection && typeof team === 'number')
        ofTeam(team).alliance = alliancePoints(alliance.number, role, alliances.length, multiplier)
    }
  for (const [team, earned] of playoffPoints(rulesOf(season), matches, alliances, scores, multiplier))
    ofTeam(team).playoff = earned
  for (const { teamNumber, name, person } of awards)
    if (typeof teamNumber === 'number' && !person) ofTeam(teamNumber).award += pointsForAward(name, multiplier)
  return [...points]
    .map(([teamNumber, parts]) => ({
      teamNumber,
      ...parts,
      total: parts.qualification + parts.alliance + parts.playoff + parts.award,
    }))
    .sort((a, b) => b.total - a.total || a.teamNumber - b.teamNumber)
}
