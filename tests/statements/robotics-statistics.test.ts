import { isDeepStrictEqual as same } from 'node:util'
import { playEvent } from '../../services/robotics-statistics/src/synthetic/event.ts'
import {
  awardsOfLake,
  district,
  type Get,
  given,
  has,
  imported,
  type Json,
  plan,
  plans,
  played,
  selection,
} from './robotics-statistics/data.ts'
import { calculations, conditions, matches, rankings } from './robotics-statistics/results.ts'
import { type Node, statementsOf } from './statements.ts'

const at = '/robotics-statistics/v3.0'
const basic = (user: string, key: string) => `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`
const authorization = basic('dev', 'icosa-dev-key')
const qual = 'tournamentType=DistrictEvent&qualificationRank=1&teamsAtEvent=40'

/** Every path of the specification below a season, with the field of its answer that contains the items. */
const operations: readonly (readonly [path: string, envelope?: string])[] = [
  [''],
  ['/events', 'Events'],
  ['/districts', 'districts'],
  ['/teams', 'teams'],
  ['/avatars', 'teams'],
  ['/awards/event/SY001', 'Awards'],
  ['/awards/list', 'awards'],
  ['/awards/team/1', 'Awards'],
  ['/awards/eventteam/SY001/1', 'Awards'],
  ['/scores/SY001/qual', 'MatchScores'],
  ['/matches/SY001', 'Matches'],
  [`${district}/qualPerformanceCalculation?${qual}`],
  [`${district}/allianceSelectionCalculation?${selection}`],
  [`${district}/playoffAdvancementCalculation?tournamentType=DistrictEvent&place=1`],
  ['/rankings/SY001', 'Rankings'],
  [`${district}?districtCode=NORTH`, 'districtRanks'],
  ['/schedule/SY001', 'Schedule'],
  ['/alliances/SY001', 'Alliances'],
]

statementsOf('S6', ['robotics-statistics'], async (node) => {
  const get: Get = (path, headers = {}) => node.call(at + path, { headers: { authorization, ...headers } })
  await node.instance.app.clock.set('2026-03-01T12:00:00Z')
  await imported(node)
  await everyOperation(node, get)
  await listings(node, get)
  await events(node, get)
  await matches(node, get)
  await rankings(node, get)
  await calculations(node, get)
  await conditions(node, get)
})

async function everyOperation({ call, holds, instance }: Node, get: Get): Promise<void> {
  const paths = ['/', ...operations.map(([path]) => `/2026${path}`)]
  const fault = instance.app.faults.add({ target: 'robotics-statistics:*', kind: 'error', code: '500' })
  for (const path of paths) {
    const { status, json, text } = await get(path)
    const isObject = json?.code === 500 && typeof json.message === 'string'
    holds(`a server error of ${path} is 500 with code (int) and message (str)`, status === 500 && isObject, text)
  }
  instance.app.faults.clear(fault.id)
  for (const path of paths) {
    const anonymous = await call(at + path)
    holds(`${path} without HTTP Basic is 401`, anonymous.status === 401, anonymous.text)
    const { status, headers, json, text } = await get(path)
    const isJson = headers.get('content-type')?.startsWith('application/json')
    const envelope = operations.find(([own]) => `/2026${own}` === path)?.[1]
    const isRight = envelope === undefined ? json !== undefined : Array.isArray(json?.[envelope])
    holds(`${path} answers JSON with ${envelope ?? 'what it is'}`, status === 200 && isJson && isRight, text)
  }
  for (const path of paths.slice(1)) {
    const { status, headers, text } = await get(path.replace('2026', '1991'))
    const isPlain = headers.get('content-type')?.startsWith('text/plain') && text.includes('1991')
    holds(`${path} of a year before the first season is 400 in plain text`, status === 400 && isPlain, text)
  }
  const anonymous = await call(`${at}/`)
  holds('401 asks for HTTP Basic', /^Basic /.test(anonymous.headers.get('www-authenticate') ?? ''))
  for (const [what, wrong] of [
    ['a wrong key', basic('dev', 'wrong')],
    ['the key of another user name', basic('somebody', 'icosa-dev-key')],
    ['what is not Base64', 'Basic !!!'],
    ['a bearer token', 'Bearer icosa-dev-key'],
  ] as const)
    holds(`${what} is 401`, (await get('/2026/events', { authorization: wrong })).status === 401)
  for (const [season, status] of Object.entries({ 2030: 400, abcd: 400, 26: 400, 2012: 404 }))
    holds(`the season ${season} is ${status}`, (await get(`/${season}/events`)).status === status)
  const unknown = await get('/2026/nothing')
  holds('an unknown path is 501 in plain text', unknown.status === 501 && unknown.json === undefined, unknown.text)
  const posted = await call(`${at}/2026/events`, { method: 'POST', headers: { authorization } })
  holds('a path takes no other method than GET', posted.status === 405 && posted.headers.get('allow')?.includes('GET'))
  const head = await call(`${at}/2026/events`, { method: 'HEAD', headers: { authorization } })
  holds('HEAD is GET without a body', head.status === 200 && head.bytes.length === 0, head.status)
  holds('paths are found in any case', same((await get('/2026/EVENTS')).json, (await get('/2026/events')).json))
  const strange = await get('/2026/events?nonsense=1')
  holds('an unknown parameter is 400 by its name', strange.status === 400 && strange.text.includes('nonsense'))
}

async function listings({ holds }: Node, get: Get): Promise<void> {
  const { json: root } = await get('/')
  holds('the root names the current season', root.currentSeason === 2026, root)
  holds('the root names the last season', root.maxSeason === 2026, root)
  holds('the root has a name, a status and the version', has(root, 'name status') && root.apiVersion === '3.0', root)
  const { json: summary } = await get('/2026')
  const fields = 'eventCount gameName kickoff rookieStart teamCount frcChampionships'
  holds('a summary counts events and teams', summary.eventCount === 9 && summary.teamCount === 160, summary)
  holds('a summary has its fields', has(summary, fields), summary)
  holds('a summary is answered as it was given', same((await get('/2018')).json, given.summary))

  const { json: all } = await get('/2018/events')
  holds('events are answered field by field, in order', same(all, { Events: given.events, eventCount: 7 }), all)
  const codes = (isFound: (event: Json) => unknown) => given.events.filter(isFound).map(({ code }) => code)
  const filters: Record<string, string[]> = {
    'eventCode=LAKE': ['LAKE'],
    'eventCode=lake': ['LAKE'],
    'districtCode=NORTH': codes(({ districtCode }) => districtCode === 'NORTH'),
    'districtCode=north': codes(({ districtCode }) => districtCode === 'NORTH'),
    'excludeDistrict=true': codes(({ districtCode }) => !districtCode),
    'excludeDistrict=false': codes(() => true),
    'tournamentType=Regional': ['HARB'],
    'tournamentType=districtEVENT': ['LAKE', 'BAYS', 'COAST'],
    'tournamentType=None': codes(() => true),
    'tournamentType=DistrictEvent&districtCode=SOUTH': ['COAST'],
    'weekNumber=2': ['BAYS', 'COAST'],
    'weekNumber=6': [],
    'eventCode=&teamNumber=&districtCode=&excludeDistrict=&weekNumber=&tournamentType=': codes(() => true),
  }
  for (const [query, expected] of Object.entries(filters)) {
    const { json, text } = await get(`/2018/events?${query}`)
    const codes = json?.Events?.map(({ code }: Json) => code)
    holds(`events?${query}`, same(codes, expected) && json.eventCount === expected.length, text)
  }
  const team = plan.teams[0] as number
  const attended = plans.filter(({ teams }) => teams.includes(team))
  const { json: ofTeam } = await get(`/2026/events?teamNumber=${team}`)
  holds(
    'events?teamNumber',
    same(
      ofTeam.Events.map(({ code }: Json) => code),
      attended.map(({ event }) => event.code),
    ),
    ofTeam,
  )
  for (const query of [
    'districtCode=ZZZ',
    'tournamentType=Foo',
    'weekNumber=x',
    'excludeDistrict=maybe',
    'teamNumber=x',
  ])
    holds(`events?${query} is 400`, (await get(`/2018/events?${query}`)).status === 400)
  holds('events?eventCode of no event is 404', (await get('/2018/events?eventCode=ZZZZ')).status === 404)
  const { json: districts } = await get('/2018/districts')
  holds(
    'districts are listed and counted',
    same(districts, { districts: given.districts, districtCount: 2 }),
    districts,
  )
  await teams(holds, get)
}

async function teams(holds: Node['holds'], get: Get): Promise<void> {
  const { json: own } = await get('/2018/teams')
  holds('teams are answered field by field', same(own.teams, given.teams), own)
  const pages = await Promise.all([1, 2, 3, 4].map(async (page) => (await get(`/2026/teams?page=${page}`)).json))
  const counters = pages.map((page) => [page.teamCountTotal, page.teamCountPage, page.pageCurrent, page.pageTotal])
  const expected = [65, 65, 30, 0].map((count, index) => [160, count, index + 1, 3])
  holds('teams come 65 on a page, with counters', same(counters, expected), counters)
  const all: Json[] = pages.flatMap((page) => page.teams)
  const numbers = all.map(({ teamNumber }) => teamNumber)
  holds(
    'pages have every team once, by number',
    same(
      numbers,
      Array.from({ length: 160 }, (_, index) => index + 1),
    ),
  )
  const names = 'teamNumber nameFull nameShort schoolName city stateProv country website rookieYear robotName'
  holds('a team has its fields', has(all[0], `${names} districtCode homeCMP`), all[0])
  const filters: Record<string, (team: Json) => unknown> = {
    'teamNumber=12': ({ teamNumber }) => teamNumber === 12,
    'teamNumber=9999': () => false,
    'state=Ohio': ({ stateProv }) => stateProv === 'Ohio',
    'state=ohio&districtCode=NORTH': (one) => one.stateProv === 'Ohio' && one.districtCode === 'NORTH',
    'districtCode=NORTH': ({ districtCode }) => districtCode === 'NORTH',
    'eventCode=SY001': ({ teamNumber }) => plan.teams.includes(teamNumber),
  }
  for (const [query, isFound] of Object.entries(filters)) {
    const { json } = await get(`/2026/teams?${query}`)
    const found = all.filter(isFound)
    holds(`teams?${query}`, same(json?.teams, found) && json.teamCountTotal === found.length, json?.teamCountTotal)
  }
  for (const query of ['page=x', 'page=0', 'teamNumber=1x', 'districtCode=ZZZ'])
    holds(`teams?${query} is 400`, (await get(`/2026/teams?${query}`)).status === 400)
  holds('teams of an unknown event are 404', (await get('/2026/teams?eventCode=ZZZZ')).status === 404)
  const { json: avatars } = await get('/2018/avatars')
  holds(
    'avatars are answered with counters',
    same(avatars.teams, given.avatars) && avatars.teamCountTotal === 1,
    avatars,
  )
  const { json: picture } = await get('/2026/avatars?teamNumber=7')
  const bytes = Buffer.from(picture.teams[0]?.encodedAvatar ?? '', 'base64')
  holds('an avatar is a picture', picture.teams.length === 1 && bytes.subarray(1, 4).toString() === 'PNG', picture)
  const { json: attending } = await get('/2026/avatars?eventCode=SY001')
  holds('avatars?eventCode', attending.teamCountTotal === plan.teams.length, attending.teamCountTotal)
  const { json: second } = await get('/2026/avatars?page=2')
  holds('avatars have pages', second.pageCurrent === 2 && second.pageTotal === 3 && second.teams[0].teamNumber === 66)
  const early = await get('/2017/avatars')
  holds('avatars apply to 2018 and later seasons', early.status === 400 && early.text.includes('2018'), early.text)
}

async function events({ holds }: Node, get: Get): Promise<void> {
  const { json: list } = await get('/2026/awards/list')
  holds('a season lists its awards', has(list.awards[0], 'awardId eventType description forPerson'), list.awards[0])
  const { json: own } = await get('/2018/awards/event/LAKE')
  holds('awards of an event are answered as they were given, to persons too', same(own.Awards, awardsOfLake), own)
  const { awards } = played
  const { json: atEvent } = await get('/2026/awards/event/SY001')
  holds('awards of an event are answered field by field', same(atEvent.Awards, awards), atEvent.Awards[0])
  const team = awards[0].teamNumber
  const everywhere = plans.flatMap((plan) => (playEvent(plan).lists as typeof played).awards)
  const isOwn = ({ teamNumber }: Json) => teamNumber === team
  const { json: ofTeam } = await get(`/2026/awards/team/${team}`)
  holds('awards of a team are those of all events', same(ofTeam.Awards, everywhere.filter(isOwn)), ofTeam)
  const { json: both } = await get(`/2026/awards/eventteam/SY001/${team}`)
  holds('awards of a team at an event', same(both.Awards, awards.filter(isOwn)), both)
  const { json: none } = await get('/2026/awards/eventteam/SY001/99999')
  holds('a team that was not there has no awards', same(none, { Awards: [] }), none)
  holds('awards of no team are 400', (await get('/2026/awards/team/abc')).status === 400)
  holds('an event without awards has an empty list', same((await get('/2018/awards/event/OPEN')).json, { Awards: [] }))
  const { json: alliances } = await get('/2026/alliances/SY001')
  holds(
    'alliances are answered with their count',
    same(alliances, { Alliances: played.alliances, count: 8 }),
    alliances,
  )
  for (const path of [
    'awards/event/ZZZZ',
    'awards/eventteam/ZZZZ/1',
    'alliances/ZZZZ',
    'scores/ZZZZ/qual',
    'matches/ZZZZ',
  ])
    holds(`${path} is 404`, (await get(`/2026/${path}`)).status === 404)
  for (const path of ['schedule/ZZZZ', 'rankings/ZZZZ'])
    holds(`${path} is 404`, (await get(`/2026/${path}`)).status === 404)
  for (const code of ['X', 'TOOLONGCODE1234567890'])
    holds(`the event code ${code} is 400`, (await get(`/2026/matches/${code}`)).status === 400)
}
