import * as first from '@aws-sdk/client-resource-groups'
import * as newest from '@aws-sdk/client-resource-groups-new'
import { resourcesIn } from '@icosa/kernel'
import { resourceGroups } from '@icosa/resource-groups'
import AWS from 'aws-sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, type SignedPlatform, startSignedPlatform, tamper } from './signed-support.ts'
import { schemes } from './tls.ts'

let platform: SignedPlatform
const stack = 'arn:aws:cloudformation:us-east-1:123456789012:stack/orders/1f2e'
const reservation = 'arn:aws:ec2:us-east-1:123456789012:capacity-reservation/cr-1'
const instance = (name: string) => `arn:aws:ec2:us-east-1:123456789012:instance/${name}`

beforeAll(async () => {
  platform = await startSignedPlatform([resourceGroups()])
  const { database, clock } = platform.app.platform
  const resources = resourcesIn(database, clock, 'example', '123456789012')
  for (const [name, stage] of Object.entries({ one: 'test', two: 'test', three: 'live' })) {
    const tags = { stage, 'aws:cloudformation:stack-id': stack }
    await resources.put({ id: instance(name), type: 'AWS::EC2::Instance', name, tags })
  }
  const type = 'AWS::EC2::CapacityReservation'
  await resources.put({ id: reservation, type, name: 'cr-1' })
})
afterAll(() => platform[Symbol.asyncDispose]())

const tagQuery = (value: string) => ({
  Type: 'TAG_FILTERS_1_0' as const,
  Query: JSON.stringify({
    ResourceTypeFilters: ['AWS::AllSupported'],
    TagFilters: [{ Key: 'stage', Values: [value] }],
  }),
})
const pool = [
  { Type: 'AWS::EC2::CapacityReservationPool' },
  {
    Type: 'AWS::ResourceGroups::Generic',
    Parameters: [{ Name: 'allowed-resource-types', Values: ['AWS::EC2::CapacityReservation'] }],
  },
]

test('the newest client synchronizes a group with a tag', async () => {
  const groups = new newest.ResourceGroups(platform.config)
  const Configuration = [{ Type: 'AWS::ResourceGroups::ApplicationGroup' }]
  await groups.createGroup({ Name: 'application', Configuration })
  const started = await groups.startTagSyncTask({
    ...{ Group: 'application', TagKey: 'stage', TagValue: 'test' },
    RoleArn: 'arn:aws:iam::123456789012:role/sync',
  })
  const { TaskArn } = started
  const members = async () => {
    const { ResourceIdentifiers = [] } = await groups.listGroupResources({ Group: 'application' })
    return ResourceIdentifiers.map(({ ResourceArn }) => ResourceArn).sort()
  }
  expect(await eventually(members, ({ length }) => length === 2)).toEqual([instance('one'), instance('two')])
  const { GroupingStatuses } = await groups.listGroupingStatuses({ Group: 'application' })
  expect(GroupingStatuses).toMatchObject([
    { ResourceArn: instance('one'), Action: 'GROUP', Status: 'SUCCESS', UpdatedAt: expect.any(Date) },
    { ResourceArn: instance('two') },
  ])
  expect(await groups.getTagSyncTask({ TaskArn })).toMatchObject({ Status: 'ACTIVE', CreatedAt: expect.any(Date) })
  expect((await groups.listTagSyncTasks({ Filters: [{ GroupName: 'application' }] })).TagSyncTasks).toHaveLength(1)
  await groups.cancelTagSyncTask({ TaskArn })
  expect((await groups.listTagSyncTasks({})).TagSyncTasks).toEqual([])
})

describe.each([
  ['3.523', 'http', first],
  ['3.523', 'https', first],
  ['3.1133', 'http', newest as unknown as typeof first],
  ['3.1133', 'https', newest as unknown as typeof first],
] as const)('version %s of the client over %s', (version, scheme, sdk) => {
  const suffix = `${version.replace('.', '-')}-${scheme}`
  const name = `stage-${suffix}`
  const arn = `arn:aws:resource-groups:us-east-1:123456789012:group/${name}`
  const client = () => new sdk.ResourceGroups(platform.over(scheme))

  test('a group with a tag query is created, read, changed, listed, tagged and deleted', async () => {
    const groups = client()
    const created = await groups.createGroup({ Name: name, ResourceQuery: tagQuery('test'), Tags: { team: 'shop' } })
    expect(created).toMatchObject({ Group: { GroupArn: arn, Name: name }, Tags: { team: 'shop' } })
    expect((await groups.getGroup({ Group: arn })).Group?.Name).toBe(name)
    expect((await groups.getGroupQuery({ GroupName: name })).GroupQuery?.ResourceQuery).toEqual(tagQuery('test'))

    const members = await groups.listGroupResources({ GroupName: name })
    expect(members.ResourceIdentifiers?.map(({ ResourceArn }) => ResourceArn).sort()).toEqual([
      instance('one'),
      instance('two'),
    ])
    await groups.updateGroupQuery({ GroupName: name, ResourceQuery: tagQuery('live') })
    expect((await groups.listGroupResources({ Group: name })).Resources).toMatchObject([
      { Identifier: { ResourceArn: instance('three'), ResourceType: 'AWS::EC2::Instance' } },
    ])
    expect((await groups.updateGroup({ GroupName: name, Description: 'live' })).Group?.Description).toBe('live')

    expect((await groups.tag({ Arn: arn, Tags: { cost: '7' } })).Tags).toMatchObject({ cost: '7' })
    expect((await groups.getTags({ Arn: arn })).Tags).toEqual({ team: 'shop', cost: '7' })
    expect((await groups.untag({ Arn: arn, Keys: ['team'] })).Keys).toEqual(['team'])
    expect((await groups.getTags({ Arn: arn })).Tags).toEqual({ cost: '7' })
    expect((await groups.deleteGroup({ Group: arn })).Group?.Name).toBe(name)
    await expect(groups.getGroup({ Group: arn })).rejects.toBeInstanceOf(sdk.NotFoundException)
  })

  test('resources are searched by tags and by stack, a page at a time', async () => {
    const search = async (ResourceQuery: ReturnType<typeof tagQuery>) => {
      const listedNames: (string | undefined)[] = []
      const pages = sdk.paginateSearchResources({ client: client(), pageSize: 1 }, { ResourceQuery })
      for await (const page of pages)
        listedNames.push(...(page.ResourceIdentifiers ?? []).map((identifier) => identifier.ResourceArn))
      return listedNames.sort()
    }
    expect(await search(tagQuery('test'))).toEqual([instance('one'), instance('two')])
    const ofStack = (StackIdentifier: string) => ({
      Type: 'CLOUDFORMATION_STACK_1_0' as const,
      Query: JSON.stringify({ ResourceTypeFilters: ['AWS::EC2::Instance'], StackIdentifier }),
    })
    expect(await client().searchResources({ ResourceQuery: ofStack(`${stack}0`) })).toMatchObject({
      QueryErrors: [{ ErrorCode: 'CLOUDFORMATION_STACK_NOT_EXISTING' }],
    })
    expect((await client().searchResources({ ResourceQuery: ofStack(stack) })).ResourceIdentifiers).toHaveLength(3)
  })

  test('members of a static group are added and removed, and its configuration is updated', async () => {
    const groups = client()
    const Group = `pool-${suffix}`
    await groups.createGroup({ Name: Group, Configuration: pool })
    const ResourceArns = [reservation, reservation.replace('cr-1', 'cr-0')]
    expect(await groups.groupResources({ Group, ResourceArns })).toMatchObject({
      Succeeded: [reservation],
      Failed: [{ ResourceArn: ResourceArns[1] }],
    })
    expect((await groups.listGroupResources({ Group })).ResourceIdentifiers).toHaveLength(1)
    expect((await groups.ungroupResources({ Group, ResourceArns: [reservation] })).Succeeded).toEqual([reservation])
    await groups.putGroupConfiguration({ Group, Configuration: pool })
    const { GroupConfiguration } = await eventually(
      () => groups.getGroupConfiguration({ Group }),
      (answer) => answer.GroupConfiguration?.Status === 'UPDATE_COMPLETE',
    )
    expect(GroupConfiguration).toMatchObject({ Status: 'UPDATE_COMPLETE', Configuration: pool })
    await groups.deleteGroup({ Group })
  })

  test('groups are listed a page at a time, and by the type of their configuration', async () => {
    const groups = client()
    const names = Array.from({ length: 5 }, (_, n) => `listed-${suffix}-${n}`)
    for (const Name of names) await groups.createGroup({ Name, ResourceQuery: tagQuery('none') })
    const listedNames: (string | undefined)[] = []
    for await (const page of sdk.paginateListGroups({ client: groups, pageSize: 2 }, {}))
      listedNames.push(...(page.GroupIdentifiers ?? []).map(({ GroupName }) => GroupName))
    expect(listedNames.filter((one) => one?.startsWith('listed-'))).toEqual(expect.arrayContaining(names))
    const Filters = [{ Name: 'configuration-type' as const, Values: ['AWS::EC2::CapacityReservationPool'] }]
    expect((await groups.listGroups({ Filters })).GroupIdentifiers).toEqual([])
    for (const Group of names) await groups.deleteGroup({ Group })
  })

  test('account settings report IN_PROGRESS, then ACTIVE', async () => {
    const groups = client()
    const settings = await groups.updateAccountSettings({ GroupLifecycleEventsDesiredStatus: 'ACTIVE' })
    expect(settings.AccountSettings).toMatchObject({ GroupLifecycleEventsStatus: 'IN_PROGRESS' })
    const settled = await eventually(
      () => groups.getAccountSettings({}),
      (answer) => answer.AccountSettings?.GroupLifecycleEventsStatus === 'ACTIVE',
    )
    expect(settled.AccountSettings).toMatchObject({ GroupLifecycleEventsStatus: 'ACTIVE' })
    await groups.updateAccountSettings({ GroupLifecycleEventsDesiredStatus: 'INACTIVE' })
    await eventually(
      () => groups.getAccountSettings({}),
      (answer) => answer.AccountSettings?.GroupLifecycleEventsStatus === 'INACTIVE',
    )
  })

  test('every modelled exception is an instance of its class', async () => {
    const groups = client()
    await expect(groups.getGroup({ GroupName: 'none' })).rejects.toBeInstanceOf(sdk.NotFoundException)
    const query = { Type: 'TAG_FILTERS_1_0' as const, Query: '{' }
    const bad = groups.createGroup({ Name: 'bad', ResourceQuery: query })
    await expect(bad).rejects.toBeInstanceOf(sdk.BadRequestException)
    await expect(bad).rejects.toMatchObject({ name: 'BadRequestException', $metadata: { httpStatusCode: 400 } })

    const limited = new sdk.ResourceGroups(await platform.configWith(['resource-groups:Get*']))
    const denied = limited.tag({ Arn: arn, Tags: { a: 'b' } })
    await expect(denied).rejects.toBeInstanceOf(sdk.ForbiddenException)
    await expect(denied).rejects.toThrow('resource-groups:Tag')

    const unsigned = client()
    tamper(unsigned, (request) => {
      delete request.headers.authorization
    })
    // At the root, only the signature names the service.
    const atPrefix = new sdk.ResourceGroups({
      ...platform.config,
      endpoint: `${platform.config.endpoint}/resource-groups`,
    })
    tamper(atPrefix, (request) => {
      delete request.headers.authorization
    })
    await expect(unsigned.getAccountSettings({})).rejects.toThrow()
    await expect(atPrefix.getAccountSettings({})).rejects.toBeInstanceOf(sdk.UnauthorizedException)

    const misguided = client()
    tamper(misguided, (request) => {
      request.method = 'DELETE'
    })
    await expect(misguided.getAccountSettings({})).rejects.toBeInstanceOf(sdk.MethodNotAllowedException)
  })

  test('throttling and internal errors are instances of their classes', async () => {
    const busy = await startSignedPlatform([resourceGroups()], { rateLimit: { perSecond: 1, burst: 1 } })
    await using _ = busy
    const groups = new sdk.ResourceGroups(busy.config)
    await groups.getAccountSettings({})
    await expect(groups.getAccountSettings({})).rejects.toBeInstanceOf(sdk.TooManyRequestsException)

    const broken = await startSignedPlatform([resourceGroups()])
    await using __ = broken
    await broken.app.platform.database.script('drop schema resource_groups cascade')
    await expect(new sdk.ResourceGroups(broken.config).listGroups({})).rejects.toBeInstanceOf(
      sdk.InternalServerErrorException,
    )
  })
})

test.each(schemes)('version 2 of the SDK runs every operation over %s, too; errors have codes', async (scheme) => {
  const groups = new AWS.ResourceGroups({ ...platform.over(scheme), maxRetries: 0 })
  const Group = 'arn:aws:resource-groups:us-east-1:123456789012:group/of-v2'
  await groups.createGroup({ Name: 'of-v2', ResourceQuery: tagQuery('live'), Tags: { a: '1' } }).promise()
  expect((await groups.getGroup({ Group }).promise()).Group?.Name).toBe('of-v2')
  await groups.updateGroup({ Group, Description: 'old' }).promise()
  await groups.updateGroupQuery({ Group, ResourceQuery: tagQuery('test') }).promise()
  expect((await groups.getGroupQuery({ Group }).promise()).GroupQuery?.ResourceQuery).toEqual(tagQuery('test'))
  expect((await groups.listGroupResources({ Group }).promise()).ResourceIdentifiers).toHaveLength(2)
  await groups.tag({ Arn: Group, Tags: { b: '2' } }).promise()
  await groups.untag({ Arn: Group, Keys: ['a'] }).promise()
  expect((await groups.getTags({ Arn: Group }).promise()).Tags).toEqual({ b: '2' })
  expect((await groups.listGroups({ MaxResults: 1 }).promise()).GroupIdentifiers).toHaveLength(1)
  const ResourceQuery = tagQuery('test')
  const first = await groups.searchResources({ ResourceQuery, MaxResults: 1 }).promise()
  const second = await groups
    .searchResources({ ResourceQuery, MaxResults: 1, NextToken: first.NextToken ?? '' })
    .promise()
  expect([first, second].map((page) => page.ResourceIdentifiers?.length)).toEqual([1, 1])
  await groups.deleteGroup({ Group }).promise()

  await groups.createGroup({ Name: 'pool-of-v2', Configuration: pool }).promise()
  const members = { Group: 'pool-of-v2', ResourceArns: [reservation] }
  expect((await groups.groupResources(members).promise()).Succeeded).toEqual([reservation])
  expect((await groups.ungroupResources(members).promise()).Succeeded).toEqual([reservation])
  await groups.putGroupConfiguration({ Group: 'pool-of-v2', Configuration: pool }).promise()
  const { GroupConfiguration } = await groups.getGroupConfiguration({ Group: 'pool-of-v2' }).promise()
  expect(GroupConfiguration?.Status).toMatch(/^UPDAT/)
  await groups.deleteGroup({ Group: 'pool-of-v2' }).promise()
  await groups.updateAccountSettings({ GroupLifecycleEventsDesiredStatus: 'INACTIVE' }).promise()
  expect((await groups.getAccountSettings().promise()).AccountSettings).toBeDefined()

  await expect(groups.getGroup({ Group }).promise()).rejects.toMatchObject({
    code: 'NotFoundException',
    statusCode: 404,
  })
  const denied = new AWS.ResourceGroups({ ...(await platform.configWith(['backup:*'])), maxRetries: 0 })
  await expect(denied.getGroup({ Group }).promise()).rejects.toMatchObject({ code: 'ForbiddenException' })
})

test('a client with clock skew corrects it by our Date header and is authenticated', async () => {
  const client = new first.ResourceGroups({ ...platform.config, maxAttempts: 2, systemClockOffset: 20 * 60_000 })
  expect((await client.getAccountSettings({})).AccountSettings).toBeDefined()
})
