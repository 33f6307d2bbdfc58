import { sized } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bruteForce, type Query, queryOf, type Row } from '../../testing/brute-force.ts'
import { fillInBulk } from '../../testing/bulk-store.ts'
import { seekerOf, startDiscovery } from '../../testing/discovery.ts'
import { requestFromQuery } from '../question/from-query.ts'
import { find } from './find.ts'

const tenant = 'acme'
const catalog = { seed: 11, podcasts: sized(300, 1_000), episodes: sized(15_000, 50_000) }
const everyQuery = Array.from({ length: sized(120, 2_000) }, (_, nth) => nth)
const concurrency = 4

let app: Awaited<ReturnType<typeof startDiscovery>>
let rows: readonly Row[]
let matching: (query: Query) => Row[]

beforeAll(async () => {
  app = await startDiscovery()
  const reference = bruteForce(catalog)
  rows = reference.rows
  matching = reference.matching
  await fillInBulk(app.platform.database, tenant, catalog, app.platform.clock.now())
})
afterAll(() => app[Symbol.asyncDispose]())

async function forEachQuery(check: (query: Query, nth: number) => Promise<void>): Promise<void> {
  const remaining = everyQuery.values()
  const worker = async () => {
    for (const nth of remaining) await check(queryOf(rows, nth), nth)
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
}

const expectedOf = (query: Query) => {
  const matches = matching(query).sort((a, b) => b.episode.pubDateMs - a.episode.pubDateMs)
  const ids = new Set(matches.map(({ episode }) => episode.id))
  const podcastIds = new Set(matches.map(({ podcast }) => podcast.id))
  return { matches, ids, podcastIds, count: query.unique_podcasts === 1 ? podcastIds.size : ids.size }
}

const everything = { type: 'episode', offset: 0, page_size: 10, published_after: 0 } as const
const noFlags = { sort_by_date: 0, safe_mode: 0, unique_podcasts: 0, interviews_only: 0, sponsored_only: 0 } as const

test('all filters and orders return the same as brute force', async () => {
  const { database, clock } = app.platform
  const startedAt = performance.now()
  let many = 0
  await forEachQuery(async (query, nth) => {
    const request = requestFromQuery({ ...everything, ...noFlags, ...query })
    const { hits, total } = await find(database, tenant, { ...request, limit: catalog.episodes }, clock.now())
    const { matches, ids, podcastIds, count } = expectedOf(query)
    expect({ query, count: hits.length, total }).toEqual({ query, count, total: count })
    expect(hits.every(({ id }) => ids.has(id))).toBe(true)
    expect(new Set(hits.map(({ id }) => id)).size).toBe(hits.length)
    if (query.unique_podcasts === 1) expect(new Set(hits.map(({ podcastId }) => podcastId))).toEqual(podcastIds)
    if (query.sort_by_date === 1 && query.unique_podcasts !== 1)
      expect(datesOf(hits.map(({ id }) => id))).toEqual(matches.map(({ episode }) => episode.pubDateMs))
    if (count > 2_000) many++
    // Pages are read by other code paths than all results.
    const limit = nth % 10 === 0 ? 7 : 10
    const offsets = nth % 10 === 0 ? [0, 7, 14, 21, 28, 35, 42] : [0, 10, 60]
    const pages = []
    for (const offset of offsets)
      pages.push((await find(database, tenant, { ...request, offset, limit }, clock.now())).hits.map(({ id }) => id))
    expect(pages.map((page) => page.length)).toEqual(
      offsets.map((offset) => Math.min(limit, Math.max(0, count - offset))),
    )
    const pageIds = pages.flat()
    expect(pageIds.every((id) => ids.has(id))).toBe(true)
    expect(new Set(pageIds).size).toBe(pageIds.length)
    if (query.sort_by_date === 1)
      expect(pageIds).toEqual(offsets.flatMap((at) => hits.slice(at, at + limit).map(({ id }) => id)))
  })
  const seconds = (performance.now() - startedAt) / 1_000
  console.log(`${everyQuery.length} queries over ${rows.length} episodes equal brute force in ${seconds.toFixed(0)} s`)
  expect(many, 'queries with too many results to read all').toBeGreaterThan(everyQuery.length / 100)
})

const dateOf = new Map<string, number>()
function datesOf(ids: readonly string[]): (number | undefined)[] {
  if (dateOf.size === 0) for (const { episode } of rows) dateOf.set(episode.id, episode.pubDateMs)
  return ids.map((id) => dateOf.get(id))
}

test('HTTP pages follow the same order, with exact or close totals', async () => {
  const me = await seekerOf(app, tenant)
  const ratios: number[] = []
  await forEachQuery(async (query, nth) => {
    if (nth % 8 !== 0) return
    const { matches, ids, count } = expectedOf(query)
    const first = (await me.search({ query: { ...query } as never })).body
    expect(first.count).toBe(Math.min(10, count))
    expect(first.next_offset).toBe(first.count)
    expect(first.total > first.next_offset, 'there is another page').toBe(count > 10)
    expect(first.results.every(({ id }) => ids.has(id))).toBe(true)
    if (count > 0) ratios.push(first.total / count)
    const second = (await me.search({ query: { ...query, offset: first.next_offset } as never })).body
    expect(second.count).toBe(Math.min(10, Math.max(0, count - 10)))
    const pageIds = [...first.results, ...second.results].map(({ id }) => id)
    expect(new Set(pageIds).size).toBe(pageIds.length)
    if (query.sort_by_date === 1 && query.unique_podcasts !== 1)
      expect(datesOf(pageIds)).toEqual(matches.slice(0, 20).map(({ episode }) => episode.pubDateMs))
  })
  const exact = ratios.filter((ratio) => ratio === 1).length
  const close = ratios.filter((ratio) => ratio > 0.5 && ratio < 2).length
  console.log(`totals: ${exact} of ${ratios.length} exact, ${close} within a factor of two`)
  expect(exact / ratios.length).toBeGreaterThan(0.75)
  expect(close / ratios.length).toBeGreaterThan(0.95)
})
