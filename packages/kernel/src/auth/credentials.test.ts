import { hash } from 'node:crypto'
import { acceptedForMs, example, startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import type { Caller } from '../context.ts'
import { sql } from '../db/db.ts'
import {
  createKey,
  createSigningSecret,
  credentialById,
  credentials,
  developmentKeyId,
  developmentSigningId,
  listCredentials,
  replaceDevelopmentKey,
  revokeCredential,
} from './credentials.ts'
import { isInOperation, takeIntoOperation } from './operated.ts'
import { isPattern, permissionsOf } from './permissions.ts'

const ada = { tenant: 'ada', name: 'laptop', permissions: ['backup:*'] }

test('a key is stored as its hash, belongs to a tenant, and is refused once revoked or expired', async () => {
  await using app = await startTestApp(example)
  const { database, clock, cellVault } = app.platform
  const check = credentials(database, clock, cellVault)
  const { id, key } = await createKey(database, clock, ada)

  expect(await check.byKey(key)).toMatchObject({ id, tenant: 'ada' })
  expect(check.byKey(key), 'cached, without a promise').toMatchObject({ id })
  expect(await check.byKey(`${key}x`)).toBeUndefined()
  expect(await check.byKey('')).toBeUndefined()

  await revokeCredential(database, clock, id)
  expect(await acceptedForMs(async () => Boolean(await check.byKey(key)))).toBeLessThan(1_500)
  await expect(revokeCredential(database, clock, 'key_nobody')).rejects.toMatchObject({
    kind: 'notFound',
    message: expect.stringMatching(/credential.*key_nobody/),
  })

  const expiresAt = new Date(clock.now().getTime() + 60_000)
  const { key: short } = await createKey(database, clock, { ...ada, expiresAt })
  expect(await check.byKey(short)).toBeDefined()
  await app.clock.advance(61_000)
  expect(await check.byKey(short), 'expired by the clock, cached or not').toBeUndefined()
})

test('the database contains no key or secret in plaintext', async () => {
  await using app = await startTestApp(example)
  const { database, clock, cellVault } = app.platform
  const { key } = await createKey(database, clock, ada)
  const { id, secret } = await createSigningSecret(database, clock, cellVault, ada)
  const dump = JSON.stringify(
    await database.many(sql`select encode(key_hash, 'escape') as k,
    encode(signing_secret, 'escape') as s, c.* from icosa.credentials c`),
  )
  expect(dump).not.toContain(key)
  expect(dump).not.toContain(secret)
  expect(await credentials(database, clock, cellVault).bySigningId(id)).toMatchObject({
    secret,
    caller: { tenant: 'ada' },
  })

  const listed = await listCredentials(database, 'ada')
  expect(listed.map(({ kind, permissions }) => ({ kind, permissions }))).toEqual([
    { kind: 'key', permissions: ['backup:*'] },
    { kind: 'signing', permissions: ['backup:*'] },
  ])
  expect(await listCredentials(database, 'bob')).toEqual([])
})

test('a credential is valid until the instant it expires, and only by its own id', async () => {
  await using app = await startTestApp(example)
  const { database, clock, cellVault } = app.platform
  await app.clock.move({ frozen: true })
  const expiresAt = new Date(clock.now().getTime() + 60_000)
  const short = await createKey(database, clock, { ...ada, expiresAt })
  const lasting = await createKey(database, clock, { tenant: 'bob', name: 'robot', permissions: ['*'] })
  const check = credentials(database, clock, cellVault)
  const byId = (id: string) => credentialById(database, clock, id)
  expect(await byId(short.id)).toEqual(ada)
  expect(await byId('key_nobody')).toBeUndefined()
  await app.clock.advance(59_999)
  expect(await byId(short.id)).toBeDefined()
  expect(await check.byKey(short.key)).toMatchObject({ id: short.id, expiresAt })
  await app.clock.advance(1)
  expect(await byId(short.id)).toBeUndefined()
  expect(await check.byKey(short.key)).toBeUndefined()
  expect(await byId(lasting.id)).toEqual({ tenant: 'bob', name: 'robot', permissions: ['*'] })
  expect(await check.bySigningId(lasting.id), 'a key cannot sign').toBeUndefined()

  expect(await revokeCredential(database, clock, lasting.id)).toBe('bob')
  expect(await byId(lasting.id)).toBeUndefined()
  const revokedAt = clock.now()
  await app.clock.advance(1_000)
  await revokeCredential(database, clock, lasting.id)
  const listed = await listCredentials(database)
  expect(listed.map((one) => [one.tenant, one.expiresAt, one.revokedAt])).toEqual([
    ['ada', expiresAt, null],
    ['bob', null, revokedAt],
  ])
  expect(await listCredentials(database, 'bob')).toMatchObject([{ id: lasting.id, name: 'robot' }])
})

test('a temporary secret has a session token, stored as its hash; a permanent one has none', async () => {
  await using app = await startTestApp(example)
  const { database, clock, cellVault } = app.platform
  const check = credentials(database, clock, cellVault)
  const lasting = await createSigningSecret(database, clock, cellVault, ada)
  expect(lasting.id).toMatch(/^AKI[A-Z2-9]{12}[0-9A-F]{10}$/)
  expect(lasting).not.toHaveProperty('sessionToken')
  expect(await check.bySigningId(lasting.id)).toMatchObject({ sessionTokenHash: undefined, expiresAt: null })
  const {
    id,
    secret,
    sessionToken = '',
  } = await createSigningSecret(database, clock, cellVault, { ...ada, session: true })
  expect(id).toMatch(/^ASI[A-Z2-9]{12}[0-9A-F]{10}$/)
  expect([secret.length, sessionToken.length]).toEqual([40, 64])
  expect(await check.bySigningId(id)).toMatchObject({ sessionTokenHash: hash('sha256', sessionToken, 'buffer') })
  expect((await createKey(database, clock, ada)).key).toMatch(/^icosa_[a-z2-9]{12}_[\w-]{43}$/)
})

test('tokens are accepted or refused by the token verifier', () => {
  const verify = (token: string) => (token === 'good' ? ({ id: 'person' } as Caller) : undefined)
  const check = credentials(undefined as never, undefined as never, undefined as never, { verify })
  expect([check.byToken('good'), check.byToken('bad')]).toEqual([{ id: 'person' }, undefined])
  expect(credentials(undefined as never, undefined as never, undefined as never).byToken('good')).toBeUndefined()
})

test('invalid patterns and tenant names are refused', async () => {
  await using app = await startTestApp(example)
  const { database, clock } = app.platform
  await expect(createKey(database, clock, { ...ada, permissions: ['everything'] })).rejects.toMatchObject({
    kind: 'invalid',
  })
  await expect(createKey(database, clock, { ...ada, permissions: [] })).rejects.toMatchObject({ kind: 'invalid' })
  for (const tenant of ['a b', '', ' ada', 'ada ', 'a'.repeat(101)])
    await expect(createKey(database, clock, { ...ada, tenant }), tenant).rejects.toMatchObject({
      kind: 'invalid',
      details: [{ at: 'tenant' }],
    })
  const mixed = { ...ada, permissions: ['*', 'everything'] }
  await expect(createKey(database, clock, mixed)).rejects.toMatchObject({ details: [{ at: 'permissions' }] })
  expect(await listCredentials(database)).toEqual([])
  await createKey(database, clock, { ...ada, tenant: 'a'.repeat(100) })
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
  [['ackup:*'], 'backup:GetPlan', false],
  [['backup:Get'], 'backup:GetPlan', false],
  [['a.b:*'], 'a.b:GetPlan', true],
  [['*', '*:*', 'operator*'], 'operator:listTenants', false],
  [['operator:*'], 'operator:listTenants', true],
  [['operator:list*'], 'operator:listTenants', true],
  [['operator:list*'], 'operator:removeTenant', false],
  [['operator:*'], 'backup:GetPlan', false],
  [['*'], 'operators:GetPlan', true],
  [['*:GetPlan'], 'backup:GetPlan', true],
  [['*:*Plan'], 'backup:GetPlan', true],
])('%j allows %s: %s', (patterns, permission, allowed) => {
  expect(permissionsOf(patterns)(permission)).toBe(allowed)
})

test.each(['(a+)+:x', 'a b:c', 'plain', '', '**', 'a:b c', 'x a:b', `${'a'.repeat(199)}:b`])(
  '%j is not a pattern',
  (text) => expect(isPattern(text)).toBe(false),
)
test.each(['*', 'a:b', 'a.b-c_d:*', `${'a'.repeat(198)}:b`])('%j is a pattern', (text) =>
  expect(isPattern(text)).toBe(true),
)
test('repeated permission checks have the same result', () => {
  const allows = permissionsOf(['backup:*'])
  const names = ['backup:GetPlan', 'sms:Send', 'backup:GetPlan', 'sms:Send']
  expect(names.map(allows)).toEqual([true, false, true, false])
})

test('only development nodes accept a key of development mode, and only the latest one', async () => {
  await using app = await startTestApp(example)
  const { database, clock, cellVault } = app.platform
  const nodes = (development: boolean) => credentials(database, clock, cellVault, undefined, development)
  const install = (key: string) => database.transaction((db) => replaceDevelopmentKey(db, clock, cellVault, key))
  await install('for-this-machine')
  expect(await nodes(true).byKey('for-this-machine')).toMatchObject({ tenant: 'dev' })
  expect(await nodes(true).bySigningId(developmentSigningId)).toMatchObject({ secret: 'for-this-machine' })
  expect(await nodes(false).byKey('for-this-machine')).toBeUndefined()
  expect(await credentials(database, clock, cellVault).byKey('for-this-machine'), 'unless asked to').toBeUndefined()
  expect(await nodes(false).bySigningId(developmentSigningId)).toBeUndefined()

  await install('for-the-network')
  expect(await nodes(true).byKey('for-the-network')).toMatchObject({ tenant: 'dev' })
  expect(await nodes(true).byKey('for-this-machine'), 'the public key was replaced').toBeUndefined()
})

test('a database is never both in operation and open by the development key, whichever comes first', async () => {
  await using app = await startTestApp(example)
  const { database, clock, cellVault } = app.platform
  const developer = () =>
    database.transaction(async (db) => {
      if (await isInOperation(db)) return 'refused'
      await replaceDevelopmentKey(db, clock, cellVault, 'everybody-knows')
      return 'installed'
    })
  for (let round = 0; round < 20; round++) {
    await database.script('delete from icosa.operated; delete from icosa.credentials')
    await Promise.all([developer(), database.transaction(takeIntoOperation), developer()])
    expect(await listCredentials(database)).toEqual([])
    expect(await developer()).toBe('refused')
  }
})

test('an unmarked database is in operation if it has credentials but none of development mode', async () => {
  await using app = await startTestApp(example)
  const { database, clock, cellVault } = app.platform
  const isOperated = () => database.transaction(isInOperation)
  await database.script('delete from icosa.operated; delete from icosa.credentials')
  expect(await isOperated()).toBe(false)
  await database.transaction(takeIntoOperation)
  await database.transaction(takeIntoOperation)
  expect(await isOperated()).toBe(true)

  await database.script('drop table icosa.operated')
  expect(await isOperated(), 'an unused database').toBe(false)
  const { id } = await createKey(database, clock, ada)
  expect(await isOperated()).toBe(true)
  await database.transaction((db) => replaceDevelopmentKey(db, clock, cellVault, 'everybody-knows'))
  expect(await isOperated()).toBe(false)
  await database.run(sql`delete from icosa.credentials where id = ${id}`)
  expect((await listCredentials(database)).map((credential) => credential.id).sort()).toEqual(
    [developmentKeyId, developmentSigningId].sort(),
  )
  expect(await isOperated()).toBe(false)
  await database.script('drop table icosa.credentials cascade')
  expect(await isOperated(), 'an unmigrated database').toBe(false)
})

test('taking a database into operation revokes the credentials of development mode', async () => {
  await using app = await startTestApp(example)
  const { database, clock, cellVault } = app.platform
  await database.script('delete from icosa.operated; delete from icosa.revocations')
  const { id } = await createKey(database, clock, ada)
  await database.transaction((db) => replaceDevelopmentKey(db, clock, cellVault, 'everybody-knows'))
  await database.transaction(takeIntoOperation)
  expect((await listCredentials(database, 'dev')).map((credential) => credential.id)).toEqual([])
  expect((await listCredentials(database, 'ada')).map((credential) => credential.id)).toEqual([id])
  expect(await database.many(sql`select subject from icosa.revocations order by subject`)).toEqual([
    { subject: developmentSigningId },
    { subject: developmentKeyId },
  ])
})
