import { sql } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { at, callersOf, everyMinute, minuteMs, nightly, request, start } from '../testing/app.ts'
import { startReceiver } from '../testing/receiver.ts'

async function setUp(app: Awaited<ReturnType<typeof start>>) {
  const callers = await callersOf(app)
  await callers.collections.createOrUpdate({ params: nightly, body: {} })
  return callers
}

test('a job is created, read, run manually and deleted', async () => {
  await using app = await start()
  await using receiver = await startReceiver()
  const { jobs } = await setUp(app)
  await app.clock.move({ to: new Date('2026-03-28T12:00:00Z') })
  const properties = {
    startTime: '2026-03-28T13:30:00+01:00',
    action: { ...request(`${receiver.url}/hook?a=1`), type: 'http' as const },
    recurrence: { frequency: 'day' as const, timeZone: 'Europe/Berlin', schedule: { hours: [6], minutes: [0] } },
  }
  const creation = await jobs.createOrUpdate({ params: at('Wake-up'), body: { properties } })
  expect(creation).toMatchObject({
    status: 201,
    body: {
      id: '/subscriptions/sub-1/resourceGroups/Group/providers/Vendor.Scheduler/jobCollections/Nightly/jobs/Wake-up',
      name: 'Nightly/Wake-up',
      type: 'Vendor.Scheduler/jobCollections/jobs',
      properties: {
        startTime: '2026-03-28T13:30:00+01:00',
        action: { type: 'Http', request: { method: 'POST', body: 'hello' }, retryPolicy: { retryType: 'None' } },
        recurrence: { frequency: 'Day', interval: 1, timeZone: 'Europe/Berlin' },
        state: 'Enabled',
        status: { executionCount: 0, failureCount: 0, faultedCount: 0, nextExecutionTime: '2026-03-29T04:00:00.000Z' },
      },
    },
  })
  expect((await jobs.get({ params: at('WAKE-UP') })).body).toEqual(creation.body)

  expect(await jobs.run({ params: at('wake-up') })).toMatchObject({ status: 200, body: undefined })
  await app.jobs.drain()
  expect(receiver.received).toMatchObject([{ path: '/hook?a=1', method: 'POST', body: 'hello' }])
  expect(receiver.received[0]?.executionId).toMatch(/^[\da-f-]{36}-run-/)
  const { body: after } = await jobs.get({ params: at('wake-up') })
  expect(after.properties?.status).toMatchObject({
    executionCount: 1,
    lastExecutionTime: expect.stringMatching(/^2026-03-28T12:00:/),
    nextExecutionTime: '2026-03-29T04:00:00.000Z',
  })

  expect(await jobs.delete({ params: at('wake-up') })).toMatchObject({ status: 200, body: undefined })
  await expect(jobs.get({ params: at('wake-up') })).rejects.toMatchObject({ status: 404 })
  await expect(jobs.delete({ params: at('wake-up') })).rejects.toMatchObject({ status: 404 })
})

test('a job is found by collection and name; errors name the missing one', async () => {
  await using app = await start()
  const { jobs, collections } = await setUp(app)
  const daily = { ...nightly, jobCollectionName: 'Daily' }
  const create = (params: ReturnType<typeof at>, uri: string) =>
    jobs.createOrUpdate({ params, body: { properties: { action: request(uri), recurrence: everyMinute } } })
  await collections.createOrUpdate({ params: daily, body: {} })
  await create(at('report'), 'https://example.com/nightly')
  await create({ ...daily, jobName: 'report' }, 'https://example.com/daily')
  const read = async (params: ReturnType<typeof at>) => (await jobs.get({ params })).body
  expect(await read(at('report'))).toMatchObject({
    name: 'Nightly/report',
    properties: { action: { request: { uri: 'https://example.com/nightly' } } },
  })
  expect(await read({ ...daily, jobName: 'REPORT' })).toMatchObject({
    name: 'Daily/report',
    properties: { action: { request: { uri: 'https://example.com/daily' } } },
  })

  const missing = (text: string) => ({ body: { error: { message: expect.stringContaining(text) } } })
  await expect(read(at('none'))).rejects.toMatchObject(missing("The job 'none'"))
  const deleted = { params: { ...daily, jobName: 'report' } }
  await collections.delete({ params: daily })
  for (const operation of [jobs.get, jobs.run, jobs.listJobHistory])
    await expect(operation(deleted)).rejects.toMatchObject(missing("collection 'Daily'"))
  await collections.createOrUpdate({ params: daily, body: {} }) // a new, empty one with the same name
  for (const operation of [jobs.get, jobs.run, jobs.listJobHistory])
    await expect(operation(deleted)).rejects.toMatchObject(missing("The job 'report'"))
})

test('one-time jobs and jobs with a count or an end become Completed', async () => {
  await using app = await start()
  await using receiver = await startReceiver()
  const { jobs } = await setUp(app)
  const put = (name: string, properties: object) =>
    jobs.createOrUpdate({
      params: at(name),
      body: { properties: { action: request(`${receiver.url}/${name}`), ...properties } },
    })
  await put('once', {})
  await put('thrice', { recurrence: { ...everyMinute, count: 3 } })
  const endTime = new Date(app.platform.clock.now().getTime() + 1.5 * minuteMs).toISOString()
  await put('until', { recurrence: { ...everyMinute, endTime } })
  await app.clock.advance(60 * minuteMs)
  await app.jobs.drain()
  const count = (path: string) => receiver.received.filter((received) => received.path === path).length
  expect([count('/once'), count('/thrice'), count('/until')]).toEqual([1, 3, 2])
  for (const name of ['once', 'thrice', 'until']) {
    const { body } = await jobs.get({ params: at(name) })
    expect(body.properties, name).toMatchObject({ state: 'Completed' })
    expect(body.properties?.status).not.toHaveProperty('nextExecutionTime')
  }
  expect(await put('once', { state: 'Enabled' }), 'repeating the PUT').toMatchObject({
    status: 200,
    body: { properties: { state: 'Completed' } },
  })
  await app.jobs.drain()
  expect(count('/once')).toBe(1)
  const later = new Date(app.platform.clock.now().getTime() + minuteMs).toISOString()
  expect(await put('once', { startTime: later })).toMatchObject({ body: { properties: { state: 'Enabled' } } })
  await app.clock.advance(2 * minuteMs)
  await app.jobs.drain()
  expect(count('/once')).toBe(2)
})

test('a PATCH changes only the given properties; a disabled job skips its occurrences', async () => {
  await using app = await start()
  await using receiver = await startReceiver()
  const { jobs } = await setUp(app)
  const properties = { action: request(receiver.url), recurrence: everyMinute }
  await jobs.createOrUpdate({ params: at('beat'), body: { properties } })
  await app.jobs.drain()
  const patched = await jobs.patch({
    params: at('beat'),
    body: { properties: { state: 'Disabled', action: { request: { method: 'put', headers: { 'x-more': 'yes' } } } } },
  })
  expect(patched.body.properties).toMatchObject({
    state: 'Disabled',
    action: {
      request: { uri: receiver.url, method: 'PUT', headers: { 'content-type': 'text/plain', 'x-more': 'yes' } },
    },
    recurrence: { frequency: 'Minute', interval: 1 },
  })
  await app.clock.advance(10 * minuteMs)
  await app.jobs.drain()
  expect(receiver.received).toHaveLength(1)
  await jobs.patch({ params: at('beat'), body: { properties: { state: 'Enabled' } } })
  await app.clock.advance(minuteMs)
  await app.jobs.drain()
  expect(receiver.received).toHaveLength(2)
  expect(receiver.received[1]).toMatchObject({ method: 'PUT', headers: { 'x-more': 'yes' } })
  await expect(jobs.patch({ params: at('none'), body: {} })).rejects.toMatchObject({ status: 404 })
})

test('jobs are listed by name, filtered by state and paged', async () => {
  await using app = await start()
  const { jobs } = await setUp(app)
  const startTime = '9000-01-01'
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    const state = name === 'c' ? 'Disabled' : 'Enabled'
    await jobs.createOrUpdate({
      params: at(name),
      body: { properties: { startTime, state, action: request('https://example.com') } },
    })
  }
  const list = async (query: object) => {
    const { body } = await jobs.list({ params: nightly, query })
    return { names: body.value.map(({ name }) => name?.split('/')[1]), next: body.nextLink }
  }
  expect((await list({})).names).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect((await list({ $filter: "state eq 'Disabled'" })).names).toEqual(['c'])
  expect((await list({ $filter: "state eq 'enabled' or state eq 'Faulted'", $top: 2, $skip: 1 })).names).toEqual([
    'b',
    'd',
  ])
  const first = await list({ $top: 2, $skip: 1 })
  expect(first.names).toEqual(['b', 'c'])
  const next = new URL(first.next ?? '').searchParams
  expect((await list({ $top: 2, $skipToken: next.get('$skipToken') })).names).toEqual(['d', 'e'])
  await expect(list({ $filter: "name eq 'a'" })).rejects.toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining("state eq 'Enabled'") } },
  })
  await expect(list({ $top: 101 })).rejects.toMatchObject({ status: 400 })
})

test('refuses invalid jobs with a reason', async () => {
  await using app = await start()
  const { jobs } = await setUp(app)
  const refusal = async (properties: object) => {
    const creation = jobs.createOrUpdate({ params: at('job'), body: { properties } })
    return creation.then(
      () => 'accepted',
      ({ status, body }) => `${status} ${body.error.message}`,
    )
  }
  const action = request('https://example.com')
  expect(await refusal({})).toMatch(/^400 .*action is required/)
  expect(await refusal({ action: { type: 'Http' } })).toMatch(/^400 .*action\/request is required/)
  expect(await refusal({ action: request('ftp://example.com') })).toMatch(/^400 .*http:\/\/example.com\/path/)
  expect(await refusal({ action: { ...request('http://example.com'), type: 'Https' } })).toMatch(/^400 .*https:/)
  expect(await refusal({ action: request('https://me:you@example.com') })).toMatch(/^400 .*Basic authentication/)
  expect(await refusal({ action: request('https://example.com', { headers: { host: 'x' } }) })).toMatch(/^400 .*'host'/)
  expect(await refusal({ action: request('https://example.com', { method: 'BREW' }) })).toMatch(/^400 .*GET, HEAD/)
  expect(await refusal({ action, startTime: '2026-02-30T00:00:00Z' })).toMatch(/^400 .*startTime must be a time/)
  expect(await refusal({ action, recurrence: {} })).toMatch(/^400 .*frequency is required/)
  expect(await refusal({ action, recurrence: { frequency: 'Month', interval: 19 } })).toMatch(/^400 .*at most 18/)
  expect(await refusal({ action, recurrence: { frequency: 'Day', timeZone: 'Mars/Olympus' } })).toMatch(/^400 .*IANA/)
  const weekly = { frequency: 'Day', schedule: { weekDays: ['Monday'] } }
  expect(await refusal({ action, recurrence: weekly })).toMatch(/^400 .*can only be used with the frequency Week/)
  const retryPolicy = { retryType: 'Fixed', retryInterval: '30 seconds' }
  expect(await refusal({ action: { ...action, retryPolicy } })).toMatch(/^400 .*PT30S/)
})

test('a password is sealed, sent and never shown, and only used for its server', async () => {
  await using app = await start()
  await using receiver = await startReceiver()
  await using other = await startReceiver()
  const { jobs } = await setUp(app)
  const authentication = { type: 'Basic' as const, username: 'Ada', password: 'lovelace-1815' }
  const properties = { action: request(receiver.url, { authentication }) }
  const creation = await jobs.createOrUpdate({ params: at('secret'), body: { properties } })
  expect(creation.body.properties?.action?.request?.authentication).toEqual({ type: 'Basic', username: 'Ada' })
  await app.jobs.drain()
  const [row] = await app.platform.database.many<object>(sql`select *, secrets::text as s from job_scheduler.jobs`)
  expect(JSON.stringify(row)).not.toContain('lovelace')

  // As clients do: read a job, change it and write it back.
  const { body } = await jobs.get({ params: at('secret') })
  expect(JSON.stringify(body)).not.toContain('lovelace')
  await jobs.createOrUpdate({ params: at('secret'), body: { properties: body.properties ?? {} } })
  await jobs.run({ params: at('secret') })
  await app.jobs.drain()
  const credentials = `Basic ${Buffer.from('Ada:lovelace-1815').toString('base64')}`
  expect(receiver.received.map(({ headers }) => headers.authorization)).toEqual([credentials, credentials])

  await jobs.patch({ params: at('secret'), body: { properties: { action: { request: { uri: other.url } } } } })
  await jobs.run({ params: at('secret') })
  await app.jobs.drain()
  expect(other.received.map(({ headers }) => headers.authorization)).toEqual([
    `Basic ${Buffer.from('Ada:').toString('base64')}`,
  ])
})

test("keys for the original vendor's queues are refused by name, not ignored", async () => {
  await using app = await start()
  const { jobs } = await setUp(app)
  const put = (action: object) => jobs.createOrUpdate({ params: at('job'), body: { properties: { action } } })
  const notSupported = (name: string) => ({ status: 501, body: { error: { message: expect.stringContaining(name) } } })
  const queueMessage = { storageAccount: 'shop', queueName: 'orders', message: 'm' }
  const bus = { namespace: 'shop', message: 'm' }
  const far = '9000-01-01'
  const queue = (message: object) => ({ type: 'StorageQueue', queueMessage: { ...queueMessage, ...message } })
  const topic = (authentication: object) => ({
    type: 'ServiceBusTopic',
    serviceBusTopicMessage: { ...bus, topicPath: 't', authentication },
  })
  await expect(put(queue({ sasToken: 'sv=1' }))).rejects.toMatchObject(notSupported('queueMessage/sasToken'))
  const key = { type: 'SharedAccessKey', sasKeyName: 'root', sasKey: 'k' }
  await expect(put(topic(key))).rejects.toMatchObject(notSupported('serviceBusTopicMessage/authentication'))
  await expect(put(topic({ sasKey: 'k' }))).rejects.toMatchObject(notSupported('serviceBusTopicMessage/authentication'))
  const errorAction = queue({ sasToken: 'sv=1' })
  await expect(put({ ...request('https://example.com'), errorAction })).rejects.toMatchObject(
    notSupported('errorAction/queueMessage/sasToken'),
  )
  // Explicitly empty keys are accepted.
  for (const action of [queue({ sasToken: '' }), topic({ type: 'NotSpecified', sasKey: '' })]) {
    const properties = { startTime: far, action: action as never }
    expect((await jobs.createOrUpdate({ params: at('keyless'), body: { properties } })).status).toBeLessThan(202)
  }
})
