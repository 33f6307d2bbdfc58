import { readFile } from 'node:fs/promises'
import { accountOf } from '@icosa/dialects/signed/arn'
import { sql } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { applicationGroup } from '../names.ts'
import { arn, startGroups, type World } from '../testing/app.ts'

const Configuration = [{ Type: applicationGroup }]
/** The form of ARNs before accounts had numbers. */
const oldArn = (name: string) => arn(name).replace(accountOf('acme'), 'acme')

/** Applies the migrations again, to rows in their old form. */
async function migrate({ app }: World): Promise<void> {
  const files: [string, string][] = [
    ['icosa', '../../../../packages/kernel/migrations/0013_account_numbers.sql'],
    ['resource_groups', '../../migrations/0002_account_numbers.sql'],
  ]
  for (const [schema, file] of files) {
    const text = await readFile(new URL(file, import.meta.url), 'utf8')
    const repeatable = text.replaceAll('create function', 'create or replace function')
    await app.platform.database.transaction((db) => db.script(`set local search_path to ${schema}; ${repeatable}`))
  }
}

test('an ARN has an account number of twelve digits, and the tenant name also works', async () => {
  await using world = await startGroups()
  const acme = await world.caller()
  const { body } = await acme.CreateGroup({ body: { Name: 'live', Tags: { a: 'b' }, Configuration } })
  const GroupArn = String(body.Group?.GroupArn)
  expect(GroupArn).toMatch(/^arn:aws:resource-groups:us-east-1:\d{12}:group\/live$/)
  for (const Arn of [GroupArn, oldArn('live')]) {
    expect((await acme.GetGroup({ body: { Group: Arn } })).body.Group).toMatchObject({ Name: 'live', GroupArn })
    expect((await acme.GetTags({ params: { Arn } })).body).toEqual({ Arn: GroupArn, Tags: { a: 'b' } })
  }
  const other = await world.caller('other')
  for (const Group of [GroupArn, oldArn('live')])
    await expect(other.GetGroup({ body: { Group } })).rejects.toMatchObject({ status: 404 })
})

test('migrations keep members and registered resources', async () => {
  await using world = await startGroups()
  const acme = await world.caller()
  const { database } = world.app.platform
  await acme.CreateGroup({ body: { Name: 'live', Configuration } })
  await acme.CreateGroup({ body: { Name: 'pool', Configuration } })
  await acme.GroupResources({ body: { Group: 'pool', ResourceArns: [arn('live')] } })
  const names = [accountOf('acme'), 'acme'] as const
  await database.run(
    sql`update icosa.resources set id = replace(id, ${names[0]}, ${names[1]}), key = replace(key, ${names[0]}, ${names[1]})`,
  )
  await database.run(
    sql`update resource_groups.members set resource_key = replace(resource_key, ${names[0]}, ${names[1]})`,
  )
  await migrate(world)

  const members = async () =>
    (await acme.ListGroupResources({ body: { Group: 'pool' } })).body.ResourceIdentifiers.map(
      ({ ResourceArn }) => ResourceArn,
    )
  expect(await members()).toEqual([arn('live')])
  const removal = await acme.UngroupResources({ body: { Group: 'pool', ResourceArns: [oldArn('live')] } })
  expect(removal.body).toMatchObject({ Succeeded: [arn('live')], Failed: [] })
  expect(await members()).toEqual([])
  await acme.DeleteGroup({ body: { Group: 'live' } })
  expect(await database.many(sql`select name from icosa.resources where tenant = 'acme'`)).toEqual([{ name: 'pool' }])
  for (const tenant of ['dev', 'Ärzte', 'a@b', '123456789012'])
    expect(await database.one(sql`select icosa.account_of(${tenant}) as account`)).toEqual({
      account: accountOf(tenant),
    })
})
