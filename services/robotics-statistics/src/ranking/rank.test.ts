import { expect, test } from 'vitest'
import { rulesOf } from '../points/rules.ts'
import type { Match, MatchScore } from '../season/lists.ts'
import { playEvent } from '../synthetic/event.ts'
import { plansOf } from '../synthetic/season.ts'
import { matchesWithoutDetails, rank } from './rank.ts'

/** A match of teams 1 to 6 with the final scores and the bonuses of each side. */
function playedMatch(
  number: number,
  scores: readonly [number, number],
  red: string,
  blue: string,
  names: readonly string[],
) {
  const [first = '', second = ''] = names
  const side = (alliance: string, bonuses: string) => ({
    alliance,
    [first]: bonuses.includes('1'),
    [second]: bonuses.includes('2'),
    autoPoints: 0,
  })
  const teams = [1, 2, 3, 4, 5, 6].map((teamNumber, index) => ({
    teamNumber,
    station: `${index < 3 ? 'Red' : 'Blue'}${(index % 3) + 1}`,
    dq: false,
  }))
  const match = {
    tournamentLevel: 'Qualification',
    matchNumber: number,
    scoreRedFinal: scores[0],
    scoreBlueFinal: scores[1],
    teams,
  }
  const score = { matchLevel: 'Qualification', matchNumber: number, alliances: [side('Red', red), side('Blue', blue)] }
  return { match: match as unknown as Match, score: score as unknown as MatchScore }
}

test.each([
  [2016, ['teleopDefensesBreached', 'teleopTowerCaptured'], [7, 3]],
  [2017, ['rotorRankingPointAchieved', 'kPaRankingPointAchieved'], [2.33, 1]],
] as const)('ranking points of %i are 2 a win, 1 a tie, and one for each bonus', (season, names, [red, blue]) => {
  const matches = [
    playedMatch(1, [50, 40], '12', '', names),
    playedMatch(2, [30, 30], '', '1', names),
    playedMatch(3, [60, 20], '', '2', names),
  ]
  const rules = rulesOf(season).ranking
  const list = [matches.map(({ match }) => match), matches.map(({ score }) => score)] as const
  const orders = rank(rules, ...list, []).map(({ teamNumber, sortOrder1 }) => [teamNumber, sortOrder1])
  expect(orders).toEqual([1, 2, 3, 4, 5, 6].map((team) => [team, team <= 3 ? red : blue]))
  expect(matchesWithoutDetails(rules, list[0], list[1].slice(1))).toEqual([1])
  const withoutBonuses = { ...list[1][0], alliances: [{ alliance: 'Red' }, { alliance: 'Blue' }] } as MatchScore
  expect(rank(rules, list[0], [withoutBonuses, ...list[1].slice(1)], [])).toEqual([])
})

test('synthetic events of every season are ranked', () => {
  for (let season = 2015; season <= 2026; season++)
    for (const plan of plansOf({ season, events: 1, teams: 40, rounds: 3 }).slice(0, 1)) {
      const { matches, scores, schedule } = playEvent(plan).lists as Record<'matches' | 'scores' | 'schedule', never[]>
      expect(rank(rulesOf(season).ranking, matches, scores, schedule), String(season)).toHaveLength(plan.teams.length)
    }
})
