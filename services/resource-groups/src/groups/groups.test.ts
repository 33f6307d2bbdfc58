import { sql } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { arn, byTags, refusal, startGroups } from '../testing/app.ts'
import { maxGroups } from './store.ts'

test('a group is created, read by name and ARN, updated, listed and deleted', async () => {
  await using world = await startGroups()
  const acme = await world.caller()
  const query = byTags({ stage: ['test'] })

  const created = await acme.CreateGroup({
    body: { Name: 'Web_1.a-b', Description: 'All of it', ResourceQuery: query, Tags: { team: 'web' } },
  })
  const group = { GroupArn: arn('Web_1.a-b'), Name: 'Web_1.a-b', Description: 'All of it' }
  expect(created.body).toEqual({ Group: group, ResourceQuery: query, Tags: { team: 'web' } })

  for (const which of [{ GroupName: 'Web_1.a-b' }, { Group: 'web_1.a-B' }, { Group: arn('Web_1.a-b') }])
    expect((await acme.GetGroup({ body: which })).body).toEqual({ Group: group })
  expect((await acme.GetGroupQuery({ body: { Group: 'Web_1.a-b' } })).body).toEqual({
    GroupQuery: { GroupName: 'Web_1.a-b', ResourceQuery: query },
  })
  expect((await acme.GetGroupConfiguration({ body: { Group: 'Web_1.a-b' } })).body).toEqual({ GroupConfiguration: {} })

  const other = byTags({ stage: ['live'] })
  await acme.UpdateGroupQuery({ body: { Group: 'Web_1.a-b', ResourceQuery: other } })
  expect((await acme.GetGroupQuery({ body: { GroupName: 'Web_1.a-b' } })).body.GroupQuery.ResourceQuery).toEqual(other)
  const described = await acme.UpdateGroup({ body: { Group: 'Web_1.a-b', Description: '' } })
  expect(described.body.Group.Description).toBe('')
  expect((await acme.UpdateGroup({ body: { Group: 'Web_1.a-b' } })).body).toEqual(described.body)

  const { body } = await acme.ListGroups({ body: {} })
  expect(body.Groups).toEqual([described.body.Group])
  expect(body.GroupIdentifiers).toEqual([{ GroupName: 'Web_1.a-b', GroupArn: arn('Web_1.a-b') }])

  expect((await acme.DeleteGroup({ body: { Group: 'Web_1.a-b' } })).body).toEqual(described.body)
  await expect(acme.GetGroup({ body: { Group: 'Web_1.a-b' } })).rejects.toMatchObject(
    refusal(404, 'NotFoundException', /'Web_1.a-b' was not found/),
  )
})

test('a group is itself a resource of the platform, with its tags, until it is deleted', async () => {
  await using world = await startGroups()
  const acme = await world.caller()
  const search = async () =>
    (await acme.SearchResources({ body: { ResourceQuery: byTags({ team: ['web'] }) } })).body.ResourceIdentifiers
  await acme.CreateGroup({ body: { Name: 'mine', Tags: { team: 'web' } } })
  expect(await search()).toEqual([{ ResourceArn: arn('mine'), ResourceType: 'AWS::ResourceGroups::Group' }])
  await acme.DeleteGroup({ body: { GroupName: 'mine' } })
  expect(await search()).toEqual([])
})

test('invalid names, descriptions, tags and queries are refused', async () => {
  await using world = await startGroups()
  const acme = await world.caller()
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`key${index}`, '']))
  const tagQuery = (Query: string) => ({ Name: 'x', ResourceQuery: { Type: 'TAG_FILTERS_1_0' as const, Query } })
  const cases: [Parameters<typeof acme.CreateGroup>[0]['body'], RegExp][] = [
    [{ Name: 'with space' }, /body\/Name/],
    [{ Name: 'AWSome' }, /must not begin with aws/],
    [{ Name: 'x'.repeat(301) }, /body\/Name/],
    [{ Name: 'x', Description: 'a & b' }, /body\/Description/],
    [{ Name: 'x', Tags: { 'aws:mine': '1' } }, /aws:mine begins with aws:/],
    [{ Name: 'x', Tags: { 'a\u0000b': '1' } }, /contains a NUL/],
    [{ Name: 'x', Tags: { a: '<1>' } }, /body\/Tags\/a has an invalid value/],
    [{ Name: 'x', Tags: { ['k'.repeat(129)]: '1' } }, /1 to 128/],
    [{ Name: 'x', Tags: many }, /at most 50/],
    [{ Name: 'x', ResourceQuery: byTags({}), Configuration: [] }, /not both/],
    [tagQuery('{"TagFilters":[}'), /body\/ResourceQuery\/Query is not JSON: Unexpected token '}'/],
    [tagQuery('[]'), /body\/ResourceQuery\/Query must be object/],
    [tagQuery('{"TagFilters":[{"Key":"a"},{}]}'), /Query\/TagFilters\/1\/Key is required/],
    [tagQuery('{"TagFilter":[]}'), /^body\/ResourceQuery\/Query\/TagFilter is unknown; did you mean 'TagFilters'\?$/],
    [
      tagQuery('{"TagFilters":[{"Key":"a","Value":["b"]}]}'),
      /Query\/TagFilters\/0\/Value is unknown; did you mean 'Values'/,
    ],
    [tagQuery('{"TagFilters":[{"Key":"a","Values":["\\u0000"]}]}'), /a NUL or an unpaired surrogate/],
    [tagQuery('{"TagFilters":[{"Key":"\\ud800"}]}'), /a NUL or an unpaired surrogate/],
    [tagQuery('{"ResourceTypeFilters":["no type"]}'), /Query\/ResourceTypeFilters\/0/],
    [
      { Name: 'x', ResourceQuery: { Type: 'CLOUDFORMATION_STACK_1_0' as const, Query: '{}' } },
      /Query\/StackIdentifier is required/,
    ],
  ]
  for (const [body, message] of cases)
    await expect(acme.CreateGroup({ body }), String(message)).rejects.toMatchObject(
      refusal(400, 'BadRequestException', message),
    )
  expect((await acme.ListGroups({ body: {} })).body.Groups).toEqual([])
})

test('a request identifies a group once; groups of other tenants and regions are not found', async () => {
  await using world = await startGroups()
  const [acme, other] = [await world.caller(), await world.caller('other')]
  await acme.CreateGroup({ body: { Name: 'mine' } })
  await expect(acme.CreateGroup({ body: { Name: 'MINE' } })).rejects.toMatchObject(
    refusal(400, 'BadRequestException', /choose another name/),
  )
  const unclear = refusal(400, 'BadRequestException', /either Group or GroupName/)
  await expect(acme.GetGroup({ body: {} })).rejects.toMatchObject(unclear)
  await expect(acme.GetGroup({ body: { Group: 'mine', GroupName: 'mine' } })).rejects.toMatchObject(unclear)
  await expect(acme.GetGroup({ body: { Group: 'arn:aws:s3:::bucket' } })).rejects.toMatchObject({ status: 400 })
  for (const Group of [arn('mine'), 'mine', arn('mine', 'other'), arn('mine').replace('us-east-1', 'eu-west-1')])
    await expect(other.GetGroup({ body: { Group } }), Group).rejects.toMatchObject({ status: 404 })
  await expect(acme.GetGroup({ body: { Group: arn('mine', 'other') } })).rejects.toMatchObject({ status: 404 })
})

test('groups are listed page by page, with filters', async () => {
  await using world = await startGroups()
  const acme = await world.caller()
  const sql = byTags({}, ['Vendor.Sql/servers/databases'])
  for (let index = 0; index < 25; index++)
    await acme.CreateGroup({ body: { Name: `g${index}`, ...(index % 5 === 0 && { ResourceQuery: sql }) } })
  await acme.CreateGroup({ body: { Name: 'all', ResourceQuery: byTags({ a: [] }) } })
  await acme.CreateGroup({ body: { Name: 'hosts', Configuration: [{ Type: 'host-management' }] } })

  const names = async (body: Parameters<typeof acme.ListGroups>[0]['body'], maxResults = 50) => {
    const list: string[] = []
    for (let nextToken: string | undefined; ; ) {
      const page = await acme.ListGroups({ query: { maxResults, ...(nextToken && { nextToken }) }, body })
      expect(page.body.Groups.length).toBeLessThanOrEqual(maxResults)
      list.push(...page.body.Groups.map(({ Name }) => Name))
      nextToken = page.body.NextToken
      if (nextToken === undefined) return list
    }
  }
  const all = await names({})
  expect(all).toHaveLength(27)
  expect(await names({}, 4)).toEqual(all)
  const databases = [{ Name: 'resource-type' as const, Values: ['vendor.sql/Servers/databases'] }]
  expect((await names({ Filters: databases }, 2)).toSorted()).toEqual(['all', 'g0', 'g10', 'g15', 'g20', 'g5'])
  expect(await names({ Filters: [{ Name: 'resource-type', Values: ['AWS::AllSupported'] }] })).toEqual(['all'])
  for (const type of ['AWS::EC2::HostManagement', 'host-management'])
    expect(await names({ Filters: [{ Name: 'configuration-type', Values: [type] }] })).toEqual(['hosts'])

  const { body } = await acme.ListGroups({ query: { maxResults: 4 }, body: {} })
  const wrongToken = acme.ListGroups({ query: { nextToken: `${body.NextToken}` }, body: { Filters: databases } })
  await expect(wrongToken).rejects.toMatchObject(refusal(400, 'BadRequestException', /not a token of this list/))
})

test('concurrent creations respect unique names and the limit', async () => {
  await using world = await startGroups()
  const acme = await world.caller()
  const create = async (...names: string[]) => {
    const results = await Promise.allSettled(names.map((Name) => acme.CreateGroup({ body: { Name } })))
    return results.filter(({ status }) => status === 'fulfilled').length
  }
  expect(await create(...Array<string>(10).fill('same'))).toBe(1)
  await world.app.platform.database.run(sql`
    insert into resource_groups.groups (tenant, key, unique_id, name, tags, created_at)
    select 'acme', 'g' || i, gen_random_uuid(), 'g' || i, '{}', now() from generate_series(1, ${maxGroups - 3}::int) i`)
  expect(await create('a', 'b', 'c', 'd')).toBe(2)
  await expect(acme.CreateGroup({ body: { Name: 'e' } })).rejects.toMatchObject(
    refusal(400, 'BadRequestException', /1000 groups, which is the limit/),
  )
})

test('calls without a signature, without a permission or with another method are refused', async () => {
  await using world = await startGroups()
  const limited = await world.caller('acme', ['resource-groups:Get*'])
  await expect(limited.CreateGroup({ body: { Name: 'x' } })).rejects.toMatchObject(
    refusal(403, 'ForbiddenException', /resource-groups:CreateGroup/),
  )
  const unsigned = await fetch(`${world.app.url}/resource-groups/get-group`, { method: 'POST' })
  expect(unsigned.status).toBe(401)
  expect(unsigned.headers.get('x-amzn-errortype')).toBe('UnauthorizedException')
  const wrongMethod = await fetch(`${world.app.url}/resource-groups/get-group`, { method: 'DELETE' })
  expect(wrongMethod.headers.get('x-amzn-errortype')).toBe('MethodNotAllowedException')
})
