import { acceptedForMs, example, startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { sql } from '../db/db.ts'
import {
  createKey,
  createSigningSecret,
  credentials,
  developmentSigningId,
  listCredentials,
  replaceDevelopmentKey,
  revokeCredential,
} from './credentials.ts'
import { isInOperation, takeIntoOperation } from './operated.ts'
import { isPattern, permissionsOf } from './permissions.ts'

const ada = { tenant: 'ada', name: 'laptop', permissions: ['backup:*'] }

test('a key is known by its hash, belongs to a tenant, and stops working when it is revoked or expires', async () => {
  await using app = await startTestApp(example)
  const { database, clock, vault } = app.platform
  const check = credentials(database, clock, vault)
  const { id, key } = await createKey(database, clock, ada)

  expect(await check.byKey(key)).toMatchObject({ id, tenant: 'ada' })
  expect(check.byKey(key), 'from memory, without a promise').toMatchObject({ id })
  expect(await check.byKey(`${key}x`)).toBeUndefined()
  expect(await check.byKey('')).toBeUndefined()

  await revokeCredential(database, clock, id)
  expect(await acceptedForMs(async () => Boolean(await check.byKey(key)))).toBeLessThan(1_500)
  await expect(revokeCredential(database, clock, 'key_nobody')).rejects.toMatchObject({ kind: 'notFound' })

  const expiresAt = new Date(clock.now().getTime() + 60_000)
  const { key: short } = await createKey(database, clock, { ...ada, expiresAt })
  expect(await check.byKey(short)).toBeDefined()
  await app.clock.advance(61_000)
  expect(await check.byKey(short), 'by the clock, cached or not').toBeUndefined()
})

test('the database holds no key and no secret in the clear', async () => {
  await using app = await startTestApp(example)
  const { database, clock, vault } = app.platform
  const { key } = await createKey(database, clock, ada)
  const { id, secret } = await createSigningSecret(database, clock, vault, ada)
  const dump = JSON.stringify(
    await database.many(sql`select encode(key_hash, 'escape') as k,
    encode(signing_secret, 'escape') as s, c.* from icosa.credentials c`),
  )
  expect(dump).not.toContain(key)
  expect(dump).not.toContain(secret)
  expect(await credentials(database, clock, vault).bySigningId(id)).toMatchObject({ secret, caller: { tenant: 'ada' } })

  const listed = await listCredentials(database, 'ada')
  expect(listed.map(({ kind, permissions }) => ({ kind, permissions }))).toEqual([
    { kind: 'key', permissions: ['backup:*'] },
    { kind: 'signing', permissions: ['backup:*'] },
  ])
  expect(await listCredentials(database, 'bob')).toEqual([])
})

test('what cannot be a pattern or a tenant is refused', async () => {
  await using app = await startTestApp(example)
  const { database, clock } = app.platform
  await expect(createKey(database, clock, { ...ada, permissions: ['everything'] })).rejects.toMatchObject({
    kind: 'invalid',
  })
  await expect(createKey(database, clock, { ...ada, permissions: [] })).rejects.toMatchObject({ kind: 'invalid' })
  await expect(createKey(database, clock, { ...ada, tenant: 'a b' })).rejects.toMatchObject({ kind: 'invalid' })
})

test.each([
  [['*'], 'backup:ListPlans', true],
  [['backup:*'], 'backup:ListPlans', true],
  [['backup:List*'], 'backup:ListPlans', true],
  [['backup:List*'], 'backup:DeletePlan', false],
  [['backup:ListPlans'], 'backup:ListPlansOfOthers', false],
  [['back.p:*'], 'backup:ListPlans', false],
  [['sms:*', 'backup:GetPlan'], 'backup:GetPlan', true],
  [[], 'backup:GetPlan', false],
])('%j allows %s: %s', (patterns, permission, allowed) => {
  expect(permissionsOf(patterns)(permission)).toBe(allowed)
})

test.each(['(a+)+:x', 'a b:c', 'plain', ''])('%j is not a pattern', (text) => expect(isPattern(text)).toBe(false))

test('a key of development mode is taken by its own nodes alone, and only the last one is', async () => {
  await using app = await startTestApp(example)
  const { database, clock, vault } = app.platform
  const nodes = (development: boolean) => credentials(database, clock, vault, undefined, development)
  const install = (key: string) => database.transaction((db) => replaceDevelopmentKey(db, clock, vault, key))
  await install('for-this-machine')
  expect(await nodes(true).byKey('for-this-machine')).toMatchObject({ tenant: 'dev' })
  expect(await nodes(true).bySigningId(developmentSigningId)).toMatchObject({ secret: 'for-this-machine' })
  expect(await nodes(false).byKey('for-this-machine')).toBeUndefined()
  expect(await nodes(false).bySigningId(developmentSigningId)).toBeUndefined()

  await install('for-the-network')
  expect(await nodes(true).byKey('for-the-network')).toMatchObject({ tenant: 'dev' })
  expect(await nodes(true).byKey('for-this-machine'), 'everybody knows that one').toBeUndefined()
})

test('whoever comes first to a database, it is never both an operator’s and open to everybody', async () => {
  await using app = await startTestApp(example)
  const { database, clock, vault } = app.platform
  const developer = () =>
    database.transaction(async (db) => {
      if (await isInOperation(db)) return 'refused'
      await replaceDevelopmentKey(db, clock, vault, 'everybody-knows')
      return 'installed'
    })
  for (let round = 0; round < 20; round++) {
    await database.script('delete from icosa.operated; delete from icosa.credentials')
    await Promise.all([developer(), database.transaction(takeIntoOperation), developer()])
    expect(await listCredentials(database)).toEqual([])
    expect(await developer()).toBe('refused')
  }
})
