import { setTimeout as sleep } from 'node:timers/promises'
import { jobsIn, sql } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { defaultSettings } from '../settings.ts'
import { at, callersOf, everyMinute, minuteMs, nightly, request, start } from '../testing/app.ts'
import { startReceiver } from '../testing/receiver.ts'
import { deliverJob } from './deliver.ts'
import type { Due } from './execution.ts'

test('three nodes, one of which stops midway, send the sixty requests of an hour once each', async () => {
  const background = { worker: { concurrency: 16, background: true } }
  await using app = await start(background)
  await using receiver = await startReceiver(20)
  const { databaseUrl } = app
  await using second = await start({ ...background, databaseUrl })
  const third = await start({ ...background, databaseUrl })
  const { collections, jobs } = await callersOf(app)
  await collections.createOrUpdate({ params: nightly, body: {} })
  const from = new Date('2030-03-31T00:00:00Z')
  await app.clock.move({ to: new Date(from.getTime() - 30_000), frozen: true })
  const properties = { startTime: from.toISOString(), action: request(receiver.url), recurrence: everyMinute }
  await jobs.createOrUpdate({ params: at('beat'), body: { properties } })

  await app.clock.advance(30 * minuteMs)
  await receiver.until(10)
  await third[Symbol.asyncDispose]()
  await app.clock.advance(30 * minuteMs)
  await receiver.until(60)
  await sleep(1_500) // long enough for three more polls
  await Promise.all([app.jobs.drain(), second.jobs.drain()])

  const times = receiver.received.map(({ expectedAt }) => expectedAt.toISOString()).sort()
  const expected = Array.from({ length: 60 }, (_, minute) => new Date(from.getTime() + minute * minuteMs).toISOString())
  expect(times).toEqual(expected)
  expect(new Set(receiver.received.map(({ executionId }) => executionId)).size).toBe(60)
  const { body } = await jobs.get({ params: at('beat') })
  expect(body.properties?.status).toMatchObject({
    executionCount: 60,
    failureCount: 0,
    nextExecutionTime: '2030-03-31T01:00:00.000Z',
  })
  const { body: history } = await jobs.listJobHistory({ params: at('beat') })
  expect(new Set(history.value.map(({ properties: { repeatCount } }) => repeatCount)).size).toBe(60)
})

test('Retry-After extends the pause of the retry policy', async () => {
  await using app = await start()
  await using receiver = await startReceiver()
  const { collections, jobs } = await callersOf(app)
  await collections.createOrUpdate({ params: nightly, body: {} })
  await app.clock.move({ frozen: true })
  receiver.answer('/busy', 429, 'later', { 'retry-after': '300' })
  const retryPolicy = { retryType: 'Fixed' as const, retryInterval: 'PT30S', retryCount: 1 }
  const action = { ...request(`${receiver.url}/busy`), retryPolicy }
  await jobs.createOrUpdate({ params: at('patient'), body: { properties: { action } } })
  const receivedAfter = async (ms: number) => {
    await app.clock.advance(ms)
    await app.jobs.drain()
    return receiver.received.length
  }
  expect(await receivedAfter(0)).toBe(1)
  expect(await receivedAfter(299_000)).toBe(1)
  expect(await receivedAfter(1_000)).toBe(2)
})

test('a failing action is retried according to the policy, then its error action runs', async () => {
  await using app = await start()
  await using receiver = await startReceiver()
  const { collections, jobs } = await callersOf(app)
  await collections.createOrUpdate({ params: nightly, body: {} })
  receiver.answer('/main', 500, 'out of order')
  receiver.answer('/error', 503)
  const retryPolicy = { retryType: 'Fixed' as const, retryInterval: 'PT30S', retryCount: 2 }
  const errorAction = { ...request(`${receiver.url}/error`), retryPolicy: { ...retryPolicy, retryCount: 1 } }
  const action = { ...request(`${receiver.url}/main`), retryPolicy, errorAction }
  await jobs.createOrUpdate({ params: at('unlucky'), body: { properties: { action } } })
  const paths = async () => {
    await app.jobs.drain()
    return receiver.received.map(({ path }) => path)
  }
  expect(await paths()).toEqual(['/main'])
  await app.clock.advance(29_000)
  expect(await paths(), 'not before the interval').toHaveLength(1)
  await app.clock.advance(2_000)
  expect(await paths()).toEqual(['/main', '/main'])
  await app.clock.advance(31_000)
  expect(await paths()).toEqual(['/main', '/main', '/main', '/error'])
  await app.clock.advance(31_000)
  expect(await paths()).toEqual(['/main', '/main', '/main', '/error', '/error'])
  await app.clock.advance(60 * minuteMs)
  expect(await paths(), 'no further attempts').toHaveLength(5)
  expect(new Set(receiver.received.map(({ executionId }) => executionId)).size, 'all belong to one execution').toBe(1)

  const { body: job } = await jobs.get({ params: at('unlucky') })
  expect(job.properties).toMatchObject({
    state: 'Faulted',
    status: { executionCount: 1, failureCount: 3, faultedCount: 1 },
  })
  const { body } = await jobs.listJobHistory({ params: at('unlucky') })
  const attempts = body.value.map(({ properties: { actionName, retryCount, status } }) => [
    actionName,
    retryCount,
    status,
  ])
  expect(attempts).toEqual([
    ['ErrorAction', 1, 'Failed'],
    ['ErrorAction', 0, 'Failed'],
    ['MainAction', 2, 'Failed'],
    ['MainAction', 1, 'Failed'],
    ['MainAction', 0, 'Failed'],
  ])
  expect(body.value[4]?.properties.message).toMatch(
    /^127\.0\.0\.1:\d+ answered HTTP 500 Internal Server Error\. out of order$/,
  )
})

test('a successful retry completes the job', async () => {
  await using app = await start()
  await using receiver = await startReceiver()
  const { collections, jobs } = await callersOf(app)
  await collections.createOrUpdate({ params: nightly, body: {} })
  receiver.answer('/', 500)
  const errorAction = request(`${receiver.url}/error`)
  const { retryPolicy: _, ...action } = request(receiver.url)
  await jobs.createOrUpdate({ params: at('late'), body: { properties: { action: { ...action, errorAction } } } })
  await app.jobs.drain()
  receiver.answer('/', 200, 'x'.repeat(10_000))
  await app.clock.advance(30_000) // the default interval
  await app.jobs.drain()
  expect(receiver.received.map(({ path }) => path)).toEqual(['/', '/'])
  const { body: job } = await jobs.get({ params: at('late') })
  expect(job.properties).toMatchObject({ state: 'Completed', status: { failureCount: 1, faultedCount: 0 } })
  const { body: good } = await jobs.listJobHistory({ params: at('late'), query: { $filter: "status eq 'Completed'" } })
  expect(good.value).toHaveLength(1)
  expect(good.value[0]?.properties.message.length, 'truncated to four kilobytes').toBeLessThan(4_200)
})

test('a private address that is not allowed fails with a message', async () => {
  await using app = await start()
  const { collections, jobs } = await callersOf(app)
  await collections.createOrUpdate({ params: nightly, body: {} })
  await jobs.createOrUpdate({ params: at('nosy'), body: { properties: { action: request('http://10.0.0.1/') } } })
  await app.jobs.drain()
  const { body } = await jobs.listJobHistory({ params: at('nosy') })
  expect(body.value.map(({ properties: { status, message } }) => [status, message])).toEqual([
    ['Failed', expect.stringContaining("Fetching from '10.0.0.1' is refused because it is not on the public internet")],
  ])
})

test('no retry is made if the job was deleted or disabled, or its collection disabled', async () => {
  await using app = await start()
  await using receiver = await startReceiver()
  const { collections, jobs } = await callersOf(app)
  await collections.createOrUpdate({ params: nightly, body: {} })
  const retryPolicy = { retryType: 'Fixed' as const, retryInterval: 'PT1M' }
  const put = (name: string) => {
    receiver.answer(`/${name}`, 500)
    const action = { ...request(`${receiver.url}/${name}`), retryPolicy }
    return jobs.createOrUpdate({ params: at(name), body: { properties: { action } } })
  }
  for (const name of ['deleted', 'disabled', 'enabled']) await put(name)
  await app.jobs.drain()
  await jobs.delete({ params: at('deleted') })
  await jobs.patch({ params: at('disabled'), body: { properties: { state: 'Disabled' } } })
  await collections.disable({ params: nightly })
  await app.clock.advance(minuteMs)
  await app.jobs.drain()
  expect(receiver.received).toHaveLength(3)
  const { body } = await jobs.listJobHistory({ params: at('disabled') })
  expect(body.value.map(({ properties: { status } }) => status)).toEqual(['Postponed', 'Failed'])
})

test('executions that no worker can complete are abandoned, so that the job does not wait for them', async () => {
  await using app = await start()
  await using receiver = await startReceiver()
  const { collections, jobs } = await callersOf(app)
  await collections.createOrUpdate({ params: nightly, body: {} })
  await jobs.createOrUpdate({ params: at('cursed'), body: { properties: { action: request(receiver.url) } } })
  const { database } = app.platform
  const executions = await database.many<Due>(sql`
    select tenant, job_id as "jobId", id, action, attempt from job_scheduler.executions`)
  const { failed } = deliverJob(defaultSettings)
  const context = {
    tenant: 'acme',
    clock: app.platform.clock,
    jobs: jobsIn(app.platform.queue, database, 'job-scheduler', 'acme'),
  }
  await database.transaction(async (db) => failed?.({ executions }, db, new Error('died repeatedly'), context))
  await app.jobs.drain()
  expect(receiver.received, 'the delivery finds nothing to do').toEqual([])
  expect((await jobs.get({ params: at('cursed') })).body.properties).toMatchObject({ state: 'Faulted' })
  const { body } = await jobs.listJobHistory({ params: at('cursed') })
  expect(body.value.map(({ properties: { message } }) => message)).toEqual(['No worker could run it.'])
})

test('after the clock is moved back, jobs continue from the new time', async () => {
  await using app = await start()
  await using receiver = await startReceiver()
  const { collections, jobs } = await callersOf(app)
  await collections.createOrUpdate({ params: nightly, body: {} })
  const from = new Date('2030-03-31T00:00:00Z')
  await app.clock.move({ to: from, frozen: true })
  const properties = { startTime: '2030-01-01T00:00:00Z', action: request(receiver.url), recurrence: everyMinute }
  await jobs.createOrUpdate({ params: at('beat'), body: { properties } })
  const times = async () => {
    await app.jobs.drain()
    return receiver.received.splice(0).map(({ expectedAt }) => expectedAt.toISOString())
  }
  await app.clock.advance(minuteMs)
  expect((await times()).at(-1)).toBe('2030-03-31T00:01:00.000Z')

  await app.clock.move({ to: new Date('2030-02-01T12:00:30Z') })
  await times()
  await app.clock.advance(minuteMs)
  await times()
  await app.clock.advance(minuteMs)
  expect((await times()).at(-1), 'within a minute or two').toBe('2030-02-01T12:02:00.000Z')
})
