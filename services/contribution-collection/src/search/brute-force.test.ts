import { sized } from '@icosa/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cells } from '../geo/cells-store.ts'
import type { Geography } from '../geo/geography.ts'
import { hasPostgis, indexPoints, postgis } from '../geo/postgis-store.ts'
import { type Ask, startContributions, type World } from '../testing/app.ts'
import { bruteForce, countValues } from '../testing/brute-force.ts'
import { insertAll } from '../testing/bulk-store.ts'
import { installPostgis } from '../testing/postgis-store.ts'
import { queries } from '../testing/questions.ts'
import { contributions, type Synthetic } from '../testing/synthetic.ts'
import { options } from './options-store.ts'
import { type Question, questionOf } from './question.ts'
import { type Refinement, refinementNames } from './refinements-store.ts'
import { count, list } from './store.ts'

const contributionsCount = sized(3_000, 100_000)
const queriesCount = sized(200, 2_000)
const tenant = 'news'

let world: World
let ask: Ask
let all: Synthetic[]
beforeAll(async () => {
  world = await startContributions()
  ask = await world.tenant(tenant)
  const owners = ['desk1', 'desk2', 'desk3']
  const assignments = []
  for (let nth = 0; nth < 20; nth++) {
    const { body } = await ask.createAssignment({ body: { name: `Assignment ${nth}` } })
    assignments.push({ id: body.id, owner: owners[nth % 3] as string })
  }
  all = [...contributions({ contributions: contributionsCount, assignments, authors: 200, days: 300 })]
  await insertAll(world.app.platform.database, tenant, all)
  // Another tenant's similar contributions, which must not be visible.
  const other = await (await world.tenant('other')).createAssignment({ body: { name: 'Theirs' } })
  const theirs = { id: other.body.id, owner: 'desk1' }
  await insertAll(
    world.app.platform.database,
    'other',
    contributions({ contributions: 500, assignments: [theirs], authors: 200, days: 300 }, 2, contributionsCount + 1),
  )
})
afterAll(() => world[Symbol.asyncDispose]())

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)
const viewers = [
  { user: 'key', isTenant: true },
  { user: 'desk1', isTenant: false },
  { user: 'person3', isTenant: false },
]

const valuesBy: Record<Refinement, (contribution: Synthetic, question: Question) => readonly (string | null)[]> = {
  assignment: ({ assignment }) => [assignment],
  country: ({ country }) => [country],
  createdDay: ({ createdAt }) => [createdAt.toISOString().slice(0, 10)],
  createdMonth: ({ createdAt }) => [createdAt.toISOString().slice(0, 7)],
  geohash({ cell, cellPrecision }, { cells: filter = [] }) {
    const length = Math.min(12, Math.max(2, ...filter.map((hash) => hash.length)) + 1)
    return cell !== null && Number(cellPrecision) >= length ? [cell.slice(0, length)] : []
  },
  hasLocation: ({ point }) => [String(point !== null)],
  mediaType: ({ mediaTypes }) => mediaTypes,
  ownedBy: ({ owner }) => [owner],
  user: ({ author }) => [author],
}

async function compareAll(geography: Geography): Promise<void> {
  const { database, clock } = world.app.platform
  let hits = 0
  let nth = 0
  for (const query of queries(all, queriesCount)) {
    const viewer = viewers[nth++ % viewers.length] as (typeof viewers)[number]
    const question = questionOf({
      ...query,
      ...(query.radius && { radius: Number(query.radius) }),
      ...(query.hasLocation && { hasLocation: query.hasLocation === 'true' }),
    } as never)
    const searchContext = { tenant, viewer, now: clock.now(), geography }
    const expected = bruteForce(all, question, viewer)
    hits += expected.length > 0 ? 1 : 0
    const rows = await list(database, question, searchContext, { limit: 10_000_000 })
    expect(idsOf(rows), JSON.stringify({ query, viewer })).toEqual(idsOf(expected))
    const names = refinementNames.filter((_, at) => (nth + at) % 3 === 0)
    const optionsByName = await options(database, names, question, searchContext, 1_000_000)
    for (const name of names) {
      const counts = countValues(expected.flatMap((contribution) => valuesBy[name](contribution, question)))
      const listed = optionsByName.get(name) ?? []
      expect(
        new Map(listed.map((option) => [option.value, option.contributions])),
        `${name} ${JSON.stringify(query)}`,
      ).toEqual(counts)
      // Most frequent first.
      expect(listed.map((option) => option.contributions)).toEqual([...counts.values()].sort((a, b) => b - a))
    }
    if (nth % 10 === 0) expect(await count(database, question, searchContext)).toBe(expected.length)
  }
  console.log(`${geography.name}: ${queriesCount} queries over ${contributionsCount}, ${hits} with results, all equal`)
  expect(hits).toBeGreaterThan(queriesCount / 4)
}

describe('all combinations of filters return the same as brute force', () => {
  test('with geohash cells', () => compareAll(cells), 1_800_000)

  test('with PostGIS, if the server has it', async ({ skip }) => {
    const { database } = world.app.platform
    if (!(await installPostgis(world.app.databaseUrl))) skip('the server has no PostGIS')
    await indexPoints(database)
    expect(await hasPostgis(database)).toBe(true)
    await compareAll(postgis)
  }, 1_800_000)
})

test('HTTP pages cover the list without gaps or duplicates', async () => {
  const expected = idsOf(bruteForce(all, questionOf({ q: 'snow' }), { user: '', isTenant: true }))
  const ids: string[] = []
  let after: string | undefined
  do {
    const page = await ask.listContributions({ query: { q: 'Snow', pageSize: 7, ...(after && { after }) } })
    ids.push(...idsOf(page.body))
    const link = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
    after = link ? (new URL(link).searchParams.get('after') ?? undefined) : undefined
  } while (after !== undefined && ids.length < 350)
  expect(ids.length).toBeGreaterThan(20)
  expect(ids).toEqual(expected.slice(0, ids.length))
})

test('an option used as a filter returns as many contributions as its count', async () => {
  for (const query of [{}, { country: 'GB' }, { latLong: '51.5,-0.12', radius: 50 }]) {
    const { body } = await ask.listRefinements({ query: { ...query, counts: true, refinementSize: 3 } })
    expect(Object.keys(body).sort()).toEqual([...(await ask.listRefinementTypes({})).body].sort())
    for (const [name, values] of Object.entries(body))
      for (const option of values) {
        const { value, contributions: expected } = option as { value: string; contributions: number }
        const narrowed = questionOf({
          ...query,
          [name]: name === 'hasLocation' ? value === 'true' : value,
        })
        expect(bruteForce(all, narrowed, { user: '', isTenant: true }).length, `${name}=${value}`).toBe(expected)
      }
  }
})
