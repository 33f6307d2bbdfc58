import { expect, test } from 'vitest'
import { arn, byTags, refusal, startGroups } from '../testing/app.ts'

test('tags are added, read and removed, in the group and in the registry', async () => {
  await using world = await startGroups()
  const acme = await world.caller()
  await acme.CreateGroup({ body: { Name: 'Mine', Tags: { a: '1', b: '2' } } })
  const params = { Arn: arn('Mine') }

  const tagged = await acme.Tag({ params, body: { Tags: { b: '3', 'c d/é': '' } } })
  expect(tagged.body).toEqual({ Arn: arn('Mine'), Tags: { b: '3', 'c d/é': '' } })
  expect((await acme.GetTags({ params })).body).toEqual({ Arn: arn('Mine'), Tags: { a: '1', b: '3', 'c d/é': '' } })

  const find = async (filters: Parameters<typeof byTags>[0]) =>
    (await acme.SearchResources({ body: { ResourceQuery: byTags(filters) } })).body.ResourceIdentifiers.length
  expect(await find({ b: ['3'], 'c d/é': [''] }), 'a new tag matches immediately').toBe(1)
  expect(await find({ b: ['2'] })).toBe(0)

  const untagged = await acme.Untag({ params, body: { Keys: ['b', 'unknown'] } })
  expect(untagged.body).toEqual({ Arn: arn('Mine'), Keys: ['b', 'unknown'] })
  expect((await acme.GetTags({ params })).body.Tags).toEqual({ a: '1', 'c d/é': '' })
  expect(await find({ b: [] })).toBe(0)
})

test('tags have limits, reserved keys, and belong to their own tenant', async () => {
  await using world = await startGroups()
  const [acme, other] = [await world.caller(), await world.caller('other')]
  await acme.CreateGroup({ body: { Name: 'mine' } })
  const params = { Arn: arn('mine') }
  const tags = (count: number, from = 0) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index + from}`, 'v'.repeat(256)]))
  await acme.Tag({ params, body: { Tags: tags(50) } })
  await acme.Tag({ params, body: { Tags: tags(50) } })
  await expect(acme.Tag({ params, body: { Tags: tags(1, 50) } })).rejects.toMatchObject(
    refusal(400, 'BadRequestException', /51 tags; a group can have at most 50/),
  )
  for (const [key, value] of [
    ['AWS:x', ''],
    ['', ''],
    ['k', 'v'.repeat(257)],
    ['k', '\u0000'],
  ] as const)
    await expect(acme.Tag({ params, body: { Tags: { [key]: value } } })).rejects.toMatchObject({ status: 400 })
  expect(Object.keys((await acme.GetTags({ params })).body.Tags)).toHaveLength(50)

  for (const Arn of ['mine', 'arn:aws:s3:us-east-1:acme:bucket', 'arn:aws:resource-groups:us-east-1:acme:group/'])
    await expect(acme.GetTags({ params: { Arn } }), Arn).rejects.toMatchObject(
      refusal(
        400,
        'BadRequestException',
        /is not the ARN of a group, such as arn:aws:resource-groups:us-east-1:\d{12}:group/,
      ),
    )
  await expect(acme.GetTags({ params: { Arn: arn('none') } })).rejects.toMatchObject({ status: 404 })
  await expect(other.GetTags({ params })).rejects.toMatchObject({ status: 404 })
  await expect(other.Untag({ params, body: { Keys: ['k0'] } })).rejects.toMatchObject({ status: 404 })
})

test('the refusal of a tag operation names the missing permission', async () => {
  await using world = await startGroups()
  const [acme, reader] = [await world.caller(), await world.caller('acme', ['resource-groups:Get*'])]
  await acme.CreateGroup({ body: { Name: 'mine', Tags: { a: '1' } } })
  const params = { Arn: arn('mine') }
  await expect(reader.Tag({ params, body: { Tags: { a: '2' } } })).rejects.toMatchObject(
    refusal(403, 'ForbiddenException', /lacks the permission resource-groups:Tag\./),
  )
  expect((await reader.GetTags({ params })).body.Tags).toEqual({ a: '1' })
})
