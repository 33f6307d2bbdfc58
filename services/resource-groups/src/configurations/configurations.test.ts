import { expect, test } from 'vitest'
import type { Configuration } from '../groups/contract.ts'
import { byTags, refusal, startGroups } from '../testing/app.ts'

const pool = (...types: string[]): Configuration => [
  { Type: 'AWS::ResourceGroups::ApplicationGroup' },
  { Type: 'AWS::ResourceGroups::Generic', Parameters: [{ Name: 'allowed-resource-types', Values: types }] },
]

test('a configuration is applied in the background, which fails if it does not fit the members', async () => {
  await using world = await startGroups()
  const acme = await world.caller()
  const Group = 'pool'
  const read = async () => (await acme.GetGroupConfiguration({ body: { Group } })).body.GroupConfiguration

  const created = await acme.CreateGroup({ body: { Name: Group, Configuration: pool('Vendor.X/a', 'Vendor.X/b') } })
  expect(created.body.GroupConfiguration).toEqual({
    Configuration: pool('Vendor.X/a', 'Vendor.X/b'),
    Status: 'UPDATE_COMPLETE',
  })
  await acme.PutGroupConfiguration({ body: { Group, Configuration: pool('Vendor.X/a') } })
  expect(await read()).toEqual({
    Configuration: pool('Vendor.X/a', 'Vendor.X/b'),
    ProposedConfiguration: pool('Vendor.X/a'),
    Status: 'UPDATING',
  })
  await world.app.jobs.drain()
  expect(await read()).toEqual({ Configuration: pool('Vendor.X/a'), Status: 'UPDATE_COMPLETE' })

  await world.register({ id: '/r/a', type: 'Vendor.X/a' })
  await acme.GroupResources({ body: { Group, ResourceArns: ['/r/a'] } })
  await acme.PutGroupConfiguration({ body: { Group, Configuration: pool('Vendor.X/b') } })
  await world.app.jobs.drain()
  expect(await read()).toEqual({
    Configuration: pool('Vendor.X/a'),
    ProposedConfiguration: pool('Vendor.X/b'),
    Status: 'UPDATE_FAILED',
    FailureReason: expect.stringContaining('Vendor.X/a'),
  })

  await acme.PutGroupConfiguration({ body: { Group, Configuration: [] } })
  await world.app.jobs.drain()
  expect(await read()).toMatchObject({ Status: 'UPDATE_FAILED', FailureReason: expect.stringContaining('members') })
  await acme.UngroupResources({ body: { Group, ResourceArns: ['/r/a'] } })
  await acme.PutGroupConfiguration({ body: { Group, Configuration: pool('Vendor.X/b') } })
  await acme.PutGroupConfiguration({ body: { Group, Configuration: [] } })
  await world.app.jobs.drain()
  expect(await read(), 'the latest proposal wins').toEqual({ Status: 'UPDATE_COMPLETE' })
})

test('a group has a query or a configuration', async () => {
  await using world = await startGroups()
  const acme = await world.caller()
  await acme.CreateGroup({ body: { Name: 'tagged', ResourceQuery: byTags({ a: [] }) } })
  await acme.CreateGroup({ body: { Name: 'pool', Configuration: pool('Vendor.X/a') } })
  await acme.CreateGroup({ body: { Name: 'bare' } })
  const query = byTags({ b: [] })
  const bad = (message: RegExp) => refusal(400, 'BadRequestException', message)
  await expect(
    acme.PutGroupConfiguration({ body: { Group: 'tagged', Configuration: pool('Vendor.X/a') } }),
  ).rejects.toMatchObject(bad(/has a query/))
  await expect(acme.UpdateGroupQuery({ body: { Group: 'pool', ResourceQuery: query } })).rejects.toMatchObject(
    bad(/has a configuration/),
  )
  await expect(acme.GetGroupQuery({ body: { Group: 'pool' } })).rejects.toMatchObject(bad(/has no query/))
  await expect(acme.PutGroupConfiguration({ body: { Group: 'pool' } })).rejects.toMatchObject(bad(/empty list/))

  await acme.UpdateGroupQuery({ body: { Group: 'bare', ResourceQuery: query } })
  expect((await acme.GetGroupQuery({ body: { Group: 'bare' } })).body.GroupQuery.ResourceQuery).toEqual(query)
})

test('configurations are validated immediately, with the location of each error', async () => {
  await using world = await startGroups()
  const acme = await world.caller()
  const hosts = (...Parameters: { Name: string; Values?: string[] }[]) => [{ Type: 'host-management', Parameters }]
  const cases: [Configuration, RegExp][] = [
    [[{ Type: 'AWS::EC2::Other' }], /body\/Configuration\/0\/Type must be one of .*AWS::EC2::HostManagement/],
    [[{ Type: 'constructor' }], /Configuration\/0\/Type must be one of/],
    [hosts({ Name: 'constructor', Values: ['x'] }), /Parameters\/0\/Name must be one of/],
    [[{ Type: 'generic' }, { Type: 'AWS::ResourceGroups::Generic' }], /must not have a type twice/],
    [[{ Type: 'host-management' }, { Type: 'capacity-reservation-pool' }], /not both/],
    [[{ Type: 'host-management' }, { Type: 'application-group' }], /not both/],
    [hosts({ Name: 'allowed-resource-types', Values: ['AWS::EC2::Instance'] }), /can only contain AWS::EC2::Host/],
    [
      [
        { Type: 'capacity-reservation-pool' },
        { Type: 'generic', Parameters: [{ Name: 'allowed-resource-types', Values: ['Vendor.X/a'] }] },
      ],
      /must not allow Vendor.X\/a: .* can only contain AWS::EC2::CapacityReservation/,
    ],
    [hosts({ Name: 'deletion-protection' }), /Configuration\/0\/Parameters\/0\/Name must be one of/],
    [hosts({ Name: 'auto-allocate-host', Values: ['yes'] }), /Parameters\/0\/Values must be true or false/],
    [hosts({ Name: 'auto-allocate-host', Values: ['true', 'false'] }), /must be true or false/],
    [hosts({ Name: 'auto-release-host' }), /must be true or false/],
    [hosts({ Name: 'allowed-host-families', Values: ['M5'] }), /families/],
    [
      hosts({ Name: 'auto-release-host', Values: ['true'] }, { Name: 'auto-release-host', Values: ['true'] }),
      /auto-release-host twice/,
    ],
    [
      hosts(
        { Name: 'any-host-based-license-configuration', Values: ['true'] },
        { Name: 'allowed-host-based-license-configurations', Values: ['arn:x:y'] },
      ),
      /any license or certain ones, not both/,
    ],
    [[{ Type: 'generic', Parameters: [{ Name: 'deletion-protection', Values: ['ALWAYS'] }] }], /must be UNLESS_EMPTY/],
  ]
  for (const [Configuration, message] of cases)
    await expect(acme.CreateGroup({ body: { Name: 'x', Configuration } }), String(message)).rejects.toMatchObject(
      refusal(400, 'BadRequestException', message),
    )

  const { body } = await acme.CreateGroup({
    body: {
      Name: 'hosts',
      Configuration: [
        ...hosts(
          { Name: 'any-host-based-license-configuration', Values: ['true'] },
          { Name: 'allowed-host-families', Values: ['m5', 'u-6tb1'] },
          { Name: 'auto-allocate-host', Values: ['true'] },
          { Name: 'auto-release-host', Values: ['false'] },
        ),
        { Type: 'generic', Parameters: [{ Name: 'deletion-protection', Values: ['UNLESS_EMPTY'] }] },
      ],
    },
  })
  expect(body.GroupConfiguration?.Configuration?.map(({ Type }) => Type)).toEqual([
    'AWS::EC2::HostManagement',
    'AWS::ResourceGroups::Generic',
  ])
})
