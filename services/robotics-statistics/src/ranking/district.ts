import { agePoints } from '../points/rules.ts'
import type { DistrictRank, Event, EventPoints, Team } from '../season/lists.ts'

/** An event of a district, or one that its teams went to, with the points that were given there. */
export interface Scored {
  readonly event: Pick<Event, 'code' | 'type' | 'dateStart'>
  readonly points: readonly EventPoints[]
}

interface Season {
  readonly events: { readonly code: string; readonly points: EventPoints }[]
  readonly championship: { readonly code: string; readonly points: EventPoints }[]
}

/**
 * The ranking of a district: the first two events that a team played, its district championship, and its age. Ties are
 * broken by the best playoff, alliance and qualification points of one event, then by number.
 */
export function rankDistrict(
  season: number,
  districtCode: string,
  teams: readonly Pick<Team, 'teamNumber' | 'rookieYear'>[],
  scored: readonly Scored[],
): DistrictRank[] {
  const seasons = new Map<number, Season>(teams.map(({ teamNumber }) => [teamNumber, { events: [], championship: [] }]))
  const inOrder = scored.toSorted((one, other) =>
    (one.event.dateStart ?? '').localeCompare(other.event.dateStart ?? ''),
  )
  for (const { event, points } of inOrder)
    for (const one of points) {
      const known = seasons.get(one.teamNumber)
      if (event.type === 'DistrictEvent' && known && known.events.length < 2)
        known.events.push({ code: event.code, points: one })
      if (event.type.startsWith('DistrictChampionship')) known?.championship.push({ code: event.code, points: one })
    }
  const rows = teams.map(({ teamNumber, rookieYear }) => {
    const { events, championship } = seasons.get(teamNumber) as Season
    const teamAgePoints = typeof rookieYear === 'number' ? (agePoints[season - rookieYear] ?? 0) : 0
    const all = [...events, ...championship].map(({ points }) => points)
    const best = (part: 'playoff' | 'alliance' | 'qualification') => Math.max(0, ...all.map((one) => one[part]))
    const total = all.reduce((sum, one) => sum + one.total, teamAgePoints)
    return {
      teamNumber,
      events,
      championship,
      teamAgePoints,
      by: [total, best('playoff'), best('alliance'), best('qualification')],
    }
  })
  rows.sort((one, other) => {
    const nth = one.by.findIndex((value, index) => value !== other.by[index])
    return nth < 0 ? one.teamNumber - other.teamNumber : (other.by[nth] ?? 0) - (one.by[nth] ?? 0)
  })
  return rows.map(({ teamNumber, events: [first, second], championship, teamAgePoints, by }, index) => ({
    districtCode,
    teamNumber,
    rank: index + 1,
    totalPoints: by[0] ?? 0,
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
