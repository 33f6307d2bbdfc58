import type { GivenEvent } from '../import/given.ts'
import { rulesOf } from '../points/rules.ts'
import { rank } from '../ranking/rank.ts'
import type { Alliance, Award, Event, Match, MatchScore, ScheduledMatch } from '../season/lists.ts'
import { eightAlliances, finalists, type Slot } from './bracket.ts'
import { type Fixture, later, type PlayedMatch, play, type Strength, scheduledAs } from './game.ts'
import { type Random, randomOf } from './random.ts'

export interface EventPlan {
  readonly season: number
  readonly event: Event
  readonly teams: readonly number[]
  readonly seed: number
  /** Number of qualification matches of every team. */
  readonly rounds: number
  /** Number of qualification matches played so far; the playoffs follow the last. */
  readonly played: number
}

/** Generates an event with its schedule and the results so far. */
export function playEvent({ season, event, teams, seed, rounds, played }: EventPlan): GivenEvent {
  const random = randomOf(season, seed)
  const strengths = new Map(teams.map((team) => [team, random.around(70, 60) + 10]))
  const strengthOf: Strength = (team) => Math.max(8, strengths.get(team) ?? 40)
  const first = `${event.dateStart?.slice(0, 10) ?? `${season}-03-01`}T09:00:00`
  const fixtures = qualification(teams, rounds, first, random)
  const rules = rulesOf(season).ranking
  const [deciding] = rules.orders
  const bonuses = deciding?.results ? deciding.fields : undefined
  const results = fixtures.slice(0, played).map((fixture) => play(fixture, strengthOf, random, bonuses))
  const schedule: ScheduledMatch[] = fixtures.map(scheduledAs)
  const matches: Match[] = results.map(({ match }) => match)
  const scores: MatchScore[] = results.map(({ score }) => score)
  const attendance = teams.map((teamNumber) => ({ teamNumber }))
  if (played < fixtures.length)
    return { code: event.code, lists: { attendance, schedule, matches, scores, alliances: [], awards: [] } }
  const order = rank(rules, matches, scores, schedule).map(({ teamNumber }) => teamNumber)
  const alliances = selectAlliances(order)
  const playoffs = playPlayoffs(alliances, later(first, 24 * 60), strengthOf, random)
  const awards = awardsOf(event, order, alliances, playoffs, random)
  return {
    code: event.code,
    lists: {
      attendance,
      schedule: [...schedule, ...playoffs.fixtures.map(scheduledAs)],
      matches: [...matches, ...playoffs.results.map(({ match }) => match)],
      scores: [...scores, ...playoffs.results.map(({ score }) => score)],
      alliances,
      awards,
    },
  }
}

/** Schedules teams in random order, six to a match. */
function qualification(teams: readonly number[], rounds: number, first: string, random: Random): Fixture[] {
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

/** Replaces teams that occur twice in a match. */
function distinct(six: readonly number[], teams: readonly number[]): number[] {
  const used = new Set<number>()
  return six.map((team) => {
    const isFree = (candidate: number) => !used.has(candidate) && !six.includes(candidate)
    const unique = used.has(team) ? (teams.find(isFree) ?? team) : team
    used.add(unique)
    return unique
  })
}

/** Alliance selection: each captain picks the best remaining team, in order and then in reverse. */
function selectAlliances(order: readonly number[]): Alliance[] {
  const captains: number[] = []
  const remaining = [...order]
  const firsts: number[] = []
  for (let number = 1; number <= 8; number++) {
    captains.push(remaining.shift() as number)
    firsts.push(remaining.shift() as number)
  }
  const seconds: number[] = []
  for (let number = 8; number >= 1; number--) seconds[number - 1] = remaining.shift() as number
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
  readonly fixtures: readonly Fixture[]
  readonly results: readonly PlayedMatch[]
  readonly champion: number
  readonly finalist: number
}

function playPlayoffs(alliances: readonly Alliance[], first: string, strengthOf: Strength, random: Random): Playoffs {
  const outcomes = new Map<number, { readonly winner: number; readonly loser: number }>()
  const fixtures: Fixture[] = []
  const results: PlayedMatch[] = []
  const fieldOf = (number: number) => {
    const { captain, round1, round2 } = alliances[number - 1] as Alliance
    return [captain, round1, round2] as number[]
  }
  const allianceIn = (slot: Slot): number => {
    if ('seed' in slot) return slot.seed
    const outcome = outcomes.get('winnerOf' in slot ? slot.winnerOf : slot.loserOf)
    return ('winnerOf' in slot ? outcome?.winner : outcome?.loser) as number
  }
  const playMatch = (number: number, description: string, red: number, blue: number) => {
    const startTime = later(first, number * 9)
    const fixture = {
      level: 'Playoff',
      number,
      description,
      startTime,
      red: fieldOf(red),
      blue: fieldOf(blue),
    } as const
    const result = play(fixture, strengthOf, random)
    fixtures.push(fixture)
    results.push(result)
    return result.redWins ? { winner: red, loser: blue } : { winner: blue, loser: red }
  }
  for (const { number, round, red, blue } of eightAlliances)
    outcomes.set(number, playMatch(number, `Match ${number} (R${round})`, allianceIn(red), allianceIn(blue)))
  const [red, blue] = [allianceIn(finalists.red), allianceIn(finalists.blue)]
  const wins = new Map([
    [red, 0],
    [blue, 0],
  ])
  for (let game = 1; Math.max(...wins.values()) < 2; game++) {
    const { winner } = playMatch(eightAlliances.length + game, `Final ${game}`, red, blue)
    wins.set(winner, (wins.get(winner) ?? 0) + 1)
  }
  const champion = wins.get(red) === 2 ? red : blue
  return { fixtures, results, champion, finalist: champion === red ? blue : red }
}

/** Awards of the synthetic season by the ids of its award listing. */
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
  const teamsIn = (number: number) => {
    const { captain, round1, round2 } = alliances[number - 1] as Alliance
    return [captain, round1, round2] as number[]
  }
  const judged = random.shuffled(order)
  return [
    ...teamsIn(champion).map((team, index) => award(1, team, index + 1)),
    ...teamsIn(finalist).map((team, index) => award(2, team, index + 1)),
    ...[10, 11, 12, 20, 21, 22].map((id, index) => award(id, judged[index] as number, 1)),
  ]
}
