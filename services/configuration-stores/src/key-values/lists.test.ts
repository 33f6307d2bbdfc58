import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startStores } from '../testing/app.ts'

test('lists 250 keys in three pages, each once and in order', async () => {
  await using world = await startStores()
  const store = await world.open('settings')
  const keys = Array.from({ length: 250 }, (_, index) => `key-${String(index).padStart(3, '0')}`)
  for (let rest = keys.toReversed(); rest.length > 0; rest = rest.slice(50)) {
    const responses = await Promise.all(rest.slice(0, 50).map((key) => store.put(`/kv/${key}`, { value: key })))
    expect(responses.every(({ status }) => status === 200)).toBe(true)
  }

  const { items, pages } = await store.all('/kv?key=key-*&$select=key,value')
  expect(pages).toEqual([100, 100, 50])
  expect(items).toEqual(keys.map((key) => ({ key, value: key })))
  expect((await store.all('/keys')).pages).toEqual([100, 100, 50])
  expect((await store.all('/revisions')).pages).toEqual([100, 100, 50])

  const first = await store.get('/kv')
  const link = String(first.body['@nextLink'])
  expect(first.headers.get('link')).toBe(`<${link}>; rel="next"`)
  expect(new URLSearchParams(link).get('after'), 'where clients expect it').toBeTruthy()
  const token = encodeURIComponent(String(new URLSearchParams(link).get('after')))
  expect((await store.get(`/kv?key=other*&after=${token}`)).status, 'a link of another list').toBe(400)

  const etag = String(first.headers.get('etag'))
  expect((await store.get('/kv', { 'if-none-match': etag })).status).toBe(304)
  await store.put('/kv/key-000', { value: 'changed' })
  expect((await store.get('/kv', { 'if-none-match': etag })).status, 'the first page has changed').toBe(200)
})

const characters = ['a', 'b', '*', ',', '\\', '_', '%', 'é', '\u{10ffff}', '😀', '/']
const text = (maxLength: number) =>
  fc.array(fc.constantFrom(...characters), { minLength: 1, maxLength }).map((chosen) => chosen.join(''))

const pattern = fc.record({
  kind: fc.constantFrom('equals', 'startsWith', 'endsWith', 'contains', 'any'),
  text: text(2),
})
type Pattern = typeof pattern extends fc.Arbitrary<infer P> ? P : never

const none: Pattern = { kind: 'equals', text: '' }

const encoded = ({ kind, text }: Pattern) => {
  if (text === '') return '\0'
  const escaped = text.replaceAll(/[*,\\]/g, '\\$&')
  return (
    { equals: escaped, startsWith: `${escaped}*`, endsWith: `*${escaped}`, contains: `*${escaped}*`, any: '*' }[kind] ??
    ''
  )
}

const matches = (patterns: readonly Pattern[], value: string) =>
  patterns.some(({ kind, text }) => {
    if (kind === 'equals') return value === text
    if (kind === 'startsWith') return value.startsWith(text)
    if (kind === 'endsWith') return value.endsWith(text)
    return kind === 'any' || value.includes(text)
  })

test('filters match a full scan', async () => {
  await using world = await startStores()
  const store = await world.open('settings')
  const sample = fc.sample(
    fc.record({
      key: text(4).filter((key) => !key.includes('%')),
      label: fc.oneof(fc.constant(''), text(3)),
      tag: fc.constantFrom('x', 'y=z', ''),
    }),
    { numRuns: 150, seed: 7 },
  )
  const all = new Map(sample.map((item) => [`${item.key}\n${item.label}`, item]))
  for (const { key, label, tag } of all.values())
    await store.put(`/kv/${encodeURIComponent(key)}?label=${encodeURIComponent(label)}`, { tags: { tag } })

  const filter = fc.array(pattern, { minLength: 1, maxLength: 5 })
  const labels = fc.array(fc.oneof(pattern, fc.constant(none)), { minLength: 1, maxLength: 5 })
  const tags = fc.option(fc.constantFrom('x', 'y=z', '', 'q'), { nil: undefined })
  await fc.assert(
    fc.asyncProperty(filter, labels, tags, async (keyFilter, labelFilter, tag) => {
      const query = new URLSearchParams({
        key: keyFilter.map(encoded).join(','),
        label: labelFilter.map(encoded).join(','),
        ...(tag !== undefined && { tags: `tag=${tag}` }),
      })
      const { items } = await store.all(`/kv?${query}`)
      const expected = [...all.values()].filter(
        (item) =>
          matches(keyFilter, item.key) && matches(labelFilter, item.label) && (tag === undefined || item.tag === tag),
      )
      const listed = items.map(({ key, label }) => `${key}\n${label ?? ''}`)
      expect(listed.toSorted()).toEqual(expected.map(({ key, label }) => `${key}\n${label}`).toSorted())
      expect(new Set(listed).size).toBe(listed.length)
    }),
    { numRuns: 150, seed: 7 },
  )
})

test('invalid filters are refused', async () => {
  await using world = await startStores()
  const store = await world.open('settings')
  const six = '1,2,3,4,5,6'
  for (const query of ['key=a*b', `key=${six}`, `label=${six}`, 'key=a\\', 'tags=novalue', 'key=*a*b*'])
    expect(await store.get(`/kv?${query}`), query).toMatchObject({
      status: 400,
      body: { name: query.split('=')[0], status: 400 },
    })
})
