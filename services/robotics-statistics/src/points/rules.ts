/**
 * What a season's rules say about points and ranks, as data. Sources are the public game manuals and the district ranking
 * section of each year's event rules.
 */
export interface Rules {
  /**
   * How an alliance earns points in the playoffs: by advancing (averages), by matches won in series that it wins, or by
   * the place in which it ends (double elimination).
   */
  readonly playoffs: 'averages' | 'series' | 'doubleElimination'
  readonly ranking: RankingRules
}

/** How teams are ranked after the qualification matches. */
export interface RankingRules {
  /** `average`: sums are divided by matches played. The first order always decides first. */
  readonly orders: readonly Order[]
}

/** One sort order: fields of an alliance's score that are added up, over the matches of a team. */
export interface Order {
  readonly fields: readonly string[]
  /** Fields that are taken off, such as points from the other side's fouls. */
  readonly less?: readonly string[]
  /** Adds 2 for a win and 1 for a tie, in games whose scores have no ranking points. */
  readonly results?: true
  readonly of: 'total' | 'average'
}

const total = (...fields: string[]): Order => ({ fields, of: 'total' })
const average = (...fields: string[]): Order => ({ fields, of: 'average' })
const withResults = (order: Order): Order => ({ ...order, results: true })
const withoutFouls: Order = { fields: ['totalPoints'], less: ['foulPoints'], of: 'average' }

/** Of a game that is not listed, and of the synthetic one. */
const usual: RankingRules = {
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
  return bySeason[season] ?? { playoffs: season >= 2023 ? 'doubleElimination' : 'series', ranking: usual }
}

/** How many times the points of a district event a tournament gives; one that gives none is not listed. */
export const multipliers: Readonly<Record<string, number>> = {
  Regional: 1,
  DistrictEvent: 1,
  DistrictChampionship: 3,
  DistrictChampionshipWithLevels: 3,
  DistrictChampionshipDivision: 3,
}

/** Points by the name of an award: the first pattern that fits counts. */
export const awardPoints: readonly (readonly [pattern: RegExp, points: number])[] = [
  [/\b(winners?|finalists?|wild ?card|volunteer|highest rookie seed|dean'?s list|woodie flowers)\b/i, 0],
  [/\b(chairman'?s|impact) award/i, 10],
  [/\bengineering inspiration|\brookie all[ -]star/i, 8],
  [/./, 5],
]

/** By place in a double elimination, for as many alliances as play in it. */
export const places: Readonly<Record<number, readonly number[]>> = {
  2: [10],
  4: [20, 10],
  6: [30, 20, 13, 7],
  8: [30, 20, 13, 7],
}

/** What a team gets for its age, in its first and second season. */
export const agePoints = [10, 5] as const
