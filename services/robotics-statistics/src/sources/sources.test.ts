import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from '@icosa/kernel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importSeason } from '../import/import.ts'
import type { Match } from '../season/lists.ts'
import { syntheticSeason } from '../synthetic/season.ts'
import { scoutOf, small, startRobotics } from '../testing/app.ts'
import { itemsOfCsv, rowsOf } from './csv.ts'
import { folderSource } from './folder.ts'
import { mirroredPaths, mirrorSource } from './mirror.ts'
import { writeFolder } from './write.ts'

let app: Awaited<ReturnType<typeof startRobotics>>
let folder: string

beforeAll(async () => {
  app = await startRobotics()
  folder = await mkdtemp(join(tmpdir(), 'icosa-seasons-'))
  await app.scout.synthetic()
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const itemsOf = (tenant: string) =>
  app.platform.database.many(sql`
    select season, list, scope, key, position, content::jsonb, teams from robotics_statistics.items
    where tenant = ${tenant} order by list, scope, key`)

test('a season written to a folder is imported unchanged', async () => {
  const at = join(folder, '2026')
  await writeFolder(at, syntheticSeason(small))
  const scout = await scoutOf(app, 'folder')
  await scout.import(await folderSource(at))
  expect(await itemsOf('folder')).toEqual(await itemsOf('scouts'))
  expect((await scout.import(await folderSource(at))).rows).toBe(0)
})

test('responses of the original API, older spellings and CSV can be imported', async () => {
  const at = join(folder, 'older')
  const write = async (name: string, content: unknown) => {
    await mkdir(join(at, name, '..'), { recursive: true })
    await writeFile(join(at, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  await write('events.json', { Events: [{ code: 'one', type: 'Regional' }], eventCount: 1 })
  await write('teams-1.csv', 'teamNumber,nameShort,rookieYear\n7,"Seven, and ""more""",1999\n')
  await write('teams-2.csv', 'teamNumber,nameShort,rookieYear\n8,0042,\n')
  const teams = [1, 2, 3, 4, 5, 6].map((teamNumber, index) => ({
    teamNumber,
    station: `${index < 3 ? 'Red' : 'Blue'}${(index % 3) + 1}`,
    surrogate: false,
    dq: teamNumber === 6,
  }))
  const hybrid = {
    description: 'Qualification 1',
    tournamentLevel: 'Qualification',
    matchNumber: 1,
    startTime: '2016-03-12T09:00:00',
    scoreRedFinal: 43,
    scoreBlueFinal: 0,
    Teams: teams,
  }
  const quarter = { ...hybrid, description: 'Quarterfinal 1', tournamentLevel: 'Playoff' }
  await write('events/ONE/hybrid-playoff.json', { Schedule: [{ ...quarter, matchNumber: 2 }, quarter] })
  await write('events/ONE/hybrid-qual.json', { Schedule: [hybrid] })
  await write(
    'events/ONE/scores.csv',
    'matchLevel,matchNumber,Red.teleopDefensesBreached,Red.teleopTowerCaptured,Blue.teleopDefensesBreached,Blue.teleopTowerCaptured\nQualification,1,true,false,false,false\n',
  )
  const scout = await scoutOf(app, 'older')
  await scout.import(await folderSource(at, 2016))
  expect((await scout.json('/2016/teams')).teams).toEqual([
    { teamNumber: 7, nameShort: 'Seven, and "more"', rookieYear: 1999 },
    { teamNumber: 8, nameShort: '0042', rookieYear: null },
  ])
  const { Schedule } = await scout.json('/2016/schedule/ONE')
  expect(Schedule[0].teams[5]).toEqual({ teamNumber: 6, station: 'Blue3', surrogate: false })
  expect(Schedule.map(({ tournamentLevel, matchNumber }: Match) => `${tournamentLevel} ${matchNumber}`)).toEqual([
    'Qualification 1',
    'Playoff 1',
    'Playoff 2',
  ])
  const { Matches } = await scout.json('/2016/matches/ONE?teamNumber=6')
  expect(Matches[0].teams[5]).toEqual({ teamNumber: 6, station: 'Blue3', dq: true })
  expect((await scout.json('/2016/scores/ONE/qual?teamNumber=1')).MatchScores).toHaveLength(1)
  // Without an imported ranking it is computed from the results, by the rules of that season.
  const { Rankings } = await scout.json('/2016/rankings/ONE')
  expect(Rankings[0]).toMatchObject({ rank: 1, sortOrder1: 3, wins: 1, qualAverage: 43 })
  expect(Rankings[5]).toMatchObject({ teamNumber: 6, dq: 1, sortOrder1: 0 })
})

test('an invalid folder is refused, naming the missing files', async () => {
  await expect(folderSource(folder, 2026)).rejects.toThrow('has no events.json')
  await expect(folderSource(join(folder, 'older'))).rejects.toThrow('Which season is')
})

test('CSV may contain quotes, either line ending and empty cells', () => {
  expect(rowsOf('a,b\r\n"x ""y"", z",\r\n')).toEqual([
    ['a', 'b'],
    ['x "y", z', ''],
  ])
  expect(itemsOfCsv('matches', 'matchNumber,Red1,Blue1\n3,7,8')).toEqual([
    {
      matchNumber: 3,
      teams: [
        { teamNumber: 7, station: 'Red1' },
        { teamNumber: 8, station: 'Blue1' },
      ],
    },
  ])
})

test('a mirror copies the other server, resumes where it stopped, and requests only changes', async () => {
  const { database, clock, fetch } = app.platform
  const scout = await scoutOf(app, 'mirror')
  const requests: [path: string, status: number][] = []
  const mirror = async (stopAfter = Number.POSITIVE_INFINITY) => {
    requests.length = 0
    const source = mirrorSource({
      url: app.scout.at,
      season: 2026,
      tenant: 'mirror',
      authorization: app.scout.authorization,
      fetch,
      previous: await mirroredPaths(database, 'mirror', 2026),
      onResponse: (path, status) => void requests.push([path, status]),
    })
    const interrupted = {
      ...source,
      async *events() {
        let nth = 0
        for await (const event of source.events()) {
          if (nth++ === stopAfter) throw new Error('stopped')
          yield event
        }
      },
    }
    return importSeason(database, 'mirror', interrupted, clock)
  }
  // A list that changed several times in a second has a date in the future, which is not sent.
  await app.clock.advance(60_000)
  await expect(mirror(1)).rejects.toThrow('stopped')
  expect(await mirror()).toMatchObject({ events: 3, changed: 2 })
  const isOfFirst = ([path]: [string, number]) => path.includes('SY001')
  const statuses = new Set(
    requests
      .filter(isOfFirst)
      .filter(([path]) => !path.includes('practice'))
      .map(([, status]) => status),
  )
  expect(statuses, 'the first event is already mirrored').toEqual(new Set([304]))
  for (const path of [
    '/teams?page=2',
    '/events',
    '/matches/SY002',
    '/rankings/SY003',
    '/scores/SY001/playoff',
    '/awards/list',
  ])
    expect(await scout.json(`/2026${path}`), path).toEqual(await app.scout.json(`/2026${path}`))
  expect((await mirror()).rows).toBe(0)
})
