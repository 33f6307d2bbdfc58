import { agePoints } from '../points/rules.ts'
import type { DistrictRank, Event, EventPoints, Team } from '../season/lists.ts'

/** An event of a district, with its points. */
export interface Scored {
  readonly event: Pick<Event, 'code' | 'type' | 'dateStart'>
  readonly points: readonly EventPoints[]
}

interface TeamSeason {
  readonly events: { readonly code: string; readonly points: EventPoints }[]
  readonly championship: { readonly code: string; readonly points: EventPoints }[]
}

/**
 * Ranks a district by the points of each team's first two events, its district championship and its age. Ties are
 * broken by the best playoff, alliance and qualification points of one event, then by team number.
 */
export function rankDistrict(
  season: number,
  districtCode: string,
  teams: readonly Pick<Team, 'teamNumber' | 'rookieYear'>[],
  scored: readonly Scored[],
): DistrictRank[] {
  const seasons = new Map<number, TeamSeason>(
    teams.map(({ teamNumber }) => [teamNumber, { events: [], championship: [] }]),
  )
  const inOrder = scored.toSorted((a, b) => (a.event.dateStart ?? '').localeCompare(b.event.dateStart ?? ''))
  for (const { event, points: all } of inOrder)
    for (const points of all) {
      const ofTeam = seasons.get(points.teamNumber)
      if (event.type === 'DistrictEvent' && ofTeam && ofTeam.events.length < 2)
        ofTeam.events.push({ code: event.code, points })
      if (event.type.startsWith('DistrictChampionship')) ofTeam?.championship.push({ code: event.code, points })
    }
  const rows = teams.map(({ teamNumber, rookieYear }) => {
    const { events, championship } = seasons.get(teamNumber) as TeamSeason
    const teamAgePoints = typeof rookieYear === 'number' ? (agePoints[season - rookieYear] ?? 0) : 0
    const all = [...events, ...championship].map(({ points }) => points)
    const best = (part: 'playoff' | 'alliance' | 'qualification') => Math.max(0, ...all.map((points) => points[part]))
    const total = all.reduce((sum, points) => sum + points.total, teamAgePoints)
    return {
      teamNumber,
      events,
      championship,
      teamAgePoints,
      criteria: [total, best('playoff'), best('alliance'), best('qualification')],
    }
  })
  rows.sort((a, b) => {
    const nth = a.criteria.findIndex((value, index) => value !== b.criteria[index])
    return nth < 0 ? a.teamNumber - b.teamNumber : (b.criteria[nth] ?? 0) - (a.criteria[nth] ?? 0)
  })
  return rows.map(({ teamNumber, events: [first, second], championship, teamAgePoints, criteria }, index) => ({
    districtCode,
    teamNumber,
    rank: index + 1,
    totalPoints: criteria[0] ?? 0,
    event1Code: first?.code ?? null,
    event1Points: first?.points.total ?? null,
    event2Code: second?.code ?? null,
    event2Points: second?.points.total ?? null,
    districtCmpCode: championship[0]?.code ?? null,
    districtCmpPoints:
      championship.length === 0 ? null : championship.reduce((sum, { points }) => sum + points.total, 0),
    teamAgePoints,
    adjustmentPoints: 0,
    qualifiedDistrictCmp: championship.length > 0,
    qualifiedFirstCmp: false,
  }))
}
