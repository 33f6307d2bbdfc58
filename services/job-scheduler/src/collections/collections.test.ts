import { sql } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { originalNamespace } from '../names.ts'
import { at, callersOf, everyMinute, group, minuteMs, nightly, request, start } from '../testing/app.ts'
import { startReceiver } from '../testing/receiver.ts'

test('a collection is created, read in any letter case and spelling, listed, changed and deleted', async () => {
  await using app = await start()
  const { collections } = await callersOf(app)
  const body = { location: 'westeurope', tags: { team: 'night' }, properties: { sku: { name: 'standard' as const } } }

  expect(await collections.createOrUpdate({ params: nightly, body })).toMatchObject({
    status: 201,
    body: {
      id: '/subscriptions/sub-1/resourceGroups/Group/providers/Vendor.Scheduler/jobCollections/Nightly',
      name: 'Nightly',
      type: 'Vendor.Scheduler/jobCollections',
      location: 'westeurope',
      properties: {
        sku: { name: 'Standard' },
        state: 'Enabled',
        quota: { maxJobCount: 50, maxRecurrence: { frequency: 'Minute', interval: 1 } },
      },
    },
  })
  expect(await collections.createOrUpdate({ params: nightly, body })).toMatchObject({ status: 200 })
  const upperCase = { subscriptionId: 'SUB-1', resourceGroupName: 'GROUP', jobCollectionName: 'NIGHTLY' }
  expect((await collections.get({ params: upperCase })).body).toMatchObject({
    name: 'Nightly',
    tags: { team: 'night' },
  })

  const path = `${app.url}/job-scheduler/subscriptions/sub-1/resourcegroups/group/providers/${originalNamespace}/jobCollections/nightly`
  const headers = { authorization: `Bearer ${await app.key('acme')}` }
  const original = await fetch(`${path}?api-version=2016-03-01`, { headers })
  expect(await original.json()).toMatchObject({ type: `${originalNamespace}/jobCollections` })

  const patched = await collections.patch({
    params: nightly,
    body: { tags: { team: 'day' }, properties: { quota: { maxJobCount: 2 } } },
  })
  expect(patched.body).toMatchObject({
    location: 'westeurope',
    tags: { team: 'day' },
    properties: { quota: { maxJobCount: 2, maxRecurrence: { frequency: 'Minute' } } },
  })
  await expect(
    collections.patch({ params: nightly, body: { properties: { state: 'Deleted' } } }),
  ).rejects.toMatchObject({
    status: 400,
  })

  await collections.createOrUpdate({ params: { ...group, jobCollectionName: 'Other' }, body: {} })
  const { body: bySubscription } = await collections.listBySubscription({ params: group })
  expect(bySubscription.value.map(({ name }) => name)).toEqual(['Nightly', 'Other'])
  expect(
    (await collections.listByResourceGroup({ params: { ...group, resourceGroupName: 'none' } })).body.value,
  ).toEqual([])

  expect(await collections.delete({ params: nightly })).toMatchObject({ status: 200 })
  await expect(collections.get({ params: nightly })).rejects.toMatchObject({ status: 404 })
})

test('lists are paged', async () => {
  await using app = await start()
  const { collections } = await callersOf(app)
  const name = (number: number) => `c${String(number).padStart(3, '0')}`
  for (let number = 0; number < 101; number++)
    await collections.createOrUpdate({ params: { ...group, jobCollectionName: name(number) }, body: {} })
  const { body: first } = await collections.listBySubscription({ params: group })
  expect(first.value).toHaveLength(100)
  const $skipToken = new URL(first.nextLink ?? '').searchParams.get('$skipToken') ?? ''
  const { body: second } = await collections.listBySubscription({ params: group, query: { $skipToken } })
  expect(second.value.map(({ name }) => name)).toEqual(['c100'])
  expect(second.nextLink).toBeUndefined()
})

test('a disabled collection fires nothing; enabled again, its jobs skip missed occurrences', async () => {
  await using app = await start()
  await using receiver = await startReceiver()
  const { collections, jobs } = await callersOf(app)
  await collections.createOrUpdate({ params: nightly, body: {} })
  const properties = { action: request(receiver.url), recurrence: everyMinute }
  await jobs.createOrUpdate({ params: at('beat'), body: { properties } })
  await app.jobs.drain()
  expect(receiver.received, 'a job without a start time runs immediately').toHaveLength(1)

  expect(await collections.disable({ params: nightly })).toMatchObject({ status: 200, body: undefined })
  await app.clock.advance(10 * minuteMs + 1_000)
  await app.jobs.drain()
  expect(receiver.received).toHaveLength(1)
  const { body: disabled } = await jobs.get({ params: at('beat') })
  expect(disabled.properties?.state, 'the job itself is not disabled').toBe('Enabled')
  const next = new Date(disabled.properties?.status?.nextExecutionTime ?? 0)
  expect(next.getTime(), 'it keeps its schedule').toBeGreaterThan(app.platform.clock.now().getTime())
  await expect(jobs.run({ params: at('beat') })).rejects.toMatchObject({
    status: 409,
    body: { error: { code: 'JobCollectionDisabled' } },
  })

  expect(await collections.enable({ params: nightly })).toMatchObject({ status: 200 })
  await app.clock.advance(2 * minuteMs)
  await app.jobs.drain()
  expect(receiver.received.slice(1).map(({ expectedAt }) => expectedAt.getTime() >= next.getTime())).toEqual([
    true,
    true,
  ])
  const { body: history } = await jobs.listJobHistory({
    params: at('beat'),
    query: { $filter: "status eq 'Postponed'" },
  })
  expect(history.value.map(({ properties: { message } }) => message)).toEqual([
    expect.stringContaining('did not run: the job collection had been disabled'),
  ])
})

test('a large collection is enabled and deleted in the background', async () => {
  await using app = await start()
  const { collections, jobs } = await callersOf(app)
  await collections.createOrUpdate({ params: nightly, body: {} })
  const properties = { startTime: '9000-01-01', action: request('https://example.com') }
  await jobs.createOrUpdate({ params: at('first'), body: { properties } })
  const { database } = app.platform
  await database.run(sql`
    insert into job_scheduler.jobs (tenant, collection_id, name_key, id, name, definition, state, collection_enabled,
      starts_at, created_at, updated_at)
    select tenant, collection_id, 'copy' || n, gen_random_uuid(), 'copy' || n, definition, state, true, starts_at,
      created_at, updated_at from job_scheduler.jobs, generate_series(1, 2500) as n`)
  await database.run(sql`
    insert into job_scheduler.statuses (tenant, job_id) select tenant, id from job_scheduler.jobs on conflict do nothing`)
  await database.run(sql`update job_scheduler.collections set job_count = 2501`)

  const disabling = await collections.disable({ params: nightly })
  expect(disabling).toMatchObject({ status: 202, body: undefined })
  const poll = disabling.headers.get('azure-asyncoperation') ?? ''
  const readOperation = async () =>
    (await fetch(poll, { headers: { authorization: `Bearer ${await app.key('acme')}` } })).json()
  expect(await readOperation()).toMatchObject({ status: 'InProgress' })
  await app.jobs.drain()
  expect(await readOperation()).toMatchObject({ status: 'Succeeded' })
  expect(await database.one(sql`select count(*)::int as n from job_scheduler.jobs where collection_enabled`)).toEqual({
    n: 0,
  })

  expect(await collections.delete({ params: nightly })).toMatchObject({ status: 202 })
  expect(await collections.createOrUpdate({ params: nightly, body: {} }), 'the name is free immediately').toMatchObject(
    {
      status: 201,
    },
  )
  await jobs.createOrUpdate({ params: at('first'), body: { properties } })
  await app.jobs.drain()
  expect(await database.one(sql`select count(*)::int as n from job_scheduler.jobs`)).toEqual({ n: 1 })
})

test('a subscription is visible to its owner only', async () => {
  await using app = await start()
  const { collections } = await callersOf(app)
  await collections.createOrUpdate({ params: nightly, body: {} })
  const outsider = (await callersOf(app, 'outsider')).collections
  const notFound = { status: 404, body: { error: { code: 'SubscriptionNotFound' } } }
  await expect(outsider.listBySubscription({ params: group })).rejects.toMatchObject(notFound)
  await expect(outsider.createOrUpdate({ params: nightly, body: {} })).rejects.toMatchObject(notFound)
})
