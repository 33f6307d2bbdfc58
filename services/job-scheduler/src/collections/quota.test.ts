import { expect, test } from 'vitest'
import { at, callersOf, nightly, request, start } from '../testing/app.ts'

const action = request('https://example.com')
const startTime = '9000-01-01'

test('a collection takes as many jobs as its quota says', async () => {
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
  expect(await put('two'), 'writing one again is no further job').toMatchObject({ status: 200 })
  expect(await jobs.delete({ params: at('one') })).toMatchObject({ status: 200 })
  expect(await put('three')).toMatchObject({ status: 201 })

  const same = await Promise.all(Array.from({ length: 5 }, () => put('three')))
  expect(same.map(({ status }) => status)).toEqual(Array(5).fill(200))
  await jobs.delete({ params: at('three') })
  const anew = await Promise.all(Array.from({ length: 5 }, () => put('three')))
  expect(anew.map(({ status }) => status).sort(), 'one of them makes it').toEqual([200, 200, 200, 200, 201])

  const together = await Promise.allSettled(['a', 'b', 'c', 'd'].map(put))
  expect(
    together.map(({ status }) => status),
    'nor do several at once get past it',
  ).toEqual(Array(4).fill('rejected'))
})

test('jobs happen no more often than the quota says, however they are written', async () => {
  await using app = await start()
  const { collections, jobs } = await callersOf(app)
  await collections.createOrUpdate({ params: nightly, body: { properties: { sku: { name: 'Free' } } } })
  const put = (recurrence: object) =>
    jobs.createOrUpdate({ params: at('job'), body: { properties: { startTime, action, recurrence } } })
  const refused = { status: 409, body: { error: { message: expect.stringContaining('maxRecurrence') } } }
  await expect(put({ frequency: 'Minute', interval: 59 })).rejects.toMatchObject(refused)
  await expect(put({ frequency: 'Day', schedule: { hours: [1], minutes: [0, 30] } })).rejects.toMatchObject(refused)
  expect(await put({ frequency: 'Hour' })).toMatchObject({ status: 201 })

  await collections.patch({ params: nightly, body: { properties: { quota: { maxJobOccurrence: 10 } } } })
  const endless = { status: 409, body: { error: { message: expect.stringContaining('maxJobOccurrence') } } }
  await expect(put({ frequency: 'Hour' })).rejects.toMatchObject(endless)
  await expect(put({ frequency: 'Hour', count: 11 })).rejects.toMatchObject(endless)
  expect(await put({ frequency: 'Hour', count: 10 })).toMatchObject({ status: 200 })
})

test('an interval without its frequency is refused, not forgotten', async () => {
  await using app = await start()
  const { collections } = await callersOf(app)
  const body = { properties: { quota: { maxRecurrence: { interval: 5 } } } }
  await expect(collections.createOrUpdate({ params: nightly, body })).rejects.toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining('maxRecurrence/frequency is required') } },
  })
})
