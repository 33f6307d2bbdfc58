import { expect, test } from 'vitest'
import { at, callersOf, nightly, request, start } from '../testing/app.ts'

const action = request('https://example.com')
const startTime = '9000-01-01'

test('a collection accepts as many jobs as its quota allows', async () => {
  await using app = await start()
  const { collections, jobs } = await callersOf(app)
  await collections.createOrUpdate({ params: nightly, body: { properties: { quota: { maxJobCount: 2 } } } })
  const put = (name: string) => jobs.createOrUpdate({ params: at(name), body: { properties: { startTime, action } } })
  await put('one')
  await put('two')
  await expect(put('three')).rejects.toMatchObject({
    status: 409,
    body: {
      error: { code: 'JobCollectionQuotaExceeded', message: expect.stringContaining('maxJobCount') },
    },
  })
  expect(await put('two'), 'replacing a job does not count').toMatchObject({ status: 200 })
  expect(await jobs.delete({ params: at('one') })).toMatchObject({ status: 200 })
  expect(await put('three')).toMatchObject({ status: 201 })

  const replacements = await Promise.all(Array.from({ length: 5 }, () => put('three')))
  expect(replacements.map(({ status }) => status)).toEqual(Array(5).fill(200))
  await jobs.delete({ params: at('three') })
  const creations = await Promise.all(Array.from({ length: 5 }, () => put('three')))
  expect(creations.map(({ status }) => status).sort(), 'one of them creates it').toEqual([200, 200, 200, 200, 201])

  const concurrent = await Promise.allSettled(['a', 'b', 'c', 'd'].map(put))
  expect(
    concurrent.map(({ status }) => status),
    'concurrent requests do not exceed it either',
  ).toEqual(Array(4).fill('rejected'))
})

test('jobs run no more often than the quota allows, however they are written', async () => {
  await using app = await start()
  const { collections, jobs } = await callersOf(app)
  await collections.createOrUpdate({ params: nightly, body: { properties: { sku: { name: 'Free' } } } })
  const put = (recurrence: object) =>
    jobs.createOrUpdate({ params: at('job'), body: { properties: { startTime, action, recurrence } } })
  const tooOften = { status: 409, body: { error: { message: expect.stringContaining('maxRecurrence') } } }
  await expect(put({ frequency: 'Minute', interval: 59 })).rejects.toMatchObject(tooOften)
  await expect(put({ frequency: 'Day', schedule: { hours: [1], minutes: [0, 30] } })).rejects.toMatchObject(tooOften)
  expect(await put({ frequency: 'Hour' })).toMatchObject({ status: 201 })

  await collections.patch({ params: nightly, body: { properties: { quota: { maxJobOccurrence: 10 } } } })
  const tooMany = { status: 409, body: { error: { message: expect.stringContaining('maxJobOccurrence') } } }
  await expect(put({ frequency: 'Hour' })).rejects.toMatchObject(tooMany)
  await expect(put({ frequency: 'Hour', count: 11 })).rejects.toMatchObject(tooMany)
  expect(await put({ frequency: 'Hour', count: 10 })).toMatchObject({ status: 200 })
})

test('an interval without a frequency is refused, not ignored', async () => {
  await using app = await start()
  const { collections } = await callersOf(app)
  const body = { properties: { quota: { maxRecurrence: { interval: 5 } } } }
  await expect(collections.createOrUpdate({ params: nightly, body })).rejects.toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining('maxRecurrence/frequency is required') } },
  })
})
