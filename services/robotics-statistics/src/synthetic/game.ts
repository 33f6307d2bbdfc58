import type { Match, MatchScore, ScheduledMatch } from '../season/lists.ts'
import type { Random } from './random.ts'

// The synthetic game, made up here: robots load crates onto ships. An alliance scores on its own (auto), driven (teleop)
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

export interface Setting {
  readonly level: 'Qualification' | 'Playoff'
  readonly number: number
  readonly description: string
  readonly startTime: string
  readonly red: readonly number[]
  readonly blue: readonly number[]
}

const seated = (teams: readonly number[], color: 'Red' | 'Blue') =>
  teams.map((teamNumber, index) => ({ teamNumber, station: `${color}${index + 1}` as 'Red1' }))

export function scheduledAs({ level, number, description, startTime, red, blue }: Setting): ScheduledMatch {
  const teams = [...seated(red, 'Red'), ...seated(blue, 'Blue')].map((one) => ({ ...one, surrogate: false }))
  return { field: 'Primary', tournamentLevel: level, description, startTime, matchNumber: number, teams }
}

export interface PlayedMatch {
  readonly match: Match
  readonly score: MatchScore
  readonly redWins: boolean
}

const bonusFields = ['earlyStartBonus', 'dockingBonus']

/** Plays a match; in the playoffs nobody ties. The two bonuses have the names of the season's game. */
export function play(
  setting: Setting,
  strengthOf: Strength,
  random: Random,
  [early, docked]: readonly string[] = bonusFields,
): PlayedMatch {
  const { level, number, description, startTime } = setting
  const red = playSide(setting.red, strengthOf, random)
  const blue = playSide(setting.blue, strengthOf, random)
  const totalOf = (own: Side, other: Side) =>
    own.autoPoints + own.teleopPoints + own.endgamePoints + other.foulCount * foulWorth
  const decider = level === 'Playoff' && totalOf(red, blue) === totalOf(blue, red) ? 1 : 0
  const redTotal = totalOf(red, blue) + decider
  const blueTotal = totalOf(blue, red)
  const shown = (own: Side, other: Side, total: number, against: number, color: 'Red' | 'Blue') => ({
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
    alliances: [shown(blue, red, blueTotal, redTotal, 'Blue'), shown(red, blue, redTotal, blueTotal, 'Red')],
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
    teams: [...seated(setting.red, 'Red'), ...seated(setting.blue, 'Blue')].map((one) => ({ ...one, dq: false })),
  }
  return { match, score, redWins: redTotal > blueTotal }
}

/** A local time without a zone, so many minutes later. */
export function later(time: string, minutes: number): string {
  return new Date(Date.parse(`${time}Z`) + minutes * 60_000).toISOString().slice(0, 19)
}
