import type { TestApp } from '@icosa/testing'
import { sized } from '@icosa/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as store from '../diagnostics/store.ts'
import { originalNamespace } from '../names.ts'
import { clientOf, service, start } from '../testing/app.ts'
import { parseFilter } from './parser.ts'
import { call, comparison, filter, rows } from './testing/generated.ts'
import { holds, type Node, print } from './testing/odata.ts'

const allRows = rows(5_000)
// Deterministic unless SEED is set.
const seed = Number(process.env.SEED ?? 376)
let app: TestApp

beforeAll(async () => {
  app = await start()
  await app.platform.database.transaction(async (db) => {
    for (const { name, settings } of allRows) {
      const address = { ...service, diagnosticId: name }
      await store.put(db, 'acme', address, { settings, etag: '"1"', now: app.platform.clock.now() })
    }
  })
})
afterAll(() => app[Symbol.asyncDispose]())

const expected = (node: Node) => allRows.filter((row) => holds(node, row)).map(({ name }) => name)

async function namesMatching(text: string): Promise<string[]> {
  const page = await store.list(app.platform.database, 'acme', service, { limit: 5_001, filter: parseFilter(text) })
  return page.items.map(({ diagnosticId }) => diagnosticId)
}

async function checkFilter(node: Node): Promise<number> {
  const names = await namesMatching(print(node))
  expect(names.toSorted(), print(node)).toEqual(expected(node).toSorted())
  return names.length
}

const single: [string, fc.Arbitrary<Node>][] = [
  ...(['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const).map((op): [string, fc.Arbitrary<Node>] => [op, comparison(op)]),
  ...(['substringof', 'contains', 'startswith', 'endswith'] as const).map((op): [string, fc.Arbitrary<Node>] => [
    op,
    call(op),
  ]),
]

test.each(single)('%s matches the same of 5,000 rows as a row-by-row check', async (_, nodes) => {
  const counts: number[] = []
  for (const node of fc.sample(nodes, { numRuns: 40, seed })) counts.push(await checkFilter(node))
  expect(
    counts.filter((count) => count > 0 && count < allRows.length).length,
    'filters that match some rows',
  ).toBeGreaterThan(5)
})

const generated = sized(80, 300)

test(`${generated} generated filters match the same of 5,000 rows as a row-by-row check`, async () => {
  const counts: number[] = []
  await fc.assert(
    fc.asyncProperty(filter, async (node) => {
      counts.push(await checkFilter(node))
    }),
    { numRuns: generated, seed },
  )
  expect(
    counts.filter((count) => count > 0 && count < allRows.length).length,
    'filters that match some rows',
  ).toBeGreaterThan(generated / 2)
})

test('the pages of a filtered list over HTTP contain all matches in order', async () => {
  const authorization = `Bearer ${await app.key('acme')}`
  const path = `/subscriptions/sub-1/resourceGroups/group/providers/${originalNamespace}/service/${service.serviceName}`
  const nodes = fc.sample(filter, { numRuns: 60, seed }).filter((node) => print(node).length < 1_500)
  let pages = 0
  for (const node of nodes.slice(0, 15)) {
    const query = new URLSearchParams({ 'api-version': '2021-08-01', $filter: print(node), $top: '700', $skip: '3' })
    const names: string[] = []
    let next: string | undefined = `${app.url}/api-diagnostics${path}/diagnostics?${query}`
    while (next) {
      // Clients repeat their query along with the token.
      const url: URL = new URL(next)
      url.searchParams.set('$skip', '3')
      const response = await fetch(url, { headers: { authorization } })
      const page = (await response.json()) as { value: { name: string }[]; nextLink?: string }
      expect(page.value.length).toBeLessThanOrEqual(700)
      names.push(...page.value.map(({ name }) => name))
      next = page.nextLink
      pages++
    }
    const keys = expected(node).map((name) => [name, Buffer.from(name.toLowerCase())] as const)
    const inOrder = keys.toSorted(([, a], [, b]) => Buffer.compare(a, b)).map(([name]) => name)
    expect(names, print(node)).toEqual(inOrder.slice(3))
  }
  expect(pages).toBeGreaterThan(30)
})

test('SQL in a filter is plain text or refused', async () => {
  const owner = await clientOf(app)
  const texts = [
    "'; drop table api_diagnostics.diagnostics; --",
    "x' or '1'='1",
    "' union select etag from api_diagnostics.diagnostics --",
    "\\' or true --",
    '%',
    '_',
    '$1',
    '{tenant}',
  ]
  for (const text of texts) {
    const nodes: Node[] = [
      { op: 'eq', path: 'name', value: text, swapped: false },
      { op: 'contains', path: 'properties/loggerId', text, tail: '' },
      { op: 'startswith', path: 'name', text, tail: '' },
    ]
    for (const node of nodes) await checkFilter(node)
    const raw = owner.list({ params: service, query: { $filter: `name eq '${text}'` } })
    const isOneLiteral = !text.includes("'")
    if (isOneLiteral) expect(await raw).toMatchObject({ status: 200 })
    else await expect(raw).rejects.toMatchObject({ status: 400 })
  }
  const bare = ["name = 'a'", "name eq 'a' or 1 eq 1", 'name eq name', "tenant eq 'acme'", "name eq 'a'; select 1", '1']
  for (const $filter of [...bare, "properties->>'loggerId' eq 'a'", "lower(name) eq 'a'", 'name in (select 1)'])
    await expect(owner.list({ params: service, query: { $filter } })).rejects.toMatchObject({ status: 400 })
  expect(await namesMatching('')).toHaveLength(allRows.length)
})

const invalidFilters: [text: string, at: number, hint: string][] = [
  ["nam eq 'a'", 1, 'nam is not a field: use one of name, properties/loggerId'],
  ["name like 'a'", 6, 'like is not an operator: use one of eq, ne, gt, ge, lt, le'],
  ["name EQ 'a'", 6, 'EQ is not an operator'],
  ["tolower(name) eq 'a'", 1, 'tolower is not a function: use one of substringof, contains, startswith, endswith'],
  ["contains('a', name)", 10, "contains expects a field here: contains(name, 'app')"],
  ["substringof(name, 'a')", 19, "substringof expects a field here: substringof('app', name)"],
  ["contains(properties/logClientIp, 'a')", 10, 'properties/logClientIp is not a text'],
  ['name eq 5', 9, "name is a text and 5 is not: compare it with a text such as 'local'"],
  ['name eq 2019-12-01T00:00:00Z', 9, 'name is a text and 2019-12-01T00:00:00Z is not'],
  ["properties/sampling/percentage gt '5'", 35, 'compare it with a number such as 25'],
  ['properties/logClientIp gt true', 27, 'compare it with eq and ne'],
  ['name gt null', 9, 'null can only be compared with eq and ne'],
  ["name eq 'a", 9, "no closing '"],
  ["name eq 'a' name", 13, 'expected and, or, or the end, not name'],
  ["(name eq 'a'", 13, 'expected ), not the end'],
  ["name eq 'a' and", 16, 'not the end'],
  ["name eq 'a' & name", 13, "'&' is not expected here"],
  ["contains(name, 'a') eq 5", 24, 'expected true or false, not 5'],
  ['properties/sampling/percentage eq 1e999', 35, 'too large a number'],
  ["name eq 'a\0'", 9, 'U+0000'],
]

test.each(invalidFilters)('%j is refused at character %i', (text, at, hint) => {
  expect(() => parseFilter(text)).toThrow(`query/$filter at character ${at}: `)
  expect(() => parseFilter(text)).toThrow(hint)
})

test('deep nesting is refused before it can overflow the stack', () => {
  const hint = 'parentheses and nots are nested more than 20 deep'
  expect(() => parseFilter(`${'('.repeat(20)}name eq 'a'${')'.repeat(20)}`)).not.toThrow()
  expect(() => parseFilter(`${'('.repeat(100_000)}name eq 'a'`)).toThrow(`at character 22: ${hint}`)
  expect(() => parseFilter(`${'not '.repeat(100_000)}name eq 'a'`)).toThrow(`at character 85: ${hint}`)
})

test('any text is parsed or refused', () => {
  const word = fc.constantFrom(
    'name',
    'eq',
    "'a'",
    '(',
    ')',
    ',',
    'not',
    'and',
    'or',
    'contains',
    '1',
    'null',
    '1-1',
    '\0',
  )
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(word).map((words) => words.join(' ')),
  )
  fc.assert(
    fc.property(texts, (text) => {
      try {
        parseFilter(text)
      } catch (error) {
        expect(error).toMatchObject({ kind: 'invalid', details: [{ at: 'query/$filter' }] })
      }
    }),
    { numRuns: 3_000, seed },
  )
})

test('a filter has a maximum length, and a token is only valid with its filter', async () => {
  const owner = await clientOf(app)
  const long = `name eq '${'x'.repeat(2_000)}'`
  await expect(owner.list({ params: service, query: { $filter: long } })).rejects.toMatchObject({ status: 400 })

  const { body } = await owner.list({ params: service, query: { $filter: "name ne 'x'", $top: 2 } })
  expect(body.nextLink, 'clients look for $filter, not %24filter').toMatch(/[?&]\$filter=.*&\$skipToken=/)
  const token = new URL(body.nextLink ?? '').searchParams.get('$skipToken') ?? ''
  await expect(
    owner.list({ params: service, query: { $filter: "name ne 'y'", $skipToken: token } }),
  ).rejects.toMatchObject({ status: 400, body: { error: { details: [{ target: 'query/$skipToken' }] } } })
})
