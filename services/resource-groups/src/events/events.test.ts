import { accountOf } from '@icosa/dialects/signed/arn'
import { createLog } from '@icosa/telemetry'
import { expect, test } from 'vitest'
import { settings as operatorSettings } from '../settings.ts'
import { arn, byTags, startGroups, type World } from '../testing/app.ts'
import { type Receiver, startReceiver } from '../testing/receiver.ts'

type Caller = Awaited<ReturnType<World['caller']>>

const minuteMs = 60_000

const settings = async (acme: Caller) => (await acme.GetAccountSettings({})).body.AccountSettings

async function setEvents(world: World, acme: Caller, desired: 'ACTIVE' | 'INACTIVE') {
  await acme.UpdateAccountSettings({ body: { GroupLifecycleEventsDesiredStatus: desired } })
  await world.app.jobs.drain()
}

/** Takes the details of the events received so far, in order of their numbers. */
function takeEvents({ events }: Receiver) {
  const details = events.splice(0).map((event) => event.detail as Record<string, unknown>)
  return details.toSorted((a, b) => Number(a['event-sequence']) - Number(b['event-sequence']))
}

const membership = (change: string, ...ids: string[]) =>
  expect.objectContaining({
    resources: ids.map((id) => ({ arn: id, 'resource-type': 'Vendor.Things/things', 'membership-change': change })),
  })

test('events are turned on and off in the background', async () => {
  await using world = await startGroups()
  const acme = await world.caller()
  const state = (desired: string, status: string) => ({
    GroupLifecycleEventsDesiredStatus: desired,
    GroupLifecycleEventsStatus: status,
  })
  expect(await settings(acme)).toEqual(state('INACTIVE', 'INACTIVE'))
  const update = await acme.UpdateAccountSettings({ body: { GroupLifecycleEventsDesiredStatus: 'ACTIVE' } })
  expect(update.body.AccountSettings).toEqual(state('ACTIVE', 'IN_PROGRESS'))
  expect(await settings(acme)).toEqual(state('ACTIVE', 'IN_PROGRESS'))
  await world.app.jobs.drain()
  expect(await settings(acme)).toEqual(state('ACTIVE', 'ACTIVE'))
  expect((await acme.UpdateAccountSettings({ body: {} })).body.AccountSettings).toEqual(state('ACTIVE', 'ACTIVE'))
  await setEvents(world, acme, 'INACTIVE')
  expect(await settings(acme)).toEqual(state('INACTIVE', 'INACTIVE'))
  expect(await settings(await world.caller('other'))).toEqual(state('INACTIVE', 'INACTIVE'))
})

test('changes of a group are sent as numbered events with the differences', async () => {
  await using receiver = await startReceiver()
  await using world = await startGroups({ eventsUrl: receiver.url })
  const acme = await world.caller()
  await acme.CreateGroup({ body: { Name: 'before', ResourceQuery: byTags({ a: [] }) } })
  await setEvents(world, acme, 'ACTIVE')
  expect(receiver.events, 'no events for earlier changes').toEqual([])

  const query = byTags({ stage: ['live'] })
  await acme.CreateGroup({ body: { Name: 'live', Description: 'old', ResourceQuery: query } })
  await world.app.jobs.drain()
  expect(receiver.events).toEqual([
    {
      version: '0',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      'detail-type': 'ResourceGroups Group State Change',
      source: 'aws.resource-groups',
      account: accountOf('acme'),
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      region: 'us-east-1',
      resources: [arn('live')],
      detail: {
        'event-sequence': 1,
        group: { arn: arn('live'), name: 'live', 'unique-id': expect.stringMatching(/^[0-9a-f-]{36}$/) },
        'state-change': 'create',
        'new-state': { description: 'old', 'resource-query': query },
      },
    },
  ])
  takeEvents(receiver)

  const other = byTags({ stage: ['test'] })
  await acme.UpdateGroup({ body: { Group: 'live', Description: 'new' } })
  await acme.UpdateGroup({ body: { Group: 'live', Description: 'new' } })
  await acme.UpdateGroupQuery({ body: { Group: 'live', ResourceQuery: other } })
  await acme.DeleteGroup({ body: { Group: 'live' } })
  await world.app.jobs.drain()
  expect(takeEvents(receiver)).toEqual([
    expect.objectContaining({
      'event-sequence': 2,
      'state-change': 'update',
      'old-state': { description: 'old' },
      'new-state': { description: 'new' },
    }),
    expect.objectContaining({ 'event-sequence': 3, 'new-state': { 'resource-query': other } }),
    expect.objectContaining({ 'event-sequence': 4, 'state-change': 'delete' }),
  ])

  await setEvents(world, acme, 'INACTIVE')
  await acme.DeleteGroup({ body: { Group: 'before' } })
  await world.app.jobs.drain()
  expect(receiver.events).toEqual([])
})

test('membership changes cause events: of static groups immediately, of query groups within a minute', async () => {
  await using receiver = await startReceiver()
  await using world = await startGroups({ eventsUrl: receiver.url })
  const acme = await world.caller()
  await world.register({ id: '/r/old', tags: { stage: 'live' } })
  await acme.CreateGroup({ body: { Name: 'live', ResourceQuery: byTags({ stage: ['live'] }) } })
  await acme.CreateGroup({ body: { Name: 'hosts', Configuration: [{ Type: 'application-group' }] } })
  await setEvents(world, acme, 'ACTIVE')
  const soon = async () => {
    await world.app.jobs.drain()
    return takeEvents(receiver)
  }
  const later = async () => {
    await world.app.clock.advance(minuteMs)
    return soon()
  }

  await world.register({ id: '/r/new', tags: { stage: 'live' } })
  expect(await later()).toEqual([membership('add', '/r/new')])
  await world.register({ id: '/r/old', tags: { stage: 'test' } })
  await world.unregister('/r/new')
  expect(await later()).toEqual([membership('remove', '/r/new', '/r/old')])
  expect(await later(), 'once').toEqual([])

  await acme.GroupResources({ body: { Group: 'hosts', ResourceArns: ['/r/old'] } })
  expect(await soon()).toEqual([membership('add', '/r/old')])
  await acme.UpdateGroupQuery({ body: { Group: 'live', ResourceQuery: byTags({ stage: ['test'] }) } })
  expect(await soon()).toEqual([expect.objectContaining({ 'state-change': 'update' }), membership('add', '/r/old')])
  await world.unregister('/r/old')
  const removals = await later()
  expect(removals.map(({ group }) => (group as { name: string }).name).toSorted()).toEqual(['hosts', 'live'])
  expect(removals).toEqual([membership('remove', '/r/old'), membership('remove', '/r/old')])
})

test('an event lists at most a hundred members', async () => {
  await using receiver = await startReceiver()
  await using world = await startGroups({ eventsUrl: receiver.url })
  const acme = await world.caller()
  await setEvents(world, acme, 'ACTIVE')
  for (let index = 0; index < 120; index++) await world.register({ id: `/r/${index}`, tags: { a: '1' } })
  await acme.CreateGroup({ body: { Name: 'many', ResourceQuery: byTags({ a: ['1'] }) } })
  await world.app.jobs.drain()
  const [, ...members] = takeEvents(receiver)
  expect(members.map(({ resources }) => (resources as object[]).length)).toEqual([100, 20])
})

test('an event is sent again after a failure of the receiver', async () => {
  await using receiver = await startReceiver()
  await using world = await startGroups({ eventsUrl: receiver.url })
  const acme = await world.caller()
  await setEvents(world, acme, 'ACTIVE')
  receiver.status = 503
  await acme.CreateGroup({ body: { Name: 'x' } })
  await world.app.jobs.drain()
  expect(receiver.events).toHaveLength(1)
  receiver.status = 204
  await world.app.clock.advance(10_000)
  await world.app.jobs.drain()
  await world.app.clock.advance(minuteMs)
  await world.app.jobs.drain()
  expect(receiver.events).toHaveLength(2)
  expect(receiver.events[1]).toEqual(receiver.events[0])
})

test('an event that a receiver refuses is not sent again', async () => {
  await using receiver = await startReceiver()
  await using world = await startGroups({ eventsUrl: receiver.url })
  const acme = await world.caller()
  await setEvents(world, acme, 'ACTIVE')
  receiver.status = 410
  await acme.CreateGroup({ body: { Name: 'x' } })
  await world.app.jobs.drain()
  await world.app.clock.advance(60 * minuteMs)
  await world.app.jobs.drain()
  expect(receiver.events).toHaveLength(1)
})

test('without an address, events are lines in the log, in development mode too', async () => {
  const lines: string[] = []
  const log = createLog({ level: 'warn', destination: { write: (line) => void lines.push(line) } })
  await using world = await startGroups({}, { log })
  const acme = await world.caller()
  await setEvents(world, acme, 'ACTIVE')
  await acme.CreateGroup({ body: { Name: 'noted' } })
  await world.app.jobs.drain()
  const events = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'group event')
  expect(events).toMatchObject([{ tenant: 'acme', event: { detail: { 'state-change': 'create' } } }])
})

test('a failure to turn events on is reported, and can be retried', async () => {
  await using world = await startGroups()
  const { database } = world.app.platform
  const acme = await world.caller()
  await acme.CreateGroup({ body: { Name: 'x', ResourceQuery: byTags({ a: [] }) } })
  await database.script('alter table resource_groups.seen rename to away')
  await setEvents(world, acme, 'ACTIVE')
  for (let attempt = 0; attempt < 5; attempt++) {
    await world.app.clock.advance(minuteMs)
    await world.app.jobs.drain()
  }
  expect(await settings(acme)).toEqual({
    GroupLifecycleEventsDesiredStatus: 'ACTIVE',
    GroupLifecycleEventsStatus: 'ERROR',
    GroupLifecycleEventsStatusMessage: expect.stringMatching(/try again/),
  })
  await database.script('alter table resource_groups.away rename to seen')
  await setEvents(world, acme, 'ACTIVE')
  expect((await settings(acme)).GroupLifecycleEventsStatus).toBe('ACTIVE')
})

test('an invalid address is refused at startup', () => {
  expect(() => operatorSettings.read({ ICOSA_GROUP_EVENTS_URL: 'host:1' })).toThrow(/such as https:/)
})
