import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Award, Event, Match, Ranking, Team } from '../season/lists.ts'
import { playEvent } from '../synthetic/event.ts'
import { plansOf } from '../synthetic/season.ts'
import { small, startRobotics } from '../testing/app.ts'

let app: Awaited<ReturnType<typeof startRobotics>>
const plans = plansOf({ ...small })
const [plan] = plans
const generated = plan && (playEvent(plan).lists as { matches: Match[]; awards: Award[] })

beforeAll(async () => {
  app = await startRobotics()
  await app.scout.synthetic()
})
afterAll(() => app[Symbol.asyncDispose]())

const json = (path: string) => app.scout.json(`/2026${path}`)

test('the root names the seasons, and the summary is marked as synthetic', async () => {
  expect(await app.scout.json('/')).toMatchObject({ currentSeason: 2026, maxSeason: 2026, apiVersion: '3.0' })
  expect(await json('')).toMatchObject({
    eventCount: 3,
    teamCount: 160,
    gameName: expect.stringContaining('SYNTHETIC'),
  })
})

test('an empty parameter is ignored', async () => {
  const all = await json('/events')
  expect(all.eventCount).toBe(3)
  expect(await json('/events?eventCode=&teamNumber=&districtCode=&weekNumber=&tournamentType=')).toEqual(all)
})

test('events are found by code, team, district, week and type', async () => {
  const { Events } = (await json('/events')) as { Events: Event[] }
  const codes = async (query: string) => ((await json(`/events?${query}`)).Events as Event[]).map(({ code }) => code)
  expect(await codes('eventCode=sy002')).toEqual(['SY002'])
  const team = plans[1]?.teams[0] as number
  expect(await codes(`teamNumber=${team}`)).toEqual(
    plans.filter(({ teams }) => teams.includes(team)).map(({ event }) => event.code),
  )
  const ofType = (type: string) => Events.filter((event) => event.type === type).map(({ code }) => code)
  expect(await codes('tournamentType=regional')).toEqual(ofType('Regional'))
  expect(await codes('excludeDistrict=true')).toEqual(ofType('Regional'))
  const district = Events.find(({ districtCode }) => districtCode)?.districtCode as string
  expect(await codes(`districtCode=${district}`)).toEqual(
    Events.filter(({ districtCode }) => districtCode === district).map(({ code }) => code),
  )
  expect(await codes(`weekNumber=${Events[0]?.weekNumber}`)).toContain('SY001')
})

test('teams are listed 65 to a page, with totals, and can be filtered', async () => {
  const pages = await Promise.all([1, 2, 3, 4].map((page) => json(`/teams?page=${page}`)))
  expect(pages.map(({ teamCountPage }) => teamCountPage)).toEqual([65, 65, 30, 0])
  expect(pages[2]).toMatchObject({ teamCountTotal: 160, pageCurrent: 3, pageTotal: 3 })
  const all = pages.flatMap(({ teams }) => teams as Team[])
  expect(all.map(({ teamNumber }) => teamNumber)).toEqual(Array.from({ length: 160 }, (_, index) => index + 1))
  expect((await json('/teams?teamNumber=12')).teams).toEqual([all[11]])
  expect((await json('/teams?teamNumber=9999')).teams).toEqual([])
  const ohio = all.filter(({ stateProv }) => stateProv === 'Ohio')
  expect((await json('/teams?state=ohio')).teams).toEqual(ohio.slice(0, 65))
  const attending = (await json('/teams?eventCode=SY001')).teams as Team[]
  expect(attending.map(({ teamNumber }) => teamNumber)).toEqual(plan?.teams)
})

test('avatars are PNG images, from 2018 on', async () => {
  const { teams, teamCountTotal } = await json('/avatars?eventCode=SY001')
  expect(teamCountTotal).toBe(plan?.teams.length)
  expect(Buffer.from(teams[0].encodedAvatar, 'base64').subarray(1, 4).toString()).toBe('PNG')
  const response = await app.scout.get('/2017/avatars')
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('2018')])
})

test('matches, scores and schedule are filtered by level, number, range and team', async () => {
  const matches = generated?.matches as Match[]
  const qual = matches.filter(({ tournamentLevel }) => tournamentLevel === 'Qualification')
  const numbers = async (path: string, envelope: string) =>
    ((await json(path))[envelope] as Match[]).map(({ matchNumber }) => matchNumber)
  const expected = qual.map(({ matchNumber }) => matchNumber)
  expect((await json('/matches/SY001')).Matches).toEqual(matches)
  expect((await json('/matches/sy001?tournamentLevel=qual')).Matches).toEqual(qual)
  expect(await numbers('/schedule/SY001?tournamentLevel=Qualification', 'Schedule')).toEqual(expected)
  expect(await numbers('/schedule/SY001?tournamentLevel=qual&matchNumber=7', 'Schedule')).toEqual([7])
  expect(await numbers('/scores/SY001/QUAL', 'MatchScores')).toEqual(expected)
  expect(await numbers('/scores/SY001/qual?start=3&end=5', 'MatchScores')).toEqual([3, 4, 5])
  expect(await numbers('/matches/SY001?tournamentLevel=qual&matchNumber=4&teamNumber=', 'Matches')).toEqual([4])
  const team = plan?.teams[3] as number
  const own = qual.filter(({ teams }) => teams.some(({ teamNumber }) => teamNumber === team))
  expect((await json(`/matches/SY001?tournamentLevel=qual&teamNumber=${team}`)).Matches).toEqual(own)
  expect(await numbers(`/scores/SY001/qual?teamNumber=${team}`, 'MatchScores')).toEqual(
    own.map(({ matchNumber }) => matchNumber),
  )
  expect((await json('/matches/SY001?tournamentLevel=practice')).Matches).toEqual([])
})

test('awards are listed by event, by team across events, by both, and for the season', async () => {
  const awards = generated?.awards as Award[]
  expect((await json('/awards/event/SY001')).Awards).toEqual(awards)
  const team = awards[0]?.teamNumber as number
  const all = await Promise.all(plans.map(({ event }) => json(`/awards/event/${event.code}`)))
  const ofTeam = all.flatMap(({ Awards }) => Awards as Award[]).filter(({ teamNumber }) => teamNumber === team)
  expect((await json(`/awards/team/${team}`)).Awards).toEqual(ofTeam)
  expect((await json(`/awards/eventteam/SY001/${team}`)).Awards).toEqual(
    awards.filter(({ teamNumber }) => teamNumber === team),
  )
  expect((await json('/awards/list')).awards.length).toBeGreaterThan(5)
})

test('the ranking of an event can be limited to the top teams or one team', async () => {
  const { Rankings } = (await json('/rankings/SY001')) as { Rankings: Ranking[] }
  expect(Rankings.map(({ rank }) => rank)).toEqual(Rankings.map((_, index) => index + 1))
  expect((await json('/rankings/SY001?top=3')).Rankings).toEqual(Rankings.slice(0, 3))
  const eighth = Rankings[7] as Ranking
  expect((await json(`/rankings/SY001?teamNumber=${eighth.teamNumber}`)).Rankings).toEqual([eighth])
})

test('a district is ranked by the points of its events', async () => {
  const district = plans.find(({ event }) => event.districtCode)?.event.districtCode as string
  const answer = await json(`/rankings/district?districtCode=${district}`)
  expect(answer).toMatchObject({ pageCurrent: 1, rankingCountPage: answer.districtRanks.length })
  const totals = answer.districtRanks.map(({ totalPoints }: { totalPoints: number }) => totalPoints)
  expect(totals.length).toBeGreaterThan(20)
  expect(totals).toEqual(totals.toSorted((a: number, b: number) => b - a))
  const top = await json(`/rankings/district?districtCode=${district}&top=2`)
  expect(top.districtRanks).toEqual(answer.districtRanks.slice(0, 2))
  for (const path of ['/rankings/district', '/events', '/teams'])
    expect((await app.scout.get(`/2026${path}?districtCode=NOWHERE`)).status, path).toBe(400)
})

test('invalid and unknown requests are refused in plain text', async () => {
  const answers = async (path: string, headers?: Record<string, string>) => {
    const response = await app.scout.get(path, headers)
    return [response.status, response.headers.get('content-type'), (await response.text()).length > 0]
  }
  const plain = 'text/plain; charset=utf-8'
  expect(await answers('/26/events')).toEqual([400, plain, true])
  expect(await answers('/1850/events')).toEqual([400, plain, true])
  expect(await answers('/2999/events')).toEqual([400, plain, true])
  expect(await answers('/2019/events')).toEqual([404, plain, true])
  expect(await answers('/2026/matches/NOSUCH')).toEqual([404, plain, true])
  expect(await answers('/2026/matches/SY001?teamNumber=many')).toEqual([400, plain, true])
  expect(await answers('/2026/matches/SY001?tournamentLevel=final')).toEqual([400, plain, true])
  expect(await answers('/2026/events?tournamentType=Foo')).toEqual([400, plain, true])
  expect(await answers('/2026/matches/SY')).toEqual([400, plain, true])
  expect(await answers('/2026/events?eventCode=TOOLONGCODE1234567890')).toEqual([400, plain, true])
  expect(await answers('/2026/avatars?districtCode=SYA')).toEqual([400, plain, true])
  expect(await answers('/2026/nothing/here')).toEqual([501, plain, true])
  expect(await answers('/2026/events', { authorization: 'Basic bm8=' })).toEqual([401, plain, true])
  const anonymous = await fetch(`${app.scout.at}/2026/events`)
  expect([anonymous.status, anonymous.headers.get('www-authenticate')]).toEqual([401, expect.stringMatching(/^Basic /)])
})

test('the user name is the tenant or the id of the key, and no other', async () => {
  const key = Buffer.from(app.scout.authorization.slice(6), 'base64').toString().split(':')[1]
  const status = async (user: string) => {
    const authorization = `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`
    return (await app.scout.get('/2026/events', { authorization })).status
  }
  expect([await status('scouts'), await status('other'), await status('')]).toEqual([200, 401, 401])
})
