import { resourcesIn } from '@icosa/kernel'
import { example, startTestApp, type TestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operating } from '../index.ts'
import { setLimit } from './store.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ services: [example, operating] })
})
afterAll(() => app[Symbol.asyncDispose]())

const put = (tenant: string, name: string, service = 'example') =>
  app.platform.database.transaction((db) =>
    resourcesIn(db, app.platform.clock, service, tenant).put({
      id: `/${service}/${name}`,
      type: `${service}/things`,
      name,
    }),
  )
const limit = (tenant: string, service: string, kind: 'resources' | 'requests', amount: number | undefined) =>
  setLimit(app.platform.database, { tenant, service, kind, amount })
const refused = expect.objectContaining({ kind: 'limitReached' })

test('a resource limit of a service holds under concurrent creation', async () => {
  await limit('ada', 'example', 'resources', 3)
  const outcomes = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => put('ada', `n${n}`)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect(outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))).toEqual(
    Array(9).fill(refused),
  )
  await put('bob', 'n0') // others are not limited
  await put('ada', 'other', 'banking')
})

test('existing resources can still be changed, and deleting one frees quota', async () => {
  const { database, clock } = app.platform
  await limit('cleo', 'example', 'resources', 1)
  await put('cleo', 'one')
  await put('cleo', 'one')
  await expect(put('cleo', 'two')).rejects.toEqual(refused)
  await database.transaction((db) => resourcesIn(db, clock, 'example', 'cleo').remove('/example/one'))
  await put('cleo', 'two')
  await limit('cleo', 'example', 'resources', undefined)
  await put('cleo', 'three')
})

test('a limit can cover all services', async () => {
  await limit('dora', '*', 'resources', 2)
  await put('dora', 'one', 'backup')
  await put('dora', 'two', 'functions')
  await expect(put('dora', 'three', 'banking')).rejects.toThrow('The limit of 2 resources is reached')
})

test('requests beyond the rate limit of a tenant are refused, those of others are not', async () => {
  await limit('eve', 'example', 'requests', 5)
  await limit('fay', 'example', 'requests', 0)
  const send = async (tenant: string, times: number) => {
    const headers = { 'x-api-key': await app.key(tenant) }
    const requests = Array.from(
      { length: times },
      async () => (await fetch(`${app.url}/example/notes`, { headers })).status,
    )
    return (await Promise.all(requests)).sort()
  }
  await expect.poll(() => send('fay', 1), { interval: 500, timeout: 10_000 }).toEqual([403])
  const began = performance.now()
  const statuses = await send('eve', 100)
  const seconds = (performance.now() - began) / 1_000
  const accepted = statuses.filter((status) => status === 200).length
  expect(accepted).toBeGreaterThanOrEqual(5)
  expect(accepted, 'a burst of five, then five per second').toBeLessThanOrEqual(5 * (2 + seconds))
  expect(statuses.filter((status) => status === 429)).toHaveLength(100 - accepted)
  expect(await send('gil', 40)).toEqual(Array(40).fill(200))
})
