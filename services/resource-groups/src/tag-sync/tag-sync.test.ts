import { expect, test } from 'vitest'
import { arn, byTags, refusal, startGroups, type World } from '../testing/app.ts'

const application = [{ Type: 'application-group' }]
const RoleArn = 'arn:aws:iam::acme:role/sync'
const stage = { TagKey: 'stage', TagValue: 'live', RoleArn }

async function setUp() {
  const world = await startGroups()
  const acme = await world.caller()
  await acme.CreateGroup({ body: { Name: 'shop', Configuration: application } })
  const members = async () => {
    await world.app.clock.advance(61_000)
    await world.app.jobs.drain()
    const { body } = await acme.ListGroupResources({ body: { Group: 'shop' } })
    return body.ResourceIdentifiers.map(({ ResourceArn }) => ResourceArn)
  }
  const statuses = async (filters: { Name: 'status' | 'resource-arn'; Values: string[] }[] = []) => {
    const { body } = await acme.ListGroupingStatuses({ body: { Group: 'shop', Filters: filters } })
    return body.GroupingStatuses.map(({ ResourceArn, Action, Status }) => `${Action} ${ResourceArn} ${Status}`)
  }
  return { world, acme, members, statuses, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() }
}

const tagged = (world: World, id: string, tags: Record<string, string>) => world.register({ id, tags })

test('a task synchronizes the members of a group with a tag', async () => {
  await using run = await setUp()
  const { world, acme, members, statuses } = run
  await tagged(world, '/r/a', { stage: 'live' })
  await tagged(world, '/r/b', { stage: 'test' })
  await tagged(world, '/r/by-hand', {})
  await acme.GroupResources({ body: { Group: 'shop', ResourceArns: ['/r/by-hand'] } })
  const { body: task } = await acme.StartTagSyncTask({ body: { Group: arn('shop'), ...stage } })
  expect(task).toEqual({
    GroupArn: arn('shop'),
    GroupName: 'shop',
    TaskArn: expect.stringMatching(
      /^arn:aws:resource-groups:us-east-1:\d{12}:group\/shop\/[\da-f-]{36}\/tag-sync-task\//,
    ),
    ...stage,
  })
  await world.app.jobs.drain()
  expect((await acme.ListGroupResources({ body: { Group: 'shop' } })).body.Resources, 'immediately').toHaveLength(2)
  expect(await members()).toEqual(['/r/a', '/r/by-hand'])

  await tagged(world, '/r/b', { stage: 'live' })
  await tagged(world, '/r/a', { stage: 'test' })
  expect(await members()).toEqual(['/r/b', '/r/by-hand'])
  expect(await statuses()).toEqual(['UNGROUP /r/a SUCCESS', 'GROUP /r/b SUCCESS', 'GROUP /r/by-hand SUCCESS'])
  expect(await statuses([{ Name: 'resource-arn', Values: ['/R/b'] }])).toEqual(['GROUP /r/b SUCCESS'])

  const read = await acme.GetTagSyncTask({ body: { TaskArn: task.TaskArn } })
  expect(read.body).toEqual({ ...task, Status: 'ACTIVE', CreatedAt: expect.any(Number) })
  await acme.CancelTagSyncTask({ body: { TaskArn: task.TaskArn } })
  await tagged(world, '/r/b', {})
  await tagged(world, '/r/c', { stage: 'live' })
  expect(await members(), 'no more changes').toEqual(['/r/b', '/r/by-hand'])
  await expect(acme.GetTagSyncTask({ body: { TaskArn: task.TaskArn } })).rejects.toMatchObject({ status: 404 })
})

test('the results of two tasks are combined, and a task may have a query', async () => {
  await using run = await setUp()
  const { world, acme, members } = run
  await world.register({ id: '/r/live', tags: { stage: 'live' } })
  await world.register({ id: '/r/web', tags: { team: 'web' }, type: 'Vendor.X/web' })
  await world.register({ id: '/r/both', tags: { stage: 'live', team: 'web' }, type: 'Vendor.X/web' })
  await acme.StartTagSyncTask({ body: { Group: 'shop', ...stage } })
  const ResourceQuery = byTags({ team: ['web'] }, ['Vendor.X/web'])
  await acme.StartTagSyncTask({ body: { Group: 'shop', ResourceQuery, RoleArn } })
  expect(await members()).toEqual(['/r/both', '/r/live', '/r/web'])
  await tagged(world, '/r/both', { team: 'web' })
  expect(await members(), 'the other task still matches it').toEqual(['/r/both', '/r/live', '/r/web'])

  const { body: first } = await acme.ListTagSyncTasks({ body: { MaxResults: 1 } })
  const { body: rest } = await acme.ListTagSyncTasks({ body: { MaxResults: 1, NextToken: `${first.NextToken}` } })
  const kinds = [...first.TagSyncTasks, ...rest.TagSyncTasks].map(({ TagKey = 'query' }) => TagKey)
  expect(kinds.sort()).toEqual(['query', 'stage'])
  expect(rest.NextToken).toBeUndefined()
  const other = await acme.ListTagSyncTasks({ body: { Filters: [{ GroupName: 'another' }] } })
  expect(other.body.TagSyncTasks).toEqual([])
})

test('only application groups have tasks, and a task has a tag or a query', async () => {
  await using run = await setUp()
  const { acme, world } = run
  await acme.CreateGroup({ body: { Name: 'tagged', ResourceQuery: byTags({ a: [] }) } })
  const bad = (message: RegExp) => refusal(400, 'BadRequestException', message)
  await expect(acme.StartTagSyncTask({ body: { Group: 'tagged', ...stage } })).rejects.toMatchObject(
    bad(/not an application group/),
  )
  const ResourceQuery = byTags({ a: [] })
  for (const criteria of [{ TagKey: 'a' }, { TagValue: 'a' }, {}, { TagKey: 'a', TagValue: 'b', ResourceQuery }])
    await expect(acme.StartTagSyncTask({ body: { Group: 'shop', RoleArn, ...criteria } })).rejects.toMatchObject(
      bad(/TagKey and TagValue, or a ResourceQuery/),
    )
  const limited = await world.caller('acme', ['resource-groups:*'])
  await expect(limited.StartTagSyncTask({ body: { Group: 'shop', ...stage } })).rejects.toMatchObject({ status: 403 })
  for (const TaskArn of [
    'nonsense',
    arn('shop'),
    `${arn('shop')}/x/tag-sync-task/00000000-0000-4000-8000-000000000000`,
  ])
    await expect(acme.CancelTagSyncTask({ body: { TaskArn } })).rejects.toMatchObject({ status: 400 })
})

test('refused and pending resources also have a status', async () => {
  await using run = await setUp()
  const { acme, world, statuses } = run
  await world.register({ id: '/r/a', type: 'Vendor.X/a' })
  await world.register({ id: '/r/b', type: 'Vendor.X/b' })
  await acme.GroupResources({ body: { Group: 'shop', ResourceArns: ['/r/nothing'] } })
  const Parameters = [{ Name: 'allowed-resource-types', Values: ['Vendor.X/a'] }]
  const Configuration = [...application, { Type: 'generic', Parameters }]
  await acme.PutGroupConfiguration({ body: { Group: 'shop', Configuration } })
  await acme.GroupResources({ body: { Group: 'shop', ResourceArns: ['/r/a', '/r/b'] } })
  expect(await statuses()).toEqual(['GROUP /r/a IN_PROGRESS', 'GROUP /r/b IN_PROGRESS', 'GROUP /r/nothing FAILED'])
  await world.app.jobs.drain()
  expect(await statuses()).toEqual(['GROUP /r/a SUCCESS', 'GROUP /r/b FAILED', 'GROUP /r/nothing FAILED'])
  expect(await statuses([{ Name: 'status', Values: ['SUCCESS'] }])).toEqual(['GROUP /r/a SUCCESS'])
})
