/**
 * A season's rules for points and ranks, as data. Sources: the public game manuals, and the section on district rankings
 * of each year's event rules.
 */
export interface Rules {
  /**
   * How an alliance earns playoff points: by advancing (averages), by won matches of won series, or by its final place
   * (double elimination).
   */
  readonly playoffs: 'averages' | 'series' | 'doubleElimination'
  readonly ranking: RankingRules
}

/** How teams are ranked after the qualification matches. */
export interface RankingRules {
  /** By precedence. `average` divides sums by matches played. */
  readonly orders: readonly Order[]
}

/** A sort order: the sum of some fields of an alliance's score over the matches of a team. */
export interface Order {
  readonly fields: readonly string[]
  /** Fields to subtract, such as points from the other side's fouls. */
  readonly less?: readonly string[]
  /** Adds 2 for a win and 1 for a tie, in games whose scores have no ranking points. */
  readonly results?: true
  readonly of: 'total' | 'average'
}

const total = (...fields: string[]): Order => ({ fields, of: 'total' })
const average = (...fields: string[]): Order => ({ fields, of: 'average' })
const withResults = (order: Order): Order => ({ ...order, results: true })
const withoutFouls: Order = { fields: ['totalPoints'], less: ['foulPoints'], of: 'average' }

/** For games not listed below, and for the synthetic one. */
const defaultRanking: RankingRules = {
  orders: [average('rp'), withoutFouls, average('autoPoints'), average('endgamePoints')],
}

const series = (...orders: Order[]): Rules => ({ playoffs: 'series', ranking: { orders } })
const bracket = (...orders: Order[]): Rules => ({ playoffs: 'doubleElimination', ranking: { orders } })

const bySeason: Readonly<Record<number, Rules>> = {
  2015: {
    playoffs: 'averages',
    ranking: {
      orders: [
        average('totalPoints'),
        total('coopertitionPoints'),
        total('autoPoints'),
        total('containerPoints'),
        total('totePoints'),
        total('litterPoints'),
      ],
    },
  },
  2016: series(
    withResults(total('teleopDefensesBreached', 'teleopTowerCaptured')),
    total('autoPoints'),
    total('teleopScalePoints', 'teleopChallengePoints'),
    total('teleopBoulderPoints', 'autoBoulderPoints'),
    total('teleopCrossingPoints', 'autoCrossingPoints', 'autoReachPoints'),
  ),
  2017: series(
    withResults(average('rotorRankingPointAchieved', 'kPaRankingPointAchieved')),
    total('totalPoints'),
    total('autoPoints'),
    total('autoRotorPoints', 'teleopRotorPoints'),
    total('teleopTakeoffPoints'),
    total('kPaRankingPointAchieved'),
  ),
  2018: series(
    average('rp'),
    total('endgamePoints'),
    total('autoPoints'),
    total('autoOwnershipPoints', 'teleopOwnershipPoints'),
    total('vaultPoints'),
  ),
  2019: series(
    average('rp'),
    total('cargoPoints'),
    total('hatchPanelPoints'),
    total('habClimbPoints'),
    total('sandStormBonusPoints'),
  ),
  2020: series(
    average('rp'),
    total('autoPoints'),
    total('endgamePoints'),
    total('controlPanelPoints', 'teleopCellPoints'),
  ),
  2022: series(
    average('rp'),
    withoutFouls,
    average('endgamePoints'),
    average('autoCargoTotalPoints', 'autoTaxiPoints'),
  ),
  2023: bracket(average('rp'), withoutFouls, average('totalChargeStationPoints'), average('autoPoints')),
  2024: bracket(
    average('rp'),
    average('coopNotePlayed'),
    withoutFouls,
    average('autoPoints'),
    average('endGameTotalStagePoints'),
  ),
  2025: bracket(
    average('rp'),
    average('coopertitionCriteriaMet'),
    withoutFouls,
    average('autoPoints'),
    average('endGameBargePoints'),
  ),
}

export function rulesOf(season: number): Rules {
  return bySeason[season] ?? { playoffs: season >= 2023 ? 'doubleElimination' : 'series', ranking: defaultRanking }
}

/** Points relative to those of a district event. Tournaments without points are not listed. */
export const multipliers: Readonly<Record<string, number>> = {
  Regional: 1,
  DistrictEvent: 1,
  DistrictChampionship: 3,
  DistrictChampionshipWithLevels: 3,
  DistrictChampionshipDivision: 3,
}

/** Points by award name; the first matching pattern counts. */
export const awardPoints: readonly (readonly [pattern: RegExp, points: number])[] = [
  [/\b(winners?|finalists?|wild ?card|volunteer|highest rookie seed|dean'?s list|woodie flowers)\b/i, 0],
  [/\b(chairman'?s|impact) award/i, 10],
  [/\bengineering inspiration|\brookie all[ -]star/i, 8],
  [/./, 5],
]

/** Points by place in a double elimination, by number of alliances. */
export const places: Readonly<Record<number, readonly number[]>> = {
  2: [10],
  4: [20, 10],
  6: [30, 20, 13, 7],
  8: [30, 20, 13, 7],
}

/** Points of a team in its first and second season. */
export const agePoints = [10, 5] as const
