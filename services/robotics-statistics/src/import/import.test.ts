import { fork } from 'node:child_process'
import { once } from 'node:events'
import { sql } from '@icosa/kernel'
import { sized } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MatchScore } from '../season/lists.ts'
import { playEvent } from '../synthetic/event.ts'
import { plansOf, syntheticSeason } from '../synthetic/season.ts'
import { scoutOf, small, startRobotics } from '../testing/app.ts'

let app: Awaited<ReturnType<typeof startRobotics>>

beforeAll(async () => {
  app = await startRobotics()
})
afterAll(() => app[Symbol.asyncDispose]())

const contents = (tenant: string) =>
  app.platform.database.many(sql`
    select season, list, scope, key, position, content, teams, modified from robotics_statistics.items
    where tenant = ${tenant} order by list, scope, key`)
const states = (tenant: string) =>
  app.platform.database.many(sql`
    select * from robotics_statistics.lists where tenant = ${tenant} order by season, scope, list`)

test('importing a season twice changes nothing', async () => {
  const scout = await scoutOf(app, 'twice')
  const first = await scout.synthetic()
  expect(first).toMatchObject({ events: 3, changed: 3 })
  const before = [await contents('twice'), await states('twice')]
  expect(await scout.synthetic()).toEqual({ season: 2026, events: 3, changed: 0, rows: 0, unranked: [] })
  expect([await contents('twice'), await states('twice')]).toEqual(before)
})

test('an import writes only changed items, and changes only the dates of their lists', async () => {
  const scout = await scoutOf(app, 'different')
  await scout.synthetic({ played: 5 })
  const before = new Map((await states('different')).map((row) => [JSON.stringify(idOf(row)), row]))
  await app.clock.advance(60_000)
  const imported = await scout.synthetic({ played: 6 })
  expect(imported.changed).toBe(3)
  const changed = (await states('different')).filter(
    (row) => JSON.stringify(row) !== JSON.stringify(before.get(JSON.stringify(idOf(row)))),
  )
  const lists = new Set(changed.map((row) => idOf(row)[1]))
  expect(lists).toEqual(new Set(['matches', 'scores', 'rankings', 'points', 'districtRanks']))
})

const idOf = (row: unknown) => {
  const { scope, list } = row as { scope: string; list: string }
  return [scope, list]
}

const pointsAt = (tenant: string, event: string) =>
  app.platform.database.many<{ qualification: number; alliance: number }>(sql`
    select (content::jsonb->>'qualification')::int as qualification, (content::jsonb->>'alliance')::int as alliance
    from robotics_statistics.items where tenant = ${tenant} and list = 'points' and scope = ${event}`)

test('an event that lacks score details of a played match has no ranking and no qualification points, and is reported', async () => {
  const scout = await scoutOf(app, 'unscored')
  const source = syntheticSeason(small)
  const without = (isMissing: (score: MatchScore) => boolean) => ({
    ...source,
    async *events() {
      for await (const { code, lists } of source.events())
        yield { code, lists: { ...lists, scores: (lists.scores as MatchScore[]).filter((score) => !isMissing(score)) } }
    },
  })
  const isSeventh = ({ matchLevel, matchNumber }: MatchScore) => matchLevel === 'Qualification' && matchNumber === 7
  const imported = await scout.import(without(isSeventh))
  expect(imported.unranked).toEqual(plansOf(small).map(({ event }) => ({ event: event.code, unscored: [7] })))
  expect(await scout.json('/2026/rankings/SY001')).toEqual({ Rankings: [] })
  const points = await pointsAt('unscored', 'SY001')
  expect(new Set(points.map(({ qualification }) => qualification))).toEqual(new Set([0]))
  expect(Math.max(...points.map(({ alliance }) => alliance))).toBe(16)
  // A later import completes it; missing details of a playoff match do not prevent a ranking.
  expect((await scout.import(without(({ matchLevel }) => matchLevel === 'Playoff'))).unranked).toEqual([])
  const rankings = async () => (await scout.json('/2026/rankings/SY001')).Rankings // cached for up to a second
  await expect.poll(rankings).toHaveLength(plansOf(small)[0]?.teams.length as number)
  expect(Math.max(...(await pointsAt('unscored', 'SY001')).map(({ qualification }) => qualification))).toBe(22)
})

test('events without lists of their own are counted, too', async () => {
  const scout = await scoutOf(app, 'listed')
  const { lists } = await syntheticSeason(small).whole()
  const source = { season: 2026, whole: async () => ({ lists }), async *events() {} }
  expect(await scout.import(source)).toMatchObject({ events: 3, changed: 0, unranked: [] })
})

test('invalid items are refused with their positions, and nothing of their event is imported', async () => {
  const scout = await scoutOf(app, 'wrong')
  const [plan] = plansOf(small)
  if (!plan) throw new Error('no plan')
  const source = syntheticSeason(small)
  const { lists } = playEvent(plan)
  const broken = { ...lists, matches: [{ ...(lists.matches?.[0] as object), matchNumber: 'first', teams: 'none' }] }
  const wrong = {
    ...source,
    async *events() {
      yield { code: plan.event.code, lists: broken }
    },
  }
  await expect(scout.import(wrong)).rejects.toThrow(/matches\[0\]\.matchNumber must be integer/)
  expect(await scout.json('/2026/matches/SY001')).toEqual({ Matches: [] })
  const unknown = {
    ...source,
    async *events() {
      yield { code: 'NOSUCH', lists }
    },
  }
  await expect(scout.import(unknown)).rejects.toThrow('is not among the events of the season')
})

test('a killed import leaves complete events only, and the next one imports the rest', async () => {
  const scout = await scoutOf(app, 'killed')
  const plan = { season: 2026, events: sized(12, 72), teams: sized(600, 3_000), rounds: 6 }
  const child = fork(new URL('../testing/import-process.ts', import.meta.url), [
    app.databaseUrl,
    'killed',
    JSON.stringify(plan),
  ])
  const exited = once(child, 'exit')
  await new Promise<void>((resolve) => {
    child.on('message', (nth) => Number(nth) >= plan.events / 3 && resolve())
  })
  await new Promise((resolve) => setTimeout(resolve, 15)) // somewhere within an event
  child.kill('SIGKILL')
  await exited
  let complete = 0
  for (const eventPlan of plansOf(plan)) {
    const { lists } = playEvent(eventPlan)
    const stored = await app.platform.database.one<{ lists: Record<string, number> }>(sql`
      select coalesce(jsonb_object_agg(list, n), '{}') as lists from (
        select list, count(*) as n from robotics_statistics.items
        where tenant = 'killed' and scope = ${eventPlan.event.code} group by list) as counted`)
    if (Object.keys(stored.lists).length === 0) continue
    complete++
    const expected = Object.fromEntries(Object.entries(lists).map(([list, items]) => [list, items?.length]))
    expect(stored.lists).toMatchObject(expected)
    expect(stored.lists.rankings).toBe(eventPlan.teams.length)
  }
  expect(complete).toBeGreaterThanOrEqual(plan.events / 3)
  expect(complete).toBeLessThan(plan.events)
  expect(await scout.import(syntheticSeason(plan))).toMatchObject({ changed: plan.events - complete })
  expect((await scout.import(syntheticSeason(plan))).rows).toBe(0)
})
