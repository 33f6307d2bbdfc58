import { accountOf } from '@icosa/dialects/signed/arn'
import { expect, test } from 'vitest'
import { arn, byTags, refusal, startGroups, type World } from '../testing/app.ts'

type Caller = Awaited<ReturnType<World['caller']>>

const listed = async (acme: Caller, Group: string) =>
  (await acme.ListGroupResources({ body: { Group } })).body.Resources
const members = async (acme: Caller, Group: string) =>
  (await listed(acme, Group)).map(({ Identifier }) => Identifier.ResourceArn)

test('resources are added to and removed from a static group, each with its own outcome', async () => {
  await using world = await startGroups()
  const acme = await world.caller()
  await acme.CreateGroup({
    body: {
      Name: 'pool',
      Configuration: [
        { Type: 'application-group' },
        {
          Type: 'AWS::ResourceGroups::Generic',
          Parameters: [{ Name: 'allowed-resource-types', Values: ['Vendor.X/a', 'AWS::ResourceGroups::Group'] }],
        },
      ],
    },
  })
  await world.register({ id: '/r/One', type: 'Vendor.X/a' })
  await world.register({ id: '/r/two', type: 'vendor.x/A' })
  await world.register({ id: '/r/other', type: 'Vendor.X/b' })
  await world.register({ id: '/r/foreign', type: 'Vendor.X/a' }, 'other')
  const Group = arn('pool')

  const grouping = await acme.GroupResources({
    body: { Group, ResourceArns: ['/r/one', '/r/two', '/r/other', '/r/foreign', '/r/two', Group] },
  })
  expect(grouping.body).toEqual({
    Succeeded: ['/r/one', '/r/two', Group],
    Failed: [
      expect.objectContaining({ ResourceArn: '/r/other', ErrorCode: 'RESOURCE_TYPE_NOT_ALLOWED' }),
      expect.objectContaining({ ResourceArn: '/r/foreign', ErrorCode: 'RESOURCE_NOT_FOUND' }),
    ],
    Pending: [],
  })
  expect(await members(acme, 'pool')).toEqual(['/r/One', '/r/two', Group])
  expect((await acme.GroupResources({ body: { Group, ResourceArns: ['/r/One'] } })).body.Succeeded).toEqual(['/r/One'])

  const first = await acme.ListGroupResources({ body: { Group, MaxResults: 2 } })
  const rest = await acme.ListGroupResources({ body: { Group, MaxResults: 2, NextToken: `${first.body.NextToken}` } })
  expect([first, rest].map(({ body }) => body.ResourceIdentifiers.length)).toEqual([2, 1])
  expect(rest.body.NextToken).toBeUndefined()
  const only = [{ Name: 'resource-type' as const, Values: ['vendor.x/a'] }]
  expect((await acme.ListGroupResources({ body: { Group, Filters: only } })).body.Resources).toHaveLength(2)

  const removal = await acme.UngroupResources({ body: { Group, ResourceArns: ['/R/ONE', '/r/other'] } })
  expect(removal.body).toEqual({
    Succeeded: ['/R/ONE'],
    Failed: [expect.objectContaining({ ResourceArn: '/r/other', ErrorCode: 'RESOURCE_NOT_IN_GROUP' })],
    Pending: [],
  })
  expect(await members(acme, 'pool')).toEqual(['/r/two', Group])
})

test('every spelling of a resource name refers to the same member', async () => {
  await using world = await startGroups()
  const acme = await world.caller()
  await acme.CreateGroup({ body: { Name: 'pool', Configuration: [{ Type: 'application-group' }] } })
  const id = await world.register({ id: 'projects/p/functions/One' })
  const fullArn = `arn:aws:elsewhere:us-east-1:${accountOf('acme')}:${id}`
  const spellings = [fullArn, id, `/${id.toLowerCase()}`]
  for (const name of spellings) {
    const grouping = (await acme.GroupResources({ body: { Group: 'pool', ResourceArns: [name] } })).body
    expect(grouping).toMatchObject({ Succeeded: [name], Failed: [] })
    expect(await members(acme, 'pool')).toEqual([id])
    const Filters = [{ Name: 'resource-arn' as const, Values: [fullArn] }]
    const { GroupingStatuses } = (await acme.ListGroupingStatuses({ body: { Group: 'pool', Filters } })).body
    expect(GroupingStatuses).toMatchObject([{ Action: 'GROUP', Status: 'SUCCESS' }])
    const removal = (await acme.UngroupResources({ body: { Group: 'pool', ResourceArns: [name] } })).body
    expect(removal).toMatchObject({ Succeeded: [name], Failed: [] })
  }
  const outcome = (await acme.GroupResources({ body: { Group: 'pool', ResourceArns: spellings } })).body
  expect(outcome.Succeeded, 'of several spellings, the first is used').toEqual([fullArn])
  const other = fullArn.replace('elsewhere', 'functions')
  const { Failed } = (await acme.GroupResources({ body: { Group: 'pool', ResourceArns: [other] } })).body
  expect(Failed).toMatchObject([{ ErrorCode: 'RESOURCE_NOT_FOUND' }])
})

test('a deleted resource leaves its groups, and a new one of the same name is not a member', async () => {
  await using world = await startGroups()
  const acme = await world.caller()
  await acme.CreateGroup({ body: { Name: 'hosts', Configuration: [{ Type: 'application-group' }] } })
  await world.register({ id: '/r/a' })
  await acme.GroupResources({ body: { Group: 'hosts', ResourceArns: ['/r/a'] } })
  await world.register({ id: '/r/a', tags: { changed: 'yes' } })
  expect(await members(acme, 'hosts'), 'an update keeps it').toEqual(['/r/a'])
  await world.unregister('/r/a')
  expect(await members(acme, 'hosts')).toEqual([])
  await world.app.clock.advance(1_000)
  await world.register({ id: '/r/a' })
  expect(await members(acme, 'hosts')).toEqual([])
  expect((await acme.GroupResources({ body: { Group: 'hosts', ResourceArns: ['/r/a'] } })).body.Succeeded).toHaveLength(
    1,
  )
  expect(await members(acme, 'hosts')).toEqual(['/r/a'])
})

test('host groups and pools refuse other types', async () => {
  await using world = await startGroups()
  const acme = await world.caller()
  await world.register({ id: '/r/store', type: 'Vendor.X/a' })
  await world.register({ id: '/r/host', type: 'AWS::EC2::Host' })
  await world.register({ id: '/r/reservation', type: 'aws::ec2::capacityreservation' })
  const ResourceArns = ['/r/store', '/r/host', '/r/reservation']
  const succeeded = async (Type: string) => {
    await acme.CreateGroup({ body: { Name: Type, Configuration: [{ Type }] } })
    const { body } = await acme.GroupResources({ body: { Group: Type, ResourceArns } })
    const codes = new Set(body.Failed.map(({ ErrorCode }) => ErrorCode))
    expect([...codes]).toEqual(body.Succeeded.length < 3 ? ['RESOURCE_TYPE_NOT_ALLOWED'] : [])
    return body.Succeeded
  }
  expect(await succeeded('host-management')).toEqual(['/r/host'])
  expect(await succeeded('capacity-reservation-pool')).toEqual(['/r/reservation'])
  expect(await succeeded('application-group')).toEqual(ResourceArns)
})

test('only static groups accept resources', async () => {
  await using world = await startGroups()
  const acme = await world.caller()
  await world.register({ id: '/r/a' })
  await acme.CreateGroup({ body: { Name: 'tagged', ResourceQuery: byTags({ a: [] }) } })
  await acme.CreateGroup({ body: { Name: 'bare' } })
  await acme.CreateGroup({ body: { Name: 'generic', Configuration: [{ Type: 'generic' }] } })
  for (const Group of ['tagged', 'bare', 'generic']) {
    const body = { Group, ResourceArns: ['/r/a'] }
    const refused = refusal(400, 'BadRequestException', /does not accept resources/)
    await expect(acme.GroupResources({ body }), Group).rejects.toMatchObject(refused)
    await expect(acme.UngroupResources({ body }), Group).rejects.toMatchObject(refused)
  }
  await acme.CreateGroup({ body: { Name: 'hosts', Configuration: [{ Type: 'application-group' }] } })
  for (const ResourceArns of [[], Array.from({ length: 11 }, String), ['a\u0000'], ['\ud800']])
    await expect(acme.GroupResources({ body: { Group: 'hosts', ResourceArns } })).rejects.toMatchObject({ status: 400 })
})

test('a protected group can be deleted only when empty', async () => {
  await using world = await startGroups()
  const acme = await world.caller()
  const Parameters = [{ Name: 'deletion-protection', Values: ['UNLESS_EMPTY'] }]
  const Configuration = [{ Type: 'application-group' }, { Type: 'generic', Parameters }]
  await acme.CreateGroup({ body: { Name: 'hosts', Configuration } })
  await world.register({ id: '/r/a' })
  await acme.GroupResources({ body: { Group: 'hosts', ResourceArns: ['/r/a'] } })
  await expect(acme.DeleteGroup({ body: { Group: 'hosts' } })).rejects.toMatchObject(
    refusal(400, 'BadRequestException', /protected while it has members/),
  )
  await acme.UngroupResources({ body: { Group: 'hosts', ResourceArns: ['/r/a'] } })
  await acme.DeleteGroup({ body: { Group: 'hosts' } })
  expect((await acme.ListGroups({ body: {} })).body.Groups).toEqual([])
})

test('resources added during a configuration update are pending', async () => {
  await using world = await startGroups()
  const acme = await world.caller()
  await acme.CreateGroup({ body: { Name: 'hosts', Configuration: [{ Type: 'application-group' }] } })
  await world.register({ id: '/r/a', type: 'Vendor.X/a' })
  await world.register({ id: '/r/b', type: 'Vendor.X/b' })
  const Parameters = [{ Name: 'allowed-resource-types', Values: ['Vendor.X/a'] }]
  const Configuration = [{ Type: 'application-group' }, { Type: 'generic', Parameters }]
  await acme.PutGroupConfiguration({ body: { Group: 'hosts', Configuration } })

  const grouping = await acme.GroupResources({ body: { Group: 'hosts', ResourceArns: ['/r/a', '/r/b'] } })
  expect(grouping.body).toMatchObject({ Succeeded: [], Pending: [{ ResourceArn: '/r/a' }, { ResourceArn: '/r/b' }] })
  expect((await listed(acme, 'hosts')).map(({ Status }) => Status)).toEqual([{ Name: 'PENDING' }, { Name: 'PENDING' }])
  await world.app.jobs.drain()
  const remaining = await listed(acme, 'hosts')
  expect(remaining).toEqual([{ Identifier: { ResourceArn: '/r/a', ResourceType: 'Vendor.X/a' } }])
})
