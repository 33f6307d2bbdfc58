import { sized } from '@icosa/testing'
import { expect, test } from 'vitest'
import { rank } from '../ranking/rank.ts'
import type { Alliance, Award, Match, MatchScore, ScheduledMatch } from '../season/lists.ts'
import { playEvent } from '../synthetic/event.ts'
import { plansOf } from '../synthetic/season.ts'
import { pointsOf } from './event.ts'
import { rulesOf } from './rules.ts'

// An independent calculation over generated events: ranks by comparing every pair of teams, the formula by numerical
// integration and bisection, playoffs by eliminating alliances.

interface Lists {
  readonly matches: Match[]
  readonly scores: MatchScore[]
  readonly schedule: ScheduledMatch[]
  readonly alliances: Alliance[]
  readonly awards: Award[]
}

const count = sized(40, 500)
const plans = plansOf({ season: 2026, events: count, teams: 800, seed: 77, rounds: 6 })

/** Sums of a team over its qualification matches: rp, points without fouls, auto, endgame. */
function sumsOf(team: number, { matches, scores }: Lists): number[] {
  const own = matches.filter(
    ({ tournamentLevel, teams }) =>
      tournamentLevel === 'Qualification' && teams.some(({ teamNumber }) => teamNumber === team),
  )
  const sums = [0, 0, 0, 0]
  for (const { matchNumber, teams } of own) {
    const color = teams.find(({ teamNumber }) => teamNumber === team)?.station.startsWith('Red') ? 'Red' : 'Blue'
    const score = scores.find(
      ({ matchLevel, matchNumber: number }) => matchLevel === 'Qualification' && number === matchNumber,
    )
    const side = (score?.alliances.find(({ alliance }) => alliance === color) ?? {}) as Record<string, number>
    const { rp = 0, totalPoints = 0, foulPoints = 0, autoPoints = 0, endgamePoints = 0 } = side
    for (const [nth, value] of [rp, totalPoints - foulPoints, autoPoints, endgamePoints].entries())
      sums[nth] = (sums[nth] ?? 0) + value
  }
  return sums.map((sum) => sum / own.length)
}

/** Ranks a team by the number of teams ahead of it. */
function ranksOf(teams: readonly number[], lists: Lists): Map<number, number> {
  const sums = new Map(teams.map((team) => [team, sumsOf(team, lists)]))
  const isAhead = (team: number, other: number) => {
    const [a = [], b = []] = [sums.get(team), sums.get(other)]
    for (let nth = 0; nth < 4; nth++) {
      const gap = (a[nth] ?? 0) - (b[nth] ?? 0)
      if (Math.abs(gap) > 1e-9) return gap > 0
    }
    return team < other
  }
  return new Map(
    teams.map((team) => [team, 1 + teams.filter((other) => other !== team && isAhead(other, team)).length]),
  )
}

/** Integrates by Simpson's rule. */
function erf(x: number): number {
  const steps = 400
  const f = (t: number) => Math.exp(-t * t)
  let sum = f(0) + f(x)
  for (let step = 1; step < steps; step++) sum += (step % 2 === 0 ? 2 : 4) * f((x * step) / steps)
  return ((2 / Math.sqrt(Math.PI)) * (sum * (x / steps))) / 3
}

const inverses = new Map<number, number>()

function inverseErf(y: number): number {
  const cached = inverses.get(y)
  if (cached !== undefined) return cached
  let [low, high] = [-4, 4]
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    if (erf(middle) < y) low = middle
    else high = middle
  }
  inverses.set(y, low)
  return low
}

const qualification = (rank: number, teams: number) =>
  Math.ceil(inverseErf((teams - 2 * rank + 2) / (1.07 * teams)) * (10 / inverseErf(1 / 1.07)) + 12 - 1e-9)

/** Eliminates alliances after two losses; the last one before the final is third, the one before that fourth. */
function playoff({ matches, alliances }: Lists): Map<number, number> {
  const numberOf = (team: number | null | undefined) =>
    alliances.find(({ captain, round1, round2 }) => [captain, round1, round2].includes(team))?.number as number
  const losses = new Map<number, number>()
  const eliminated: number[] = []
  const wins = new Map<number, number>()
  for (const match of matches.filter(({ tournamentLevel }) => tournamentLevel === 'Playoff')) {
    const [red, blue] = [numberOf(match.teams[0]?.teamNumber), numberOf(match.teams[3]?.teamNumber)]
    const [winner, loser] = Number(match.scoreRedFinal) > Number(match.scoreBlueFinal) ? [red, blue] : [blue, red]
    if (match.description?.startsWith('Final')) wins.set(winner, (wins.get(winner) ?? 0) + 1)
    else losses.set(loser, (losses.get(loser) ?? 0) + 1)
    if (losses.get(loser) === 2 && !eliminated.includes(loser)) eliminated.push(loser)
  }
  const champion = [...wins].find(([, count]) => count === 2)?.[0] as number
  const finalist = alliances
    .map(({ number }) => number)
    .find((number) => number !== champion && !eliminated.includes(number)) as number
  const places = [champion, finalist, ...eliminated.toReversed()]
  const worth = [30, 20, 13, 7, 0, 0, 0, 0]
  return new Map(
    alliances.flatMap(({ number, captain, round1, round2 }) =>
      [captain, round1, round2].map((team) => [team as number, worth[places.indexOf(number)] ?? 0]),
    ),
  )
}

test(`ranks and points of ${count} generated events equal those of an independent calculation`, () => {
  let teams = 0
  for (const plan of plans) {
    const lists = playEvent(plan).lists as unknown as Lists
    const ranks = ranksOf(plan.teams, lists)
    const rankings = rank(rulesOf(2026).ranking, lists.matches, lists.scores, lists.schedule)
    expect(new Map(rankings.map((row) => [row.teamNumber, row.rank]))).toEqual(
      new Map([...ranks].sort(([, a], [, b]) => a - b)),
    )
    const factor = plan.event.type === 'DistrictChampionship' ? 3 : 1
    const inPlayoff = playoff(lists)
    const ours = pointsOf({ ...lists, season: 2026, event: plan.event, rankings })
    for (const points of ours) {
      const { teamNumber } = points
      const first = lists.alliances.find(({ captain, round1 }) => [captain, round1].includes(teamNumber))
      const second = lists.alliances.find(({ round2 }) => round2 === teamNumber)
      const awards = lists.awards.filter((award) => award.teamNumber === teamNumber)
      const worth = awards.map(({ awardId }) => ({ 1: 0, 2: 0, 10: 10, 11: 8, 12: 8 })[awardId] ?? 5)
      const expected = {
        qualification: qualification(ranks.get(teamNumber) as number, plan.teams.length) * factor,
        alliance: (first ? 17 - first.number : (second?.number ?? 0)) * factor,
        playoff: (inPlayoff.get(teamNumber) ?? 0) * factor,
        award: worth.reduce((sum, points) => sum + points, 0) * factor,
      }
      expect(points).toMatchObject(expected)
      teams++
    }
    expect(ours.length).toBe(plan.teams.length)
  }
  console.log(`${plans.length} events, ${teams} teams`)
  expect(teams).toBeGreaterThan(plans.length * 25)
})
