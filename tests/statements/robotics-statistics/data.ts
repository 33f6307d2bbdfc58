import type { Given, GivenEvent } from '../../../services/robotics-statistics/src/import/given.ts'
import { importSeason } from '../../../services/robotics-statistics/src/import/import.ts'
import { type EventPlan, playEvent } from '../../../services/robotics-statistics/src/synthetic/event.ts'
import { plansOf, syntheticSeason } from '../../../services/robotics-statistics/src/synthetic/season.ts'
import type { Answer, Node } from '../statements.ts'

// biome-ignore lint/suspicious/noExplicitAny: as in `Answer`
export type Json = any
export type Get = (path: string, headers?: Record<string, string>) => Promise<Answer>

export const district = '/rankings/district'
export const selection = 'tournamentType=DistrictEvent&sizeType=EightAlliance&allianceNumber=1&allianceRole=Captain'
export const has = (item: Json, fields: string) => fields.split(' ').every((field) => field in (item ?? {}))

/** An event with every field of the original, and one that it might add. */
export const eventOf = (code: string, type: string, districtCode: string | null, weekNumber: number) => ({
  ...{ code, divisionCode: null, name: `${code} of this season`, type, districtCode, venue: 'Hall', address: 'Road 1' },
  ...{ city: 'Harbor', stateprov: 'NW', country: 'Nowhere', dateStart: '2018-03-01T00:00:00' },
  ...{ dateEnd: '2018-03-03T23:59:59', timezone: 'Central European Standard Time', website: null },
  ...{ webcasts: [], announcements: [], weekNumber, allianceCount: 'EightAlliance', novel: { field: true } },
})

const bonuses = {
  2016: ['teleopDefensesBreached', 'teleopTowerCaptured'],
  2017: ['rotorRankingPointAchieved', 'kPaRankingPointAchieved'],
  2018: ['autoQuestRankingPoint', 'faceTheBossRankingPoint'],
} as const

/** Matches: alliances, final scores, and which alliance had which of the two bonuses. */
const results = [
  {
    red: [1, 2, 3],
    blue: [4, 5, 6],
    final: [50, 40],
    bonus: [
      [1, 1],
      [0, 0],
    ],
  },
  {
    red: [7, 8, 9],
    blue: [10, 11, 12],
    final: [30, 30],
    bonus: [
      [0, 1],
      [1, 0],
    ],
  },
  {
    red: [1, 4, 7],
    blue: [2, 5, 8],
    final: [20, 60],
    bonus: [
      [0, 0],
      [1, 1],
    ],
  },
  {
    red: [3, 6, 9],
    blue: [10, 11, 12],
    final: [70, 10],
    bonus: [
      [1, 0],
      [0, 0],
    ],
  },
  {
    red: [1, 5, 9],
    blue: [2, 6, 10],
    final: [15, 45],
    bonus: [
      [0, 1],
      [0, 1],
    ],
  },
  {
    red: [3, 7, 11],
    blue: [4, 8, 12],
    final: [33, 33],
    bonus: [
      [0, 0],
      [1, 0],
    ],
  },
] as const

/** Qualification matches with their score details, and a playoff match. */
export function playedAt(season: keyof typeof bonuses) {
  const [first, second] = bonuses[season]
  const match = (tournamentLevel: string, index: number) => {
    const { red, blue, final } = results[index] as (typeof results)[number]
    const seated = (teams: readonly number[], side: string) =>
      teams.map((teamNumber, nth) => ({ teamNumber, station: `${side}${nth + 1}`, dq: false }))
    return {
      ...{ description: `${tournamentLevel} ${index + 1}`, matchNumber: index + 1, tournamentLevel },
      ...{ scoreRedFinal: final[0], scoreBlueFinal: final[1] },
      teams: [...seated(red, 'Red'), ...seated(blue, 'Blue')],
    }
  }
  const side = (alliance: string, [one, other]: readonly [number, number]) => ({
    ...{ alliance, [first]: one === 1, [second]: other === 1, autoPoints: 0 },
  })
  return {
    matches: [...results.map((_, index) => match('Qualification', index)), match('Playoff', 0)],
    scores: results.map(({ bonus: [red, blue] }, index) => ({
      ...{ matchLevel: 'Qualification', matchNumber: index + 1, alliances: [side('Red', red), side('Blue', blue)] },
    })),
  }
}

interface Ranked {
  readonly rank: number
  readonly teamNumber: number
  readonly sortOrder1: number
}

export const rankOf = ({ rank, teamNumber, sortOrder1 }: Ranked) => ({ rank, teamNumber, sortOrder1 })

/**
 * Ranking points of each team, summed in 2016 and averaged per match in 2017. Ties in 2017 go to the team with more pressure
 * bonuses, then to the lower number: these matches have no other points.
 */
export function pointsByHand(season: 2016 | 2017): Ranked[] {
  const teams = Array.from({ length: 12 }, (_, index) => index + 1)
  const rows = teams.map((teamNumber) => {
    const gained = results.flatMap(({ red, blue, final: [redScore, blueScore], bonus }) => {
      const isRed = (red as readonly number[]).includes(teamNumber)
      if (!isRed && !(blue as readonly number[]).includes(teamNumber)) return []
      const [own, other] = isRed ? [redScore, blueScore] : [blueScore, redScore]
      const [one, two] = bonus[isRed ? 0 : 1]
      return [{ points: (own > other ? 2 : own === other ? 1 : 0) + one + two, pressure: two }]
    })
    const points = gained.reduce((all, one) => all + one.points, 0)
    const pressure = gained.reduce((all, one) => all + one.pressure, 0)
    return season === 2016
      ? { teamNumber, points, pressure: 0 }
      : { teamNumber, points: points / gained.length, pressure }
  })
  rows.sort((a, b) => b.points - a.points || b.pressure - a.pressure || a.teamNumber - b.teamNumber)
  return rows.map(({ teamNumber, points }, index) => ({
    ...{ rank: index + 1, teamNumber, sortOrder1: Math.floor(points * 100 + 1e-6) / 100 },
  }))
}

/** The published formula: the error function is integrated by trapezoids and inverted by bisection. */
export function qualificationByHand(rank: number, teams: number): number {
  const erf = (to: number) => {
    const steps = 2_000
    const width = to / steps
    let sum = (1 + Math.exp(-to * to)) / 2
    for (let step = 1; step < steps; step++) sum += Math.exp(-((step * width) ** 2))
    return (2 / Math.sqrt(Math.PI)) * sum * width
  }
  const inverse = (value: number): number => {
    if (value < 0) return -inverse(-value)
    let [low, high] = [0, 4]
    for (let step = 0; step < 60; step++) {
      const middle = (low + high) / 2
      if (erf(middle) < value) low = middle
      else high = middle
    }
    return low
  }
  return Math.ceil(inverse((teams - 2 * rank + 2) / (1.07 * teams)) * (10 / inverse(1 / 1.07)) + 12 - 1e-6)
}

export const synthetic = { season: 2026, events: 9, teams: 160, rounds: 4 }
export const plans = plansOf(synthetic)
export const plan = plans[0] as EventPlan
export const played = playEvent(plan).lists as Record<
  'matches' | 'scores' | 'schedule' | 'alliances' | 'awards',
  Json[]
>

/** A season in the form of the original, with unknown fields. */
export const given = {
  summary: { eventCount: 7, gameName: 'POWER', kickoff: '2018-01-06T10:00:00', rookieStart: 6_000, teamCount: 3 },
  events: [
    eventOf('HARB', 'Regional', null, 1),
    eventOf('LAKE', 'DistrictEvent', 'NORTH', 1),
    eventOf('BAYS', 'DistrictEvent', 'NORTH', 2),
    eventOf('COAST', 'DistrictEvent', 'SOUTH', 2),
    eventOf('NCMP', 'DistrictChampionship', 'NORTH', 7),
    eventOf('WORLD', 'Championship', null, 8),
    eventOf('OPEN', 'OffSeason', null, 9),
  ],
  districts: ['NORTH', 'SOUTH'].map((code) => ({ code, name: `${code} district` })),
  teams: [1, 2, 3].map((teamNumber) => ({ teamNumber, nameShort: `Team ${teamNumber}`, rookieYear: 2001, novel: [1] })),
  avatars: [{ teamNumber: 1, encodedAvatar: 'iVBORw0K' }],
}
export const rankingsOfLake = Array.from({ length: 12 }, (_, index) => ({
  ...{ rank: index + 1, teamNumber: 40 - index, sortOrder1: 3.5 - index / 10, sortOrder2: 7.25, wins: 12 - index },
  ...{ losses: index, ties: 0, qualAverage: 251.5, dq: 0, matchesPlayed: 12 },
}))
export const awardsOfLake = [
  { awardId: 1, name: 'Winner', series: 1, teamNumber: 2, person: null, cmpQualifying: true, eventCode: 'LAKE' },
  {
    awardId: 9,
    name: 'Volunteer',
    series: 1,
    teamNumber: null,
    person: 'Ada',
    cmpQualifying: false,
    eventCode: 'LAKE',
  },
]
/** A district ranking that spans two pages of 65. */
export const districtRanks = Array.from({ length: 87 }, (_, index) => ({
  ...{ districtCode: 'FIM', teamNumber: 1_000 + index, rank: index + 1, totalPoints: 300 - index, event1Code: 'LAKE' },
  ...{ event1Points: 60, adjustmentPoints: 0, qualifiedDistrictCmp: index < 64, qualifiedFirstCmp: index < 20 },
}))

export async function imported({ instance }: Node): Promise<void> {
  const { database, clock } = instance.development.node.platform
  const season = (year: number, lists: Given, ...own: GivenEvent[]) =>
    importSeason(
      database,
      'dev',
      {
        season: year,
        whole: async () => ({ lists }),
        async *events() {
          yield* own
        },
      },
      clock,
    )
  await importSeason(database, 'dev', syntheticSeason(synthetic), clock)
  const castle = { events: [eventOf('CASTLE', 'Regional', null, 1)] }
  await season(2016, castle, { code: 'CASTLE', lists: playedAt(2016) })
  await season(2017, castle, { code: 'CASTLE', lists: playedAt(2017) })
  const { matches: unscored } = playedAt(2018)
  const lake = { rankings: rankingsOfLake, awards: awardsOfLake }
  const harbour = { matches: unscored.toReversed() }
  const lists = { ...given, summary: [given.summary] }
  await season(2018, lists, { code: 'LAKE', lists: lake }, { code: 'HARB', lists: harbour })
  await season(2019, { events: [], districtRanks })
  await instance.app.clock.advance(10_000)
}
