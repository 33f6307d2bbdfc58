import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byStack, byTags, refusal, startGroups, type World } from '../testing/app.ts'

type Caller = Awaited<ReturnType<World['caller']>>

async function searchAll(acme: Caller, ResourceQuery: ReturnType<typeof byTags | typeof byStack>, MaxResults = 50) {
  const ids: string[] = []
  for (let NextToken: string | undefined; ; ) {
    const { body } = await acme.SearchResources({
      body: { ResourceQuery, MaxResults, ...(NextToken && { NextToken }) },
    })
    expect(body.ResourceIdentifiers.length).toBeLessThanOrEqual(MaxResults)
    ids.push(...body.ResourceIdentifiers.map(({ ResourceArn }) => ResourceArn))
    NextToken = body.NextToken
    if (NextToken === undefined) return ids
  }
}

test('a tag query matches resources with all keys and one of the values of each', async () => {
  await using world = await startGroups()
  const acme = await world.caller()
  const one = await world.register({ id: '/a/One', tags: { stage: 'test', version: '1' } })
  const two = await world.register({ id: '/a/two', tags: { stage: 'live', version: '2' } })
  const three = await world.register({ id: '/a/three', tags: { stage: 'test' }, type: 'Vendor.Sql/servers/databases' })
  await world.register({ id: '/a/foreign', tags: { stage: 'test', version: '1' } }, 'other')

  expect(await searchAll(acme, byTags({ stage: ['test', 'live'], version: ['1', '2'] }))).toEqual([one, two])
  expect(await searchAll(acme, byTags({ stage: ['test'] }))).toEqual([one, three])
  expect(await searchAll(acme, byTags({ version: [] }))).toEqual([one, two])
  expect(await searchAll(acme, byTags({ version: ['1 2'] }))).toEqual([])
  expect(await searchAll(acme, byTags({ stage: ['test'] }, ['VENDOR.sql/servers/Databases']))).toEqual([three])
  expect(await searchAll(acme, byTags({}))).toEqual([one, three, two])
  const twice = {
    TagFilters: [
      { Key: 'stage', Values: ['test'] },
      { Key: 'stage', Values: ['live'] },
    ],
  }
  expect(await searchAll(acme, { Type: 'TAG_FILTERS_1_0', Query: JSON.stringify(twice) })).toEqual([])
})

test('a group follows its query: tagged resources join and deleted ones leave immediately', async () => {
  await using world = await startGroups()
  const acme = await world.caller()
  await acme.CreateGroup({ body: { Name: 'live', ResourceQuery: byTags({ stage: ['live'] }) } })
  const members = async () =>
    (await acme.ListGroupResources({ body: { Group: 'live' } })).body.Resources.map(
      ({ Identifier }) => Identifier.ResourceArn,
    )
  expect(await members()).toEqual([])
  await world.register({ id: '/a/one', tags: { stage: 'live' } })
  expect(await members()).toEqual(['/a/one'])
  await world.register({ id: '/a/one', tags: { stage: 'test' } })
  await world.register({ id: '/a/two', tags: { stage: 'live' } })
  expect(await members()).toEqual(['/a/two'])
  await world.unregister('/a/two')
  expect(await members()).toEqual([])
})

test('members are listed page by page, and only tokens of the same list are accepted', async () => {
  await using world = await startGroups()
  const acme = await world.caller()
  const ids = Array.from({ length: 120 }, (_, index) => `/r/${String(index).padStart(3, '0')}`)
  for (const [index, id] of ids.entries())
    await world.register({ id, tags: { kind: index % 3 === 0 ? 'a' : 'b' }, type: `Vendor.X/t${index % 2}` })
  await acme.CreateGroup({ body: { Name: 'everything', ResourceQuery: byTags({ kind: ['a', 'b'] }) } })
  expect(await searchAll(acme, byTags({ kind: [] }), 7)).toEqual(ids)

  const first = await acme.ListGroupResources({ body: { Group: 'everything' } })
  expect(first.body.ResourceIdentifiers).toHaveLength(50)
  expect(first.body.Resources[0]).toEqual({ Identifier: { ResourceArn: '/r/000', ResourceType: 'Vendor.X/t0' } })
  const { NextToken = '' } = first.body
  const second = await acme.ListGroupResources({ body: { GroupName: 'everything', NextToken, MaxResults: 3 } })
  expect(second.body.ResourceIdentifiers.map(({ ResourceArn }) => ResourceArn)).toEqual(ids.slice(50, 53))
  const [version, bound] = JSON.parse(Buffer.from(NextToken, 'base64url').toString())
  for (const key of ['\0', '\ud800', 7, null, {}]) {
    const forged = Buffer.from(JSON.stringify([version, bound, key])).toString('base64url')
    const response = acme.ListGroupResources({ body: { Group: 'everything', NextToken: forged } })
    await expect(response, JSON.stringify(key)).rejects.toMatchObject({ status: 400 })
  }
  for (const body of [
    { ResourceQuery: byTags({ kind: ['a', 'b'] }), NextToken },
    { ResourceQuery: byTags({ kind: ['a'] }), NextToken: 'rubbish' },
  ])
    await expect(acme.SearchResources({ body })).rejects.toMatchObject(
      refusal(400, 'BadRequestException', /body\/NextToken is not a token/),
    )
  for (const MaxResults of [0, 51, 1.5])
    await expect(acme.ListGroupResources({ body: { Group: 'everything', MaxResults } })).rejects.toMatchObject({
      status: 400,
    })
})

test('filters narrow the members of a group; types that are not in its query are refused', async () => {
  await using world = await startGroups()
  const acme = await world.caller()
  for (const kind of ['a', 'b', 'c']) await world.register({ id: `/r/${kind}`, type: `Vendor.X/${kind}` })
  await acme.CreateGroup({ body: { Name: 'ab', ResourceQuery: byTags({}, ['Vendor.X/a', 'Vendor.X/b']) } })
  const list = async (...values: string[][]) => {
    const Filters = values.map((Values) => ({ Name: 'resource-type' as const, Values }))
    const { body } = await acme.ListGroupResources({ body: { Group: 'ab', Filters } })
    return body.ResourceIdentifiers.map(({ ResourceArn }) => ResourceArn)
  }
  expect(await list()).toEqual(['/r/a', '/r/b'])
  expect(await list(['vendor.x/A'])).toEqual(['/r/a'])
  expect(await list(['Vendor.X/a', 'Vendor.X/b'], ['Vendor.X/b'])).toEqual(['/r/b'])
  await expect(list(['Vendor.X/a', 'Vendor.X/c'])).rejects.toMatchObject(
    refusal(
      400,
      'BadRequestException',
      /body\/Filters\/0\/Values has types that are not in the group's query: vendor.x\/c/,
    ),
  )
})

test("a service's type is known before a resource of it exists", async () => {
  await using world = await startGroups({ resourceTypes: ['Vendor.X/known'] })
  const acme = await world.caller()
  const search = async (type: string) =>
    (await acme.SearchResources({ body: { ResourceQuery: byTags({}, [type]) } })).body
  expect(await search('vendor.x/Known')).toEqual({ ResourceIdentifiers: [], QueryErrors: [] })
  expect((await search('Vendor.X/unknown')).QueryErrors).toMatchObject([{ ErrorCode: 'RESOURCE_TYPE_NOT_SUPPORTED' }])
})

test('unknown types and stacks are errors in the response', async () => {
  await using world = await startGroups()
  const acme = await world.caller()
  await world.register({ id: '/r/a', type: 'Vendor.X/a', tags: { k: 'v' } })
  const search = async (ResourceQuery: ReturnType<typeof byTags | typeof byStack>) =>
    (await acme.SearchResources({ body: { ResourceQuery } })).body
  expect(await search(byTags({ k: [] }, ['Vendor.X/a', 'AWS::EC2::Instance']))).toEqual({
    ResourceIdentifiers: [{ ResourceArn: '/r/a', ResourceType: 'Vendor.X/a' }],
    QueryErrors: [{ ErrorCode: 'RESOURCE_TYPE_NOT_SUPPORTED', Message: expect.stringContaining('aws::ec2::instance') }],
  })
  expect(await search(byTags({}, ['AWS::ResourceGroups::Group']))).toMatchObject({ QueryErrors: [] })

  await acme.CreateGroup({ body: { Name: 'stack', ResourceQuery: byStack('nothing') } })
  const { body } = await acme.ListGroupResources({ body: { Group: 'stack' } })
  expect(body).toMatchObject({
    Resources: [],
    QueryErrors: [{ ErrorCode: 'CLOUDFORMATION_STACK_NOT_EXISTING', Message: expect.stringContaining('nothing') }],
  })
})

test('a stack is a scope of the management services, or the value of a tag', async () => {
  await using world = await startGroups()
  const acme = await world.caller()
  const id = 'arn:aws:cloudformation:us-east-1:acme:stack/shop/7'
  await world.register({ id: '/r/scoped', scope: '/subscriptions/s/resourceGroups/Shop', type: 'Vendor.X/a' })
  await world.register({ id: '/r/by-id', tags: { 'aws:cloudformation:stack-id': id } })
  await world.register({ id: '/r/by-name', tags: { 'aws:cloudformation:stack-name': 'shop' } })
  expect(await searchAll(acme, byStack('/subscriptions/s/resourcegroups/shop'))).toEqual(['/r/scoped'])
  expect(await searchAll(acme, byStack(id))).toEqual(['/r/by-id'])
  expect(await searchAll(acme, byStack('shop'))).toEqual(['/r/by-name'])
  const { body } = await acme.SearchResources({
    body: { ResourceQuery: byStack('shop', ['Vendor.X/a']) },
  })
  expect(body, 'the stack exists, but has no resource of this type').toEqual({
    ResourceIdentifiers: [],
    QueryErrors: [],
  })
})

test('listing also requires permission to read tags or stacks, depending on the query', async () => {
  await using world = await startGroups()
  const base = 'resource-groups:*'
  const [nothing, tags, describe] = await Promise.all([
    world.caller('acme', [base]),
    world.caller('acme', [base, 'tag:GetResources']),
    world.caller('acme', [base, 'cloudformation:DescribeStacks']),
  ])
  const stacks = await world.caller('acme', [base, 'cloudformation:*'])
  await tags.CreateGroup({ body: { Name: 'tagged', ResourceQuery: byTags({ a: [] }) } })
  await tags.CreateGroup({ body: { Name: 'stacked', ResourceQuery: byStack('s') } })
  await tags.CreateGroup({ body: { Name: 'static', Configuration: [{ Type: 'host-management' }] } })
  const denied = (permission: string) =>
    refusal(403, 'ForbiddenException', new RegExp(`^The credential lacks the permission ${permission}\\.$`))

  const list = (caller: Caller, Group: string) => caller.ListGroupResources({ body: { Group } })
  await expect(list(nothing, 'tagged')).rejects.toMatchObject(denied('tag:GetResources'))
  await expect(list(stacks, 'tagged')).rejects.toMatchObject(denied('tag:GetResources'))
  expect((await list(tags, 'tagged')).status).toBe(200)
  await expect(list(tags, 'stacked')).rejects.toMatchObject(denied('cloudformation:DescribeStacks'))
  await expect(list(describe, 'stacked')).rejects.toMatchObject(denied('cloudformation:ListStackResources'))
  expect((await list(stacks, 'stacked')).status).toBe(200)
  expect((await list(nothing, 'static')).status).toBe(200)

  const search = (caller: Caller, ResourceQuery: ReturnType<typeof byTags | typeof byStack>) =>
    caller.SearchResources({ body: { ResourceQuery } })
  await expect(search(nothing, byTags({ a: [] }))).rejects.toMatchObject(denied('tag:GetResources'))
  await expect(search(describe, byStack('s'))).rejects.toMatchObject(denied('cloudformation:ListStackResources'))
})

test('arbitrary query texts are answered or refused', async () => {
  await using world = await startGroups()
  const acme = await world.caller()
  await world.register({ id: '/r/a', tags: { a: '1' } })
  const text = fc.string({ unit: 'binary', maxLength: 20 })
  const TagFilters = fc.array(
    fc.record({ Key: text, Values: fc.array(text, { maxLength: 3 }) }, { requiredKeys: ['Key'] }),
    { maxLength: 4 },
  )
  const Query = fc.oneof(
    fc.record({ TagFilters }).map((query) => JSON.stringify(query)),
    fc.record({ StackIdentifier: text }).map((query) => JSON.stringify(query)),
    fc.json(),
    text,
  )
  const ResourceQuery = fc.record({ Type: fc.constantFrom('TAG_FILTERS_1_0', 'CLOUDFORMATION_STACK_1_0'), Query })
  const statuses = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(ResourceQuery, async (query) => {
      const response = acme.SearchResources({ body: { ResourceQuery: query } })
      const status = await response.then(({ status }) => status).catch((error) => error.status)
      expect([200, 400]).toContain(status)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }),
    { numRuns: 400, seed: 376 },
  )
  expect(Math.min(...[200, 400].map((status) => statuses.get(status) ?? 0))).toBeGreaterThan(20)
})
