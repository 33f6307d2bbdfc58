import { type Database, openDatabase, sql } from '@icosa/kernel'
import { createTestDatabase } from '@icosa/testing'
import { openVault, tenantKeys } from '@icosa/tokens'
import { expect, test } from 'vitest'
import { fresh, old, openSecrets, type Secrets } from '../testing/secrets.ts'
import { carryTenantKeys } from './carry.ts'
import { type Rekeying, rekeyAll, rekeyTenant, sealUnderOwnKey } from './tenant-keys.ts'

/** Does not wait for nodes. Vaults cache keys: each step opens a new one. */
const rekeyingOf = async ({ database, sealed, open }: Secrets): Promise<Rekeying> => ({
  ...{ database, sealed, vault: await open(old), learnMs: 0 },
  ...{ onProgress: () => {}, onRemark: () => {} },
})

const keyIds = async (database: Database, tenant: string) =>
  (
    await database.many<{ id: string }>(sql`
    select distinct encode(substring(signing_secret from 1 for 4), 'hex') as id from icosa.credentials
    where tenant = ${tenant} order by 1`)
  ).map(({ id }) => id)

const ownIds = async (database: Database, tenant: string) =>
  (await tenantKeys.read(database, tenant)).filter(({ purpose }) => purpose === 'seal').map(({ id }) => id)

/** Adds credentials of another tenant, as copies with a context of their own. */
async function addOthers({ database, open }: Secrets, tenant: string, count: number): Promise<void> {
  const vault = await (await open(old)).of(tenant)
  await database.run(sql`insert into icosa.tenants values (${tenant}, now()) on conflict do nothing`)
  const ids = Array.from({ length: count }, (_, n) => `${tenant}-${n}`)
  const secrets = ids.map((id) => vault.seal(`secret of ${id}`, id))
  await database.run(sql`
    insert into icosa.credentials (id, tenant, name, signing_secret, permissions, created_at)
    select id, ${tenant}, '', secret, '{*}', now() from unnest(${ids}::text[], ${secrets}::bytea[]) as made (id, secret)`)
}

async function readOf({ database, open }: Secrets, tenant: string): Promise<Map<string, string>> {
  const vault = await (await open(old)).of(tenant)
  const rows = await database.many<{ id: string; sealed: Buffer }>(sql`
    select id, signing_secret as sealed from icosa.credentials where tenant = ${tenant} order by id`)
  return new Map(rows.map(({ id, sealed }) => [id, vault.open(sealed, id)]))
}

test('a rekeyed tenant has all its secrets under the new key, from whatever key before; others keep theirs', async () => {
  await using secrets = await openSecrets()
  const { database } = secrets
  await secrets.add(await secrets.open(old), 300) // under the key of the cell, as before
  await addOthers(secrets, 'bob', 300)
  const [adas, bobs, bobsKeys] = [
    await readOf(secrets, 'ada'),
    await readOf(secrets, 'bob'),
    await keyIds(database, 'bob'),
  ]
  const ids: string[] = []
  for (let round = 0; round < 2; round++) {
    expect(await rekeyTenant(await rekeyingOf(secrets), 'ada')).toEqual({ left: 0, unopened: [] })
    const [only, ...others] = await keyIds(database, 'ada')
    expect(others).toEqual([])
    expect(only).toBe((await ownIds(database, 'ada')).at(-1))
    ids.push(only as string)
  }
  expect(new Set(ids).size).toBe(2)
  expect(await readOf(secrets, 'ada')).toEqual(adas)
  expect([await readOf(secrets, 'bob'), await keyIds(database, 'bob')]).toEqual([bobs, bobsKeys])
})

test('a secret swapped into the row of another tenant is reported, and left unchanged', async () => {
  await using secrets = await openSecrets()
  await addOthers(secrets, 'ada', 2)
  await addOthers(secrets, 'bob', 2)
  await secrets.database.script(`update icosa.credentials as c set signing_secret = o.signing_secret
    from icosa.credentials as o where c.id = 'ada-0' and o.id = 'bob-0'`)
  const { left, unopened } = await rekeyTenant(await rekeyingOf(secrets), 'ada')
  expect({ left, unopened }).toEqual({
    left: 0,
    unopened: [{ column: 'icosa.credentials.signing_secret', context: 'ada-0' }],
  })
})

test('a rekeying that is interrupted loses nothing, and is completed by another', async () => {
  await using secrets = await openSecrets()
  const { database } = secrets
  await addOthers(secrets, 'ada', 2_000)
  const before = await readOf(secrets, 'ada')
  const rekeying = await rekeyingOf(secrets)
  const onProgress = () => {
    throw new Error('killed')
  }
  await expect(rekeyTenant({ ...rekeying, onProgress }, 'ada')).rejects.toThrow('killed')
  expect((await keyIds(database, 'ada')).length, 'under two keys').toBe(2)
  expect(await readOf(secrets, 'ada')).toEqual(before)
  expect(await sealUnderOwnKey(await rekeyingOf(secrets), 'ada')).toEqual({ left: 0, unopened: [] })
  expect(await keyIds(database, 'ada')).toEqual([(await ownIds(database, 'ada')).at(-1)])
  expect(await readOf(secrets, 'ada')).toEqual(before)
})

test('after an upgrade, all tenants get keys; derived keys stay, and a rotation of the master key only rewraps', async () => {
  await using secrets = await openSecrets()
  const { database } = secrets
  await database.script('delete from icosa.tenant_key_use')
  await secrets.add(await secrets.open(old), 50)
  const before = await secrets.read(await secrets.open(old))
  const derived = (await secrets.open(old)).derive('feeds')
  await database.run(sql`insert into icosa.tenants values ('eve', now())`)
  await database.run(sql`update icosa.credentials set tenant = 'eve' where id = 'AKI1'`)
  for (let round = 0; round < 2; round++)
    expect(await rekeyAll(await rekeyingOf(secrets))).toEqual({ left: 0, unopened: [] })
  for (const tenant of ['ada', 'eve']) {
    expect(await keyIds(database, tenant)).toEqual(await ownIds(database, tenant))
    expect((await (await secrets.open(old)).of(tenant)).derive('feeds')).toEqual(derived)
  }
  expect((await (await secrets.open(old)).of('new')).derive('feeds')).not.toEqual(derived)
  const done: string[] = []
  const onProgress = ({ column }: { column: string }) => done.push(column)
  expect(await secrets.rotate([fresh, old], { onProgress })).toMatchObject({ left: 0, unopened: [] })
  expect(new Set(done)).toEqual(new Set(['icosa.tenant_keys.sealed']))
  const after = await secrets.open(fresh)
  const rows = await database.many<{ id: string; tenant: string; sealed: Buffer }>(sql`
    select id, tenant, signing_secret as sealed from icosa.credentials`)
  for (const { id, tenant, sealed } of rows) expect((await after.of(tenant)).open(sealed, id)).toBe(before.get(id))
})

test('a rotation after theft gives every tenant new keys, once', async () => {
  await using secrets = await openSecrets()
  const { database } = secrets
  await addOthers(secrets, 'ada', 5)
  await addOthers(secrets, 'bob', 5)
  const before = (await (await secrets.open(old)).of('ada')).derive('feeds')
  expect(await secrets.rotate([fresh, old], { isStolen: true })).toMatchObject({ left: 0 })
  await secrets.rotate([fresh], { isStolen: true })
  for (const tenant of ['ada', 'bob']) {
    const ids = await ownIds(database, tenant)
    expect(ids).toHaveLength(2)
    expect(await keyIds(database, tenant)).toEqual([ids[1]])
  }
  expect((await (await secrets.open(fresh)).of('ada')).derive('feeds')).not.toEqual(before)
})

test('keys carried to another cell open and derive the same there, and back, but not those of other tenants', async () => {
  await using source = await openSecrets()
  await using testDatabase = await createTestDatabase([])
  await using database = Object.assign(openDatabase({ url: testDatabase.url, maxConnections: 2, onError: () => {} }), {
    async [Symbol.asyncDispose](this: Database) {
      await this.close()
    },
  })
  const openTarget = () => openVault(database, { masterKeys: [fresh], sealed: () => source.sealed })
  const sites = async () =>
    [
      { database: source.database, vault: await source.open(old) },
      { database, vault: await openTarget() },
    ] as const
  const carried = { tenant: 'ada', sealed: source.sealed, derives: ['feeds'] }

  await source.database.transaction((db) => tenantKeys.inherit(db, ['ada'])) // a tenant from before
  await source.add(await source.open(old), 3)
  await expect(carryTenantKeys(...(await sites()), carried)).rejects.toThrow('run `icosa tenants rekey ada`')
  await sealUnderOwnKey(await rekeyingOf(source), 'ada')
  await addOthers(source, 'bob', 1)
  for (let round = 0; round < 2; round++) await carryTenantKeys(...(await sites()), carried)
  const [home, away] = [await source.open(old), await openTarget()]
  const [before, after] = [await home.of('ada'), await away.of('ada')]
  expect(after.derive('feeds')).toEqual(before.derive('feeds'))
  expect(() => after.derive('undeclared')).toThrow('list it in `derives`')
  const rows = await source.database.many<{ id: string; tenant: string; sealed: Buffer }>(sql`
    select id, tenant, signing_secret as sealed from icosa.credentials order by tenant`)
  for (const { id, tenant, sealed } of rows)
    if (tenant === 'ada') expect(after.open(sealed, id)).toBe(before.open(sealed, id))
    else for (const keys of [after, away, await away.of(tenant)]) expect(() => keys.open(sealed, id)).toThrow()
  expect(await tenantKeys.read(database, 'ada')).toHaveLength((await tenantKeys.read(source.database, 'ada')).length)

  await rekeyTenant({ ...(await rekeyingOf(source)), database, vault: await openTarget() }, 'ada', true)
  const moved = await (await openTarget()).of('ada')
  const [there, here] = await sites()
  await carryTenantKeys(here, there, carried)
  const back = await (await source.open(old)).of('ada')
  expect(back.open(moved.seal('secret', 'row'), 'row')).toBe('secret')
  expect(back.derive('feeds')).toEqual(moved.derive('feeds'))
  expect(back.derive('feeds')).not.toEqual(before.derive('feeds'))
  await database.script('delete from icosa.tenant_key_use')
  await expect(carryTenantKeys(...(await sites()), carried)).rejects.toThrow('icosa tenants rekey --all')
})
