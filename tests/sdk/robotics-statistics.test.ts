import { roboticsStatistics } from '@icosa/robotics-statistics'
import { seed } from '@icosa/robotics-statistics/testing/seed'
import { startTestApp, type TestApp } from '@icosa/testing'
import * as client from 'first-events-api'
import { afterAll, beforeAll, expect, test } from 'vitest'

type Call = (...words: (string | number | undefined)[]) => Promise<Answered>
type Calls<Name extends string> = Readonly<Record<Name, Call>>
interface Answered {
  readonly statusCode: number
  // biome-ignore lint/suspicious/noExplicitAny: responses have any shape
  readonly data: any
}
interface Api {
  readonly season: Calls<`get${'Summary' | `${'Event' | 'Districts' | 'Team' | 'TeamAvatar'}Listings`}`>
  readonly schedule: Calls<'getEventSchedule'>
  readonly matches: Calls<'getEventMatchResults' | 'getScoreDetails'>
  readonly awards: Calls<'getEventAwards' | 'getTeamAwards' | 'getAwardsListings'>
  readonly alliance: Calls<'getEventAlliances'>
  readonly rankings: Calls<'getEventRankings'> & {
    readonly district: Calls<'getDistrictRankings' | 'calculateQualPoints' | 'calculateAlliancePoints'>
  }
}

/** The client's types lack its responses and the HTTP client that it exposes, the only way to set another base URL. */
const { default: open, axios } = client as unknown as {
  readonly default: (options: { username: string; auth: string; season: number }) => Api
  readonly axios: { readonly defaults: { baseURL: string } }
}

function clientOf(app: TestApp, key: string): Api {
  const api = open({ username: 'owner', auth: key, season: 2026 })
  axios.defaults.baseURL = `${app.url}/robotics-statistics/v3.0`
  return api
}

let app: TestApp
let api: Api

beforeAll(async () => {
  app = await startTestApp(roboticsStatistics)
  await seed({ baseUrl: '' }, app)
  api = clientOf(app, await app.key('owner'))
})
afterAll(() => app[Symbol.asyncDispose]())

test('a season has a summary, events, districts, teams and avatars', async () => {
  expect((await api.season.getSummary()).data).toMatchObject({ eventCount: 2, teamCount: 120 })
  const events = await api.season.getEventListings()
  expect(events).toMatchObject({ statusCode: 200, data: { eventCount: 2 } })
  expect((await api.season.getEventListings('SY002')).data).toMatchObject({ eventCount: 1 })
  expect((await api.season.getDistrictsListings()).data).toMatchObject({ districts: expect.any(Array) })
  expect((await api.season.getTeamListings(undefined, undefined, undefined, undefined, 2)).data).toMatchObject({
    teamCountTotal: 120,
    teamCountPage: 55,
    pageCurrent: 2,
    pageTotal: 2,
  })
  expect((await api.season.getTeamAvatarListings(undefined, 7)).data).toMatchObject({
    teams: [{ teamNumber: 7, encodedAvatar: expect.any(String) }],
  })
})

test('an event has a schedule, matches, rankings, alliances and awards', async () => {
  const schedule = (await api.schedule.getEventSchedule('SY001', 'Qualification')).data
  const matches = (await api.matches.getEventMatchResults('SY001', 'qual')).data
  expect(schedule.Schedule).toHaveLength(matches.Matches.length)
  // The client requests the schedule here, too, which is a bug of the client.
  expect((await api.matches.getScoreDetails('SY001', 'qual')).data).toHaveProperty('Schedule')
  const first = (await api.rankings.getEventRankings('SY001', undefined, 1)).data
  expect(first.Rankings).toMatchObject([{ rank: 1 }])
  expect((await api.alliance.getEventAlliances('SY001')).data).toMatchObject({ count: 8 })
  const awards = (await api.awards.getEventAwards('SY001')).data
  const [award] = awards.Awards
  const own = (await api.awards.getTeamAwards(award.teamNumber, 'SY001')).data
  expect(own.Awards).toContainEqual(award)
  expect((await api.awards.getTeamAwards(award.teamNumber)).data).toMatchObject({
    Awards: expect.any(Array),
  })
  expect((await api.awards.getAwardsListings()).data).toMatchObject({ awards: expect.any(Array) })
})

test('districts have a ranking, and points for a rank and an alliance position', async () => {
  const { districts } = (await api.season.getDistrictsListings()).data
  const ranking = await api.rankings.district.getDistrictRankings(districts[0].code)
  expect(ranking.data).toMatchObject({ districtRanks: expect.any(Array), pageCurrent: expect.any(Number) })
  expect((await api.rankings.district.calculateQualPoints('DistrictEvent', 1, 40)).data).toBe(22)
  const second = api.rankings.district.calculateAlliancePoints('DistrictEvent', 'EightAlliance', 2, 'Round2')
  expect((await second).data).toBe(2)
})

test('an unknown event returns 404 in plain text, and a wrong key 401', async () => {
  const refused = (status: number) => ({ response: { status, data: expect.any(String) } })
  await expect(api.rankings.getEventRankings('NOSUCH')).rejects.toMatchObject(refused(404))
  const unauthorized = clientOf(app, 'wrong')
  await expect(unauthorized.season.getSummary()).rejects.toMatchObject(refused(401))
})
