import type { GivenEvent } from '../import/given.ts'
import { rulesOf } from '../points/rules.ts'
import { rank } from '../ranking/rank.ts'
import type { Alliance, Award, Event, Match, MatchScore, ScheduledMatch } from '../season/lists.ts'
import { eightAlliances, finalists, type Slot } from './bracket.ts'
import { later, type PlayedMatch, play, type Setting, type Strength, scheduledAs } from './game.ts'
import { type Random, randomOf } from './random.ts'

export interface EventPlan {
  readonly season: number
  readonly event: Event
  readonly teams: readonly number[]
  readonly seed: number
  /** How many qualification matches every team plays. */
  readonly rounds: number
  /** How many of the qualification matches have been played; the playoffs follow when all have. */
  readonly played: number
}

/** A synthetic event: its schedule, and as much of its results as has been played. */
export function playEvent({ season, event, teams, seed, rounds, played }: EventPlan): GivenEvent {
  const random = randomOf(season, seed)
  const strengths = new Map(teams.map((team) => [team, random.around(70, 60) + 10]))
  const strengthOf: Strength = (team) => Math.max(8, strengths.get(team) ?? 40)
  const first = `${event.dateStart?.slice(0, 10) ?? `${season}-03-01`}T09:00:00`
  const settings = qualification(teams, rounds, first, random)
  const rules = rulesOf(season).ranking
  const [deciding] = rules.orders
  const bonuses = deciding?.results ? deciding.fields : undefined
  const results = settings.slice(0, played).map((setting) => play(setting, strengthOf, random, bonuses))
  const schedule: ScheduledMatch[] = settings.map(scheduledAs)
  const matches: Match[] = results.map(({ match }) => match)
  const scores: MatchScore[] = results.map(({ score }) => score)
  const attendance = teams.map((teamNumber) => ({ teamNumber }))
  if (played < settings.length)
    return { code: event.code, lists: { attendance, schedule, matches, scores, alliances: [], awards: [] } }
  const order = rank(rules, matches, scores, schedule).map(({ teamNumber }) => teamNumber)
  const alliances = choose(order)
  const playoffs = playOff(alliances, later(first, 24 * 60), strengthOf, random)
  const awards = awardsOf(event, order, alliances, playoffs, random)
  return {
    code: event.code,
    lists: {
      attendance,
      schedule: [...schedule, ...playoffs.settings.map(scheduledAs)],
      matches: [...matches, ...playoffs.results.map(({ match }) => match)],
      scores: [...scores, ...playoffs.results.map(({ score }) => score)],
      alliances,
      awards,
    },
  }
}

/** Teams in random order, six to a match; those left over play with the first of the next order. */
function qualification(teams: readonly number[], rounds: number, first: string, random: Random): Setting[] {
  const seats: number[] = []
  for (let round = 0; round < rounds; round++) seats.push(...random.shuffled(teams))
  while (seats.length % 6 !== 0) seats.pop()
  return Array.from({ length: seats.length / 6 }, (_, index) => {
    const six = distinct(seats.slice(index * 6, index * 6 + 6), teams)
    return {
      level: 'Qualification',
      number: index + 1,
      description: `Qualification ${index + 1}`,
      startTime: later(first, index * 7),
      red: six.slice(0, 3),
      blue: six.slice(3),
    }
  })
}

/** Nobody stands in two places of a match. */
function distinct(six: readonly number[], teams: readonly number[]): number[] {
  const seen = new Set<number>()
  return six.map((team) => {
    const fits = seen.has(team) ? (teams.find((one) => !seen.has(one) && !six.includes(one)) ?? team) : team
    seen.add(fits)
    return fits
  })
}

/** The first eight are captains and choose the best who are left, the first alliance first, then in reverse. */
function choose(order: readonly number[]): Alliance[] {
  const captains: number[] = []
  const left = [...order]
  const firsts: number[] = []
  for (let number = 1; number <= 8; number++) {
    captains.push(left.shift() as number)
    firsts.push(left.shift() as number)
  }
  const seconds: number[] = []
  for (let number = 8; number >= 1; number--) seconds[number - 1] = left.shift() as number
  return captains.map((captain, index) => ({
    number: index + 1,
    name: `Alliance ${index + 1}`,
    captain,
    round1: firsts[index] as number,
    round2: seconds[index] as number,
    round3: null,
    backup: null,
    backupReplaced: null,
  }))
}

interface Playoffs {
  readonly settings: readonly Setting[]
  readonly results: readonly PlayedMatch[]
  readonly champion: number
  readonly finalist: number
}

function playOff(alliances: readonly Alliance[], first: string, strengthOf: Strength, random: Random): Playoffs {
  const outcomes = new Map<number, { readonly winner: number; readonly loser: number }>()
  const settings: Setting[] = []
  const results: PlayedMatch[] = []
  const fieldOf = (number: number) => {
    const { captain, round1, round2 } = alliances[number - 1] as Alliance
    return [captain, round1, round2] as number[]
  }
  const who = (slot: Slot): number => {
    if ('seed' in slot) return slot.seed
    const outcome = outcomes.get('winnerOf' in slot ? slot.winnerOf : slot.loserOf)
    return ('winnerOf' in slot ? outcome?.winner : outcome?.loser) as number
  }
  const meet = (number: number, description: string, red: number, blue: number) => {
    const startTime = later(first, number * 9)
    const setting = {
      level: 'Playoff',
      number,
      description,
      startTime,
      red: fieldOf(red),
      blue: fieldOf(blue),
    } as const
    const result = play(setting, strengthOf, random)
    settings.push(setting)
    results.push(result)
    return result.redWins ? { winner: red, loser: blue } : { winner: blue, loser: red }
  }
  for (const { number, round, red, blue } of eightAlliances)
    outcomes.set(number, meet(number, `Match ${number} (R${round})`, who(red), who(blue)))
  const [red, blue] = [who(finalists.red), who(finalists.blue)]
  const wins = new Map([
    [red, 0],
    [blue, 0],
  ])
  for (let game = 1; Math.max(...wins.values()) < 2; game++) {
    const { winner } = meet(eightAlliances.length + game, `Final ${game}`, red, blue)
    wins.set(winner, (wins.get(winner) ?? 0) + 1)
  }
  const champion = wins.get(red) === 2 ? red : blue
  return { settings, results, champion, finalist: champion === red ? blue : red }
}

/** Awards of the synthetic season, with the ids that they have in its listing. */
export const awardNames: readonly (readonly [id: number, name: string])[] = [
  [1, 'Event Winner'],
  [2, 'Event Finalist'],
  [10, 'FIRST Impact Award'],
  [11, 'Engineering Inspiration Award'],
  [12, 'Rookie All Star Award'],
  [20, 'Quality Award'],
  [21, 'Creativity Award'],
  [22, 'Team Spirit Award'],
]

function awardsOf(
  event: Event,
  order: readonly number[],
  alliances: readonly Alliance[],
  { champion, finalist }: Playoffs,
  random: Random,
): Award[] {
  const nameOf = new Map(awardNames)
  const award = (awardId: number, teamNumber: number, series: number): Award => ({
    awardId,
    teamId: 100_000 + teamNumber,
    eventId: null,
    eventDivisionId: null,
    eventCode: event.code,
    name: nameOf.get(awardId) as string,
    series,
    teamNumber,
    schoolName: null,
    fullTeamName: `Synthetic Team ${teamNumber}`,
    person: null,
    cmpQualifying: false,
    cmpQualifyingReason: null,
  })
  const team = (number: number) => {
    const { captain, round1, round2 } = alliances[number - 1] as Alliance
    return [captain, round1, round2] as number[]
  }
  const judged = random.shuffled(order)
  return [
    ...team(champion).map((one, index) => award(1, one, index + 1)),
    ...team(finalist).map((one, index) => award(2, one, index + 1)),
    ...[10, 11, 12, 20, 21, 22].map((id, index) => award(id, judged[index] as number, 1)),
  ]
}
