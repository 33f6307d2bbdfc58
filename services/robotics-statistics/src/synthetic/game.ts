import type { Match, MatchScore, ScheduledMatch } from '../season/lists.ts'
import type { Random } from './random.ts'

// The synthetic game is fictional: robots load crates onto ships. An alliance scores autonomously (auto), driven (teleop)
// and by docking at the end; it gets ranking points for a win, for an early start and for docking.

export type Strength = (team: number) => number

interface Side {
  readonly teams: readonly number[]
  readonly autoPoints: number
  readonly teleopPoints: number
  readonly endgamePoints: number
  readonly foulCount: number
}

function playSide(teams: readonly number[], strengthOf: Strength, random: Random): Side {
  const strength = teams.reduce((sum, team) => sum + strengthOf(team), 0) / teams.length
  const points = (share: number) => Math.max(0, Math.round(random.around(strength * share, strength * share * 0.6)))
  return {
    teams,
    autoPoints: points(0.25),
    teleopPoints: points(0.55),
    endgamePoints: points(0.2),
    foulCount: random.chance(0.3) ? 1 + random.below(3) : 0,
  }
}

const foulWorth = 4

export interface Fixture {
  readonly level: 'Qualification' | 'Playoff'
  readonly number: number
  readonly description: string
  readonly startTime: string
  readonly red: readonly number[]
  readonly blue: readonly number[]
}

const stationsOf = (teams: readonly number[], color: 'Red' | 'Blue') =>
  teams.map((teamNumber, index) => ({ teamNumber, station: `${color}${index + 1}` as 'Red1' }))

export function scheduledAs({ level, number, description, startTime, red, blue }: Fixture): ScheduledMatch {
  const teams = [...stationsOf(red, 'Red'), ...stationsOf(blue, 'Blue')].map((team) => ({ ...team, surrogate: false }))
  return { field: 'Primary', tournamentLevel: level, description, startTime, matchNumber: number, teams }
}

export interface PlayedMatch {
  readonly match: Match
  readonly score: MatchScore
  readonly redWins: boolean
}

const bonusFields = ['earlyStartBonus', 'dockingBonus']

/** Plays a match; playoff matches never tie. The two bonuses are named as in the season's game. */
export function play(
  fixture: Fixture,
  strengthOf: Strength,
  random: Random,
  [early, docked]: readonly string[] = bonusFields,
): PlayedMatch {
  const { level, number, description, startTime } = fixture
  const red = playSide(fixture.red, strengthOf, random)
  const blue = playSide(fixture.blue, strengthOf, random)
  const totalOf = (own: Side, other: Side) =>
    own.autoPoints + own.teleopPoints + own.endgamePoints + other.foulCount * foulWorth
  const decider = level === 'Playoff' && totalOf(red, blue) === totalOf(blue, red) ? 1 : 0
  const redTotal = totalOf(red, blue) + decider
  const blueTotal = totalOf(blue, red)
  const scoreOf = (own: Side, other: Side, total: number, against: number, color: 'Red' | 'Blue') => ({
    alliance: color,
    autoPoints: own.autoPoints,
    teleopPoints: own.teleopPoints + (color === 'Red' ? decider : 0),
    endgamePoints: own.endgamePoints,
    [early ?? '']: own.autoPoints >= 20,
    [docked ?? '']: own.endgamePoints >= 16,
    foulCount: own.foulCount,
    foulPoints: other.foulCount * foulWorth,
    adjustPoints: 0,
    rp:
      level === 'Playoff'
        ? 0
        : (total > against ? 3 : total === against ? 1 : 0) +
          (own.autoPoints >= 20 ? 1 : 0) +
          (own.endgamePoints >= 16 ? 1 : 0),
    totalPoints: total,
  })
  const score = {
    matchLevel: level,
    matchNumber: number,
    winningAlliance: redTotal > blueTotal ? 1 : redTotal < blueTotal ? 2 : 0,
    alliances: [scoreOf(blue, red, blueTotal, redTotal, 'Blue'), scoreOf(red, blue, redTotal, blueTotal, 'Red')],
  }
  const match: Match = {
    isReplay: false,
    matchVideoLink: null,
    description,
    matchNumber: number,
    tournamentLevel: level,
    scoreRedFinal: redTotal,
    scoreRedFoul: blue.foulCount * foulWorth,
    scoreRedAuto: red.autoPoints,
    scoreBlueFinal: blueTotal,
    scoreBlueFoul: red.foulCount * foulWorth,
    scoreBlueAuto: blue.autoPoints,
    autoStartTime: startTime,
    actualStartTime: startTime,
    postResultTime: later(startTime, 4),
    teams: [...stationsOf(fixture.red, 'Red'), ...stationsOf(fixture.blue, 'Blue')].map((team) => ({
      ...team,
      dq: false,
    })),
  }
  return { match, score, redWins: redTotal > blueTotal }
}

/** Adds minutes to a local time without a zone. */
export function later(time: string, minutes: number): string {
  return new Date(Date.parse(`${time}Z`) + minutes * 60_000).toISOString().slice(0, 19)
}
