import { sized } from '@icosa/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readQuery } from '../queries/read.ts'
import * as registry from '../queries/registry-store.ts'
import { byStack, byTags, startGroups, type World } from '../testing/app.ts'
import { analyze, fillByNumber, scan, watched } from '../testing/registry-store.ts'

const count = sized(50_000, 200_000)
const seed = 376

type Query = ReturnType<typeof byTags | typeof byStack>

let world: World
let acme: Awaited<ReturnType<World['caller']>>

beforeAll(async () => {
  world = await startGroups()
  const { database } = world.app.platform
  await fillByNumber(database, 'acme', count)
  for (const tenant of ['other', 'third']) await fillByNumber(database, tenant, count / 10)
  await analyze(database)
  acme = await world.caller()
})
afterAll(() => world[Symbol.asyncDispose]())

const value = fc.integer({ min: 0, max: 52 }).map((number) => `v${number}`)
const tag = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(
      fc.integer({ min: 0, max: 19 }).map((number) => `key${number}`),
      fc.array(value, { maxLength: 3 }),
    ),
  },
  { weight: 3, arbitrary: fc.tuple(fc.constant('env'), fc.subarray(['prod', 'test', 'dev', 'none'])) },
  fc.tuple(fc.constantFrom('even', 'odd', 'rare', 'nowhere'), fc.subarray(['yes'])),
)
const types = fc.oneof(
  { weight: 3, arbitrary: fc.constant(['AWS::AllSupported']) },
  fc.subarray(['Vendor.Service1/things', 'vendor.service2/Things', 'AWS::Rare::Thing'], { minLength: 1 }),
)
const query: fc.Arbitrary<Query> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.array(tag, { minLength: 1, maxLength: 3 }), types)
      .map(([tags, of]) => byTags(Object.fromEntries(tags), of)),
  },
  fc.integer({ min: 0, max: 520 }).map((number) => byStack(`/subscriptions/s/resourceGroups/g${number}`)),
)

async function timed<T>(work: () => Promise<T>): Promise<[ms: number, result: T]> {
  const start = performance.now()
  const result = await work()
  return [performance.now() - start, result]
}

const search = async (ResourceQuery: Query, NextToken?: string) =>
  (await acme.SearchResources({ body: { ResourceQuery, ...(NextToken && { NextToken }) } })).body

const at = (sorted: readonly number[], part: number) => sorted[Math.floor((sorted.length - 1) * part)] as number
const sorted = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)
const median = (numbers: readonly number[]) => at(sorted(numbers), 0.5)
const ms = (number: number) => `${number.toFixed(1)} ms`

test('a page is faster than a sequential scan', async () => {
  const { database } = world.app.platform
  const scans: number[] = []
  const firstPages: number[] = []
  const nextPages: number[] = []
  for (const [index, generated] of fc.sample(query, { numRuns: 300, seed }).entries()) {
    if (index % 30 === 0) scans.push((await timed(() => scan(database)))[0]) // interleaved, so that other load delays both
    const [first, { NextToken }] = await timed(() => search(generated))
    firstPages.push(first)
    if (NextToken) nextPages.push((await timed(() => search(generated, NextToken)))[0])
  }
  const pages = sorted([...firstPages, ...nextPages])
  const scanMs = median(scans)
  console.log(
    `${count} resources, ${pages.length} pages of generated queries: p50 ${ms(at(pages, 0.5))}, p95 ${ms(at(pages, 0.95))}, ` +
      `p99 ${ms(at(pages, 0.99))}, longest ${ms(at(pages, 1))}; a sequential scan ${ms(scanMs)}`,
  )
  expect(at(pages, process.env.NIGHTLY ? 0.95 : 0.75)).toBeLessThan(scanMs) // on a busy machine, the slowest are noise
})

test('later pages are as fast as the first', async () => {
  const frequent = byTags({ env: ['prod'] })
  let token = ''
  for (let page = 1; page < 200; page++) token = (await search(frequent, token || undefined)).NextToken ?? ''
  const [firstPages, laterPages]: [number[], number[]] = [[], []]
  for (let round = 0; round < 20; round++) {
    firstPages.push((await timed(() => search(frequent)))[0])
    laterPages.push((await timed(() => search(frequent, token)))[0])
  }
  const [first, later] = [median(firstPages), median(laterPages)]
  console.log(`page 1 in ${ms(first)}, page 200 in ${ms(later)}`)
  expect(later).toBeLessThan(3 * first)
})

test('no query reads more than a small part of the registry', async () => {
  const { database } = world.app.platform
  const cases: readonly (readonly [string, Query, RegExp])[] = [
    ['a frequent tag', byTags({ env: ['prod'] }), /resources_pkey/],
    ['one tag', byTags({ key3: ['v40'] }), /resources_by_tags/],
    ['two tags', byTags({ key3: ['v7'], env: ['prod', 'dev'] }), /resources_by_tags/],
    ['two frequent tags that exclude each other', byTags({ even: ['yes'], odd: ['yes'] }), /resources_by_tags/],
    ['an unused tag', byTags({ key3: ['none'] }), /resources_by_tags/],
    ['a key alone', byTags({ rare: [] }), /resources_by_tag_keys/],
    ['two keys that exclude each other', byTags({ even: [], odd: [] }), /resources_by_tag_keys/],
    ['a type', byTags({}, ['Vendor.Service1/things']), /resources_by_type/],
    ['three types', byTags({}, ['Vendor.Service1/things', 'Vendor.Service2/things', 'AWS::Rare::Thing']), /by_type/],
    ['two types and a tag', byTags({ key17: ['v3'] }, ['Vendor.Service1/things', 'AWS::Rare::Thing']), /by_type/],
    ['a rare type and a tag', byTags({ env: ['prod'] }, ['AWS::Rare::Thing']), /resources_by_type/],
    ['a stack', byStack('/subscriptions/s/resourceGroups/g77'), /resources_by_scope/],
  ]
  for (const [name, resourceQuery, index] of cases) {
    const query = readQuery(resourceQuery)
    const db = watched(database)
    const types = query.types === 'all' ? 'all' : JSON.parse(resourceQuery.Query).ResourceTypeFilters
    const rows = await registry.page(db, { tenant: 'acme', types, query }, '', 51)
    console.log(`${name}: ${rows.length} matches, ${db.rowsRead} rows read, by ${[...new Set(db.scans)].join(', ')}`)
    expect(db.scans.join(), name).not.toMatch(/Seq Scan/)
    expect(db.scans.join(), name).toMatch(index)
    expect(db.rowsRead, name).toBeLessThan(Math.max(5_000, count / 20))
  }
})

test('searches reflect new tags and deletions immediately', async () => {
  const fresh = byTags({ fresh: ['yes'] })
  expect((await search(fresh)).ResourceIdentifiers).toEqual([])
  await world.register({ id: '/r/fresh', tags: { fresh: 'yes' } })
  const [searchMs, { ResourceIdentifiers }] = await timed(() => search(fresh))
  expect(ResourceIdentifiers).toHaveLength(1)
  console.log(`a new tag is in the next response, after ${ms(searchMs)}`)
  await world.unregister('/r/fresh')
  expect((await search(fresh)).ResourceIdentifiers).toEqual([])
})
