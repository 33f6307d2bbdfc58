import { isDeepStrictEqual as same } from 'node:util'
import { importSeason } from '../../../services/robotics-statistics/src/import/import.ts'
import { type Node, until } from '../statements.ts'
import {
  district,
  districtRanks,
  type Get,
  given,
  has,
  type Json,
  plan,
  played,
  playedAt,
  pointsByHand,
  qualificationByHand,
  rankingsOfLake,
  rankOf,
  selection,
} from './data.ts'

const numbersIn = (items: Json) => items?.map(({ matchNumber }: Json) => matchNumber)

export async function matches({ holds }: Node, get: Get): Promise<void> {
  const team = plan.teams[3] as number
  const plays = ({ teams: own }: Json) => own.some(({ teamNumber }: Json) => teamNumber === team)
  const isQual = ({ tournamentLevel }: Json) => tournamentLevel === 'Qualification'
  const filters: Record<string, (match: Json) => unknown> = {
    '': () => true,
    'tournamentLevel=qual': isQual,
    'tournamentLevel=Qualification': isQual,
    'tournamentLevel=PLAYOFF': (match) => !isQual(match),
    'tournamentLevel=None': () => true,
    'tournamentLevel=Practice': () => false,
    [`teamNumber=${team}`]: plays,
    'tournamentLevel=qual&start=10&end=14': (match) =>
      isQual(match) && match.matchNumber >= 10 && match.matchNumber <= 14,
    'tournamentLevel=qual&start=12': (match) => isQual(match) && match.matchNumber >= 12,
    'tournamentLevel=qual&matchNumber=7&teamNumber=': (match) => isQual(match) && match.matchNumber === 7,
  }
  for (const [query, isFound] of Object.entries(filters)) {
    const { json: results } = await get(`/2026/matches/SY001?${query}`)
    holds(`matches?${query}`, same(results, { Matches: played.matches.filter(isFound) }), numbersIn(results?.Matches))
    const { json: plans } = await get(`/2026/schedule/SY001?${query}`)
    holds(`schedule?${query}`, same(plans, { Schedule: played.schedule.filter(isFound) }), numbersIn(plans?.Schedule))
  }
  for (const query of ['tournamentLevel=foo', 'start=x', 'teamNumber=many', 'matchNumber=-1'])
    for (const path of ['matches', 'schedule'])
      holds(`${path}?${query} is 400`, (await get(`/2026/${path}/SY001?${query}`)).status === 400)
  const scoresOf = async (path: string) => (await get(`/2026/scores/SY001/${path}`)).json?.MatchScores
  const level = (name: string) => played.scores.filter(({ matchLevel }) => matchLevel === name)
  const quals = level('Qualification')
  holds('scores of a level have every field of the game', same(await scoresOf('qual'), quals))
  holds('scores of the playoffs', same(await scoresOf('Playoff'), level('Playoff')))
  holds('scores?matchNumber', same(numbersIn(await scoresOf('qual?matchNumber=5')), [5]))
  holds('scores?start&end', same(numbersIn(await scoresOf('qual?start=5&end=9')), [5, 6, 7, 8, 9]))
  const own = numbersIn(played.matches.filter((match) => isQual(match) && plays(match)))
  holds('scores?teamNumber', same(numbersIn(await scoresOf(`qual?teamNumber=${team}`)), own))
  holds('scores of an unknown level are 400', (await get('/2026/scores/SY001/foo')).status === 400)
  const { json: later } = await get('/2018/matches/HARB')
  const order = later.Matches.map((match: Json) => `${match.tournamentLevel} ${match.matchNumber}`)
  const expected = playedAt(2018).matches.map((match) => `${match.tournamentLevel} ${match.matchNumber}`)
  holds('matches are listed in the order of play, however they came', same(order, expected), order)
  const { json: created } = await get('/2018/schedule/HARB')
  holds(
    'a schedule that was not given follows from the matches',
    same(numbersIn(created.Schedule), numbersIn(later.Matches)),
  )
}

export async function rankings({ holds }: Node, get: Get): Promise<void> {
  const { json: own } = await get('/2018/rankings/LAKE')
  holds('a ranking is answered as it was given', same(own, { Rankings: rankingsOfLake }), own)
  const select: Record<string, Json[]> = {
    'top=5': rankingsOfLake.slice(0, 5),
    'top=0': [],
    'teamNumber=37': rankingsOfLake.slice(3, 4),
    'teamNumber=99': [],
    'top=2&teamNumber=37': [],
  }
  for (const [query, expected] of Object.entries(select))
    holds(`rankings?${query}`, same((await get(`/2018/rankings/LAKE?${query}`)).json?.Rankings, expected))
  holds('rankings?top=x is 400', (await get('/2018/rankings/LAKE?top=x')).status === 400)
  const { json: created } = await get('/2026/rankings/SY001')
  const fields = 'rank teamNumber sortOrder1 sortOrder6 wins losses ties qualAverage dq matchesPlayed'
  holds('a ranking that is worked out has every field', has(created.Rankings[0], fields), created.Rankings[0])
  holds('it ranks every team that played', created.Rankings.length === plan.teams.length)
  for (const season of [2016, 2017] as const) {
    const { json } = await get(`/${season}/rankings/CASTLE`)
    const ranks = json.Rankings.map(rankOf)
    holds(`ranking points of ${season}: 2 a win, 1 a tie, 1 a bonus`, same(ranks, pointsByHand(season)), ranks)
  }
  const unscored = await get('/2018/rankings/HARB')
  const isEmpty = same(unscored.json, { Rankings: [] }) && unscored.headers.get('last-modified') === null
  holds('without score details there is no ranking, and no date', isEmpty, unscored.text)

  const { json: ranks } = await get(`/2019${district}?districtCode=FIM`)
  const { json: rest } = await get(`/2019${district}?districtCode=fim&page=2`)
  const all = [...ranks.districtRanks, ...rest.districtRanks]
  holds('district rankings are answered as they were given', same(all, districtRanks), all[0])
  const { rankingCountTotal, rankingCountPage, pageCurrent, pageTotal } = rest
  const counters = [rankingCountTotal, rankingCountPage, pageCurrent, pageTotal]
  holds('district rankings have paging counters', same(counters, [87, 22, 2, 2]), counters)
  const { json: past } = await get(`/2019${district}?districtCode=FIM&page=9`)
  holds('a page past the last is empty', past.districtRanks.length === 0 && past.rankingCountTotal === 87, past)
  const { json: top } = await get(`/2019${district}?districtCode=FIM&top=10`)
  holds(
    'district rankings?top',
    same(top.districtRanks, districtRanks.slice(0, 10)) && top.rankingCountTotal === 10,
    top,
  )
  const { json: one } = await get(`/2019${district}?teamNumber=1007`)
  holds('district rankings?teamNumber', same(one.districtRanks, districtRanks.slice(7, 8)), one)
  holds('district rankings of no district are 400', (await get(`/2019${district}?districtCode=ZZZ`)).status === 400)
  const { json: north } = await get(`/2026${district}?districtCode=NORTH`)
  const totals = north.districtRanks.map((row: Json) => row.totalPoints)
  const isOrdered =
    totals.length > 20 &&
    same(
      totals,
      totals.toSorted((a: number, b: number) => b - a),
    )
  holds(
    'a district that was not ranked is ranked by its points',
    isOrdered && north.districtRanks[0].rank === 1,
    totals,
  )
  const sum = (row: Json) =>
    row.event1Points + (row.event2Points ?? 0) + (row.districtCmpPoints ?? 0) + row.teamAgePoints
  holds(
    'its total is that of two events, championship and age',
    north.districtRanks.every((row: Json) => sum(row) === row.totalPoints),
  )
}

export async function calculations({ holds }: Node, get: Get): Promise<void> {
  const points = async (season: number, calculation: string, query: string) => {
    const { status, json, text } = await get(`/${season}${district}/${calculation}Calculation?${query}`)
    return status === 200 ? json : [status, text]
  }
  for (const teamsAtEvent of [24, 40, 60])
    for (const rank of [1, 2, 7, teamsAtEvent / 2, teamsAtEvent]) {
      const query = `tournamentType=DistrictEvent&qualificationRank=${rank}&teamsAtEvent=${teamsAtEvent}`
      const found = await points(2018, 'qualPerformance', query)
      const expected = qualificationByHand(rank, teamsAtEvent)
      holds(`rank ${rank} of ${teamsAtEvent} gives ${expected} points`, found === expected, found)
    }
  const championship = 'tournamentType=DistrictChampionship&qualificationRank=1&teamsAtEvent=60'
  holds('points count three times at a championship', (await points(2018, 'qualPerformance', championship)) === 66)
  const roles = { Captain: [16, 15, 9], Round1: [16, 15, 9], Round2: [1, 2, 8], Round3: [0, 0, 0], Backup: [0, 0, 0] }
  for (const [role, [first, second, eighth]] of Object.entries(roles))
    for (const [number, expected] of Object.entries({ 1: first, 2: second, 8: eighth })) {
      const query = `tournamentType=DistrictEvent&sizeType=EightAlliance&allianceNumber=${number}&allianceRole=${role}`
      const found = await points(2018, 'allianceSelection', query)
      holds(`${role} of alliance ${number} gets ${expected} points`, found === expected, found)
    }
  for (const [[quarter, semi, final], expected] of [
    [[2, 2, 2], 30],
    [[2, 2, 0], 20],
    [[2, 0, 0], 10],
    [[0, 0, 0], 0],
  ] as const) {
    const wins = `quarterFinalWins=${quarter}&semiFinalWins=${semi}&finalWins=${final}`
    const found = await points(2018, 'playoffAdvancement', `tournamentType=DistrictEvent&${wins}`)
    holds(`${quarter}, ${semi} and ${final} wins give ${expected} points`, found === expected, found)
  }
  for (const [place, expected] of Object.entries({ 1: 30, 2: 20, 3: 13, 4: 7, 5: 0 })) {
    const found = await points(2026, 'playoffAdvancement', `tournamentType=DistrictEvent&place=${place}`)
    holds(`place ${place} of a double elimination gives ${expected} points`, found === expected, found)
  }
  for (const [calculation, query, reason] of [
    ['qualPerformance', '', 'tournamentType'],
    ['qualPerformance', 'tournamentType=DistrictEvent&qualificationRank=50&teamsAtEvent=40', 'at most'],
    ['qualPerformance', 'tournamentType=OffSeason&qualificationRank=1&teamsAtEvent=40', 'no points'],
    ['allianceSelection', selection.replace('Number=1', 'Number=9'), 'at most 8'],
    ['allianceSelection', selection.replace('Captain', 'Mascot'), 'allianceRole'],
    ['playoffAdvancement', 'tournamentType=DistrictEvent&place=1', 'quarterFinalWins'],
  ] as const) {
    const [status, text] = (await points(2018, calculation, query)) as [number, string]
    holds(`${calculation}?${query} is 400 and says ${reason}`, status === 400 && text.includes(reason), text)
  }
}

export async function conditions({ holds, instance }: Node, get: Get): Promise<void> {
  const path = '/2018/events'
  const modified = await until(async () => (await get(path)).headers.get('last-modified') ?? undefined)
  const etag = (await get(path)).headers.get('etag') ?? ''
  holds('an answer with items has Last-Modified and ETag', modified && etag.length > 0, modified)
  const weekday = modified?.startsWith('Tue') ? 'Mon' : 'Tue'
  const older = 'Thu, 01 Jan 2015 00:00:00 GMT'
  for (const [what, headers, expected] of [
    ['If-Modified-Since its date', { 'if-modified-since': modified }, 304],
    ['If-Modified-Since an older date', { 'if-modified-since': older }, 200],
    ['If-Modified-Since a date to come', { 'if-modified-since': 'Sun, 01 Jan 2040 00:00:00 GMT' }, 200],
    ['If-Modified-Since a wrong weekday', { 'if-modified-since': modified?.replace(/^\w+/, weekday) }, 200],
    ['FMS-OnlyModifiedSince its date', { 'fms-onlymodifiedsince': modified }, 304],
    ['both headers', { 'fms-onlymodifiedsince': modified, 'if-modified-since': modified }, 400],
    ['If-None-Match its ETag', { 'if-none-match': etag }, 304],
    ['If-None-Match another ETag', { 'if-none-match': '"other"' }, 200],
  ] as const) {
    const { status } = await get(path, headers as Record<string, string>)
    holds(`${what} is ${expected}`, status === expected, status)
  }
  const { json: all } = await get(path, { 'fms-onlymodifiedsince': older })
  holds('FMS-OnlyModifiedSince an older date answers all items', all?.eventCount === 7, all)
  const { database, clock } = instance.development.node.platform
  const changed = given.events.map((event) => (event.code === 'BAYS' ? { ...event, name: 'Renamed' } : event))
  const lists = { events: changed }
  await importSeason(database, 'dev', { season: 2018, whole: async () => ({ lists }), async *events() {} }, clock)
  await instance.app.clock.advance(5_000)
  const only = await until(async () => {
    const answer = await get(path, { 'fms-onlymodifiedsince': modified ?? '' })
    return answer.status === 200 && answer.json
  })
  const renamed = changed.filter(({ code }) => code === 'BAYS')
  holds('FMS-OnlyModifiedSince answers those that changed alone', same(only, { Events: renamed, eventCount: 1 }), only)
  const newer = await get(path, { 'if-modified-since': modified ?? '' })
  holds('what changed is no longer 304', newer.status === 200 && same(newer.json.Events, changed), newer.status)
}
