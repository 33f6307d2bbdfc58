import { request } from 'node:http'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startStores } from '../testing/app.ts'
import { receive } from '../testing/store-client.ts'

const segment = fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }).filter((text) => text.isWellFormed())
const header = fc.string({ maxLength: 40 }).map((text) => text.trim())
const anyRequest = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'POST'),
  path: fc.tuple(
    fc.constantFrom('kv', 'locks', 'keys', 'labels', 'revisions', 'snapshots', 'operations'),
    fc.option(segment, { nil: undefined }),
  ),
  query: fc.dictionary(
    fc.constantFrom('key', 'label', 'name', 'status', 'snapshot', 'tags', '$select', 'after', 'api-version'),
    fc.oneof(segment, fc.constantFrom('*', '\0', 'a*', ',', '1.0')),
  ),
  headers: fc.dictionary(
    fc.constantFrom('if-match', 'if-none-match', 'accept-datetime', 'accept', 'sync-token'),
    header,
  ),
  body: fc.option(fc.oneof(fc.json(), segment, fc.constant('{"value":"x"}'), fc.constant('{"filters":[{"key":"*"}]}'))),
})

test('no request causes a server error', async () => {
  await using world = await startStores()
  await world.open('settings')
  const { authorization } = await world.manager('acme')
  await fc.assert(
    fc.asyncProperty(anyRequest, async ({ method, path: [list, item], query, headers, body }) => {
      const path = item === undefined ? list : `${list}/${encodeURIComponent(item)}`
      const search = new URLSearchParams({ 'api-version': '1.0', ...query })
      const response = await receive(
        fetch(`${world.endpointOf('settings')}/${path}?${search}`, {
          method,
          headers: { ...headers, authorization, 'content-type': 'application/json' },
          ...(body !== null && method !== 'GET' && method !== 'HEAD' && { body }),
        }),
      )
      expect(response.status).toBeLessThan(500)
      if (response.status >= 400 && method !== 'HEAD') expect(response.body).toBeTypeOf('object')
    }),
    { numRuns: 500, seed: 7 },
  )
  await world.app.jobs.drain()
})

test('an invalid host is a client error', async () => {
  await using world = await startStores()
  await world.open('settings')
  const { authorization } = await world.manager('acme')
  const status = await new Promise((resolve, reject) => {
    const headers = { host: 'a b', authorization }
    request(`${world.endpointOf('settings')}/kv?api-version=1.0`, { headers }, (response) =>
      resolve(response.statusCode),
    )
      .once('error', reject)
      .end()
  })
  expect(status).toBe(400)
})

test('counts every response, also to refused requests', async () => {
  await using world = await startStores()
  const store = await world.open('settings')
  await store.put('/kv/a', { value: 'x' })
  await store.get('/kv/a')
  await store.get('/kv/a')
  await store.get('/kv/none')
  await receive(fetch(`${world.endpointOf('settings')}/kv/a?api-version=1.0`))
  const countOf = (operation: string, status: number) =>
    new RegExp(`_count{service="configuration-stores",operation="${operation}",status="${status}"} (\\d+)`).exec(
      world.app.platform.metrics.text(),
    )?.[1]
  expect(countOf('KeyValues_Put', 200)).toBe('1')
  expect(countOf('KeyValues_Get', 200)).toBe('2')
  expect(countOf('KeyValues_Get', 404)).toBe('1')
  expect(countOf('KeyValues_Get', 401)).toBe('1')
})

test('reads of a store count against the rate limit of its tenant only', async () => {
  await using world = await startStores({ rateLimit: { perSecond: 0.01, burst: 10 } }) // none comes back while it runs
  const [ours, theirs] = [await world.open('our-store'), await world.open('their-store', { tenant: 'other' })]
  const statuses = []
  for (let n = 0; n < 12; n++) statuses.push((await ours.get('/kv/none')).status)
  expect(statuses).toContain(404)
  expect(statuses.at(-1)).toBe(429)
  expect((await ours.get('/kv/none')).headers.get('retry-after')).toMatch(/^\d+$/)
  expect((await theirs.get('/kv/none')).status).toBe(404)
})
