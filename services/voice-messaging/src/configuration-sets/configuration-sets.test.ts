import { sql } from '@icosa/kernel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, refusal, startVoice, type World } from '../testing/app.ts'

let world: World
let acme: Caller
beforeAll(async () => {
  world = await startVoice({ limits: { configurationSets: 12, eventDestinations: 10 } })
  acme = await world.caller()
})
afterAll(() => world[Symbol.asyncDispose]())

const create = (ConfigurationSetName: string, caller = acme) =>
  caller.CreateConfigurationSet({ body: { ConfigurationSetName } })
const remove = (ConfigurationSetName: string, caller = acme) =>
  caller.DeleteConfigurationSet({ params: { ConfigurationSetName } })

async function pages(caller: Caller, PageSize?: string): Promise<string[][]> {
  const lists: string[][] = []
  let NextToken: string | undefined
  do {
    const query = { ...(PageSize && { PageSize }), ...(NextToken && { NextToken }) }
    const { body } = await caller.ListConfigurationSets({ query })
    lists.push(body.ConfigurationSets)
    NextToken = body.NextToken
  } while (NextToken !== undefined)
  return lists
}

test('sets are created once, listed in pages and deleted', async () => {
  const names = ['b', 'a', 'Z_1', 'a-b', '0']
  for (const name of names) expect(await create(name)).toMatchObject({ status: 200, body: {} })
  await expect(create('a')).rejects.toMatchObject(refusal(409, 'AlreadyExistsException', /'a' already/))
  expect(await pages(acme)).toEqual([['0', 'Z_1', 'a', 'a-b', 'b']])
  expect(await pages(acme, '2')).toEqual([['0', 'Z_1'], ['a', 'a-b'], ['b']])
  expect(await remove('a')).toMatchObject({ status: 200, body: {} })
  await expect(remove('a')).rejects.toMatchObject(refusal(404, 'NotFoundException', /'a' was not found/))
  expect(await pages(acme, '1000')).toEqual([['0', 'Z_1', 'a-b', 'b']])
})

test('sets are in the registry until they are deleted', async () => {
  const entries = () =>
    world.app.platform.database.many(
      sql`select type, name from icosa.resources where id like ${'%configuration-set/listed'}`,
    )
  await create('listed')
  expect(await entries()).toEqual([{ type: 'AWS::SMSVOICE::ConfigurationSet', name: 'listed' }])
  await remove('listed')
  expect(await entries()).toEqual([])
})

test.each(['', 'a b', 'ä', 'a/b', 'a\u0000', 'x'.repeat(65)])('%j is not a valid name', async (name) => {
  await expect(create(name)).rejects.toMatchObject(refusal(400, 'BadRequestException', /ConfigurationSetName/))
})

test('missing and unknown names are refused', async () => {
  await expect(acme.CreateConfigurationSet({ body: {} })).rejects.toMatchObject(
    refusal(400, 'BadRequestException', /body\/ConfigurationSetName is required/),
  )
  for (const name of ['no\u0000body', '../x', 'x'.repeat(200)])
    await expect(remove(name)).rejects.toMatchObject(refusal(404, 'NotFoundException'))
})

test.each([
  [{ PageSize: '0' }, /query\/PageSize must be from 1 to 1000/],
  [{ PageSize: '1001' }, /query\/PageSize must be from 1 to 1000/],
  [{ PageSize: 'ten' }, /query\/PageSize/],
  [{ PageSize: '-1' }, /query\/PageSize/],
  [{ NextToken: 'invented' }, /not a token of this list/],
])('a list with %j is refused', async (query, message) => {
  await expect(acme.ListConfigurationSets({ query })).rejects.toMatchObject(
    refusal(400, 'BadRequestException', message),
  )
})

test('tenants cannot list, delete or page through sets of others', async () => {
  const other = await world.caller('other')
  await create('mine')
  await create('shared-name')
  await create('shared-name', other)
  await expect(remove('mine', other)).rejects.toMatchObject(refusal(404, 'NotFoundException'))
  expect((await pages(other)).flat()).toEqual(['shared-name'])
  await remove('shared-name', other)
  expect((await pages(acme)).flat()).toContain('shared-name')
  const { body } = await acme.ListConfigurationSets({ query: { PageSize: '1' } })
  const query = { NextToken: body.NextToken ?? '' }
  await expect(other.ListConfigurationSets({ query })).rejects.toMatchObject(refusal(400, 'BadRequestException'))
})

test('concurrent requests cannot exceed the limit', async () => {
  const many = await world.caller('many')
  const results = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => create(`set-${index}`, many)))
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(refused).toHaveLength(8)
  for (const reason of refused)
    expect(reason).toMatchObject(refusal(412, 'LimitExceededException', /12 configuration sets/))
  expect((await pages(many)).flat()).toHaveLength(12)
})

test('a credential needs the permission of the operation', async () => {
  const reader = await world.caller('acme', ['voice-messaging:ListConfigurationSets'])
  expect((await reader.ListConfigurationSets({})).status).toBe(200)
  await expect(create('no', reader)).rejects.toMatchObject(
    refusal(403, 'AccessDeniedException', /voice-messaging:CreateConfigurationSet/),
  )
})
