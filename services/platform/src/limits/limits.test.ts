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

test('a tenant has at most as many resources of a service as the operator says, however many make them at once', async () => {
  await limit('ada', 'example', 'resources', 3)
  const outcomes = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => put('ada', `n${n}`)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect(outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))).toEqual(Array(9).fill(refused))
  await put('bob', 'n0') // nobody else is held to it
  await put('ada', 'other', 'banking')
})

test('what is there may still be changed, and what is deleted makes room', async () => {
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

test('of all services together', async () => {
  await limit('dora', '*', 'resources', 2)
  await put('dora', 'one', 'backup')
  await put('dora', 'two', 'functions')
  await expect(put('dora', 'three', 'banking')).rejects.toThrow('The limit of 2 resources is reached')
})

test('requests beyond those a second that a tenant may send to a service are refused, those of others are not', async () => {
  await limit('eve', 'example', 'requests', 5)
  await limit('fay', 'example', 'requests', 0)
  const send = async (tenant: string, times: number) => {
    const headers = { 'x-api-key': await app.key(tenant) }
    const all = Array.from({ length: times }, async () => (await fetch(`${app.url}/example/notes`, { headers })).status)
    return (await Promise.all(all)).sort()
  }
  await expect.poll(() => send('fay', 1), { interval: 500, timeout: 10_000 }).toEqual([403])
  const began = performance.now()
  const statuses = await send('eve', 100)
  const seconds = (performance.now() - began) / 1_000
  const answered = statuses.filter((status) => status === 200).length
  expect(answered).toBeGreaterThanOrEqual(5)
  expect(answered, 'five at once, and five a second while they were sent').toBeLessThanOrEqual(5 * (2 + seconds))
  expect(statuses.filter((status) => status === 429)).toHaveLength(100 - answered)
  expect(await send('gil', 40)).toEqual(Array(40).fill(200))
})
