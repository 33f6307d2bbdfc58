import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRobotics } from '../testing/app.ts'

let app: Awaited<ReturnType<typeof startRobotics>>

beforeAll(async () => {
  app = await startRobotics()
  const empty = { whole: async () => ({ lists: {} }), async *events() {} }
  for (const season of [2019, 2026]) await app.scout.import({ season, ...empty })
})
afterAll(() => app[Symbol.asyncDispose]())

async function points(season: number, calculation: string, query: Record<string, string | number>) {
  const parameters = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const response = await app.scout.get(`/${season}/rankings/district/${calculation}Calculation?${parameters}`)
  return response.status === 200 ? response.json() : [response.status, await response.text()]
}

test('the three calculations return a bare number', async () => {
  const qual = { tournamentType: 'DistrictEvent', qualificationRank: 17, teamsAtEvent: 24 }
  expect(await points(2026, 'qualPerformance', qual)).toBe(10)
  expect(await points(2026, 'qualPerformance', { ...qual, tournamentType: 'DistrictChampionship' })).toBe(30)
  const selection = {
    tournamentType: 'DistrictEvent',
    sizeType: 'EightAlliance',
    allianceNumber: 2,
    allianceRole: 'Round2',
  }
  expect(await points(2026, 'allianceSelection', selection)).toBe(2)
  const wins = { tournamentType: 'DistrictEvent', quarterFinalWins: 2, semiFinalWins: 2, finalWins: 0 }
  expect(await points(2019, 'playoffAdvancement', wins)).toBe(20)
  expect(await points(2026, 'playoffAdvancement', { tournamentType: 'DistrictEvent', place: 3 })).toBe(13)
})

test('impossible calculations are refused with a hint what to send instead', async () => {
  const qual = { tournamentType: 'DistrictEvent', qualificationRank: 30, teamsAtEvent: 24 }
  expect(await points(2026, 'qualPerformance', qual)).toEqual([400, expect.stringContaining('at most')])
  const offseason = { ...qual, tournamentType: 'OffSeason', qualificationRank: 1 }
  expect(await points(2026, 'qualPerformance', offseason)).toEqual([400, expect.stringContaining('awards no points')])
  const wins = { tournamentType: 'DistrictEvent', finalWins: 2 }
  expect(await points(2026, 'playoffAdvancement', wins)).toEqual([400, expect.stringContaining('send place')])
  const place = { tournamentType: 'DistrictEvent', place: 1 }
  expect(await points(2019, 'playoffAdvancement', place)).toEqual([400, expect.stringContaining('quarterFinalWins')])
})
