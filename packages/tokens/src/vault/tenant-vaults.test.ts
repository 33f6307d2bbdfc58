import { type Database, openDatabase, prepareDatabase, sql } from '@icosa/kernel'
import { createTestDatabase } from '@icosa/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as tenantKeys from './tenant-keys.ts'
import { type OpenedVault, openVault } from './vault.ts'

let database: Database
let close: () => Promise<void>

beforeAll(async () => {
  const testDatabase = await createTestDatabase([])
  database = openDatabase({ url: testDatabase.url, maxConnections: 4, onError: () => {} })
  await prepareDatabase(database, [])
  close = async () => {
    await database.close()
    await testDatabase[Symbol.asyncDispose]()
  }
})
beforeEach(() => database.script('truncate icosa.tenant_keys'))
afterAll(() => close())

const node = (): Promise<OpenedVault> => openVault(database, { masterKeys: [Buffer.alloc(32, 1)], sealed: () => [] })

const rows = () =>
  database.many<{ tenant: string; purpose: string }>(sql`select tenant, purpose from icosa.tenant_keys`)

test('a secret opens on every node, but neither in the row of another tenant nor with the keys of the cell', async () => {
  const [first, second] = [await node(), await node()]
  const [ada, bob] = [await first.of('ada'), await first.of('bob')]
  const sealed = ada.seal('secret', 'row')
  expect((await second.of('ada')).open(sealed, 'row')).toBe('secret')
  expect(() => ada.open(sealed, 'other row')).toThrow()
  for (const other of [bob, await second.of('bob'), second]) expect(() => other.open(sealed, 'row')).toThrow()
})

test('a secret of a deleted tenant cannot be opened with all keys of the cell, nor once its name is taken again', async () => {
  const sealed = (await (await node()).of('ada')).seal('secret', 'row')
  await database.run(sql`delete from icosa.tenant_keys where tenant = 'ada'`)
  const vault = await node()
  expect(() => vault.open(sealed, 'row')).toThrow()
  const next = await vault.of('ada')
  expect(() => next.open(sealed, 'row')).toThrow()
  expect(next.derive('feeds')).not.toEqual(vault.derive('feeds'))
})

test('a key of one tenant does not open as the key of another', async () => {
  const vault = await node()
  await vault.of('ada')
  await database.run(sql`update icosa.tenant_keys set tenant = 'eve'`)
  await expect((await node()).of('eve')).rejects.toThrow()
})

test('nodes that meet a new tenant concurrently give it one set of keys', async () => {
  const nodes = await Promise.all(Array.from({ length: 6 }, node))
  const vaults = await Promise.all(nodes.map((vault) => vault.of('ada')))
  const sealed = vaults.map((vault) => vault.seal('secret', 'row'))
  for (const vault of vaults) for (const text of sealed) expect(vault.open(text, 'row')).toBe('secret')
  expect(new Set(vaults.map((vault) => vault.derive('feeds').toString('hex'))).size).toBe(1)
  expect(await rows()).toHaveLength(2)
})

test('keys from a transaction that is rolled back are not used, nor seen by others before it commits', async () => {
  const vault = await node()
  const rolledBack = database.transaction(async (db) => {
    const inside = await vault.of('ada', db)
    expect((await vault.of('ada', db)).open(inside.seal('secret', 'row'), 'row')).toBe('secret')
    expect(await rows()).toEqual([])
    throw new Error('rolled back')
  })
  await expect(rolledBack).rejects.toThrow('rolled back')
  expect(await rows()).toEqual([])
  const sealed = (await vault.of('ada')).seal('secret', 'row')
  expect((await (await node()).of('ada')).open(sealed, 'row')).toBe('secret')
})

test('an address that names no tenant creates no keys', async () => {
  const vault = await node()
  expect((await vault.find('nobody')).derive('feeds')).toEqual(vault.derive('feeds'))
  expect(await rows()).toEqual([])
  for (const reserved of ['', '*']) await expect(vault.of(reserved)).rejects.toThrow('is not a tenant')
})

test('before all nodes are upgraded, the cell seals for tenants, and what it has derived for them stays', async () => {
  await database.script('delete from icosa.tenant_key_use')
  try {
    const earlier = await node()
    const sealed = (await earlier.of('ada')).seal('secret', 'row')
    expect(earlier.open(sealed, 'row'), 'as nodes of earlier versions do').toBe('secret')
    expect(await rows()).toEqual([])
    await database.transaction(async (db) => {
      expect(await tenantKeys.begin(db, 0)).toBe(true)
      await tenantKeys.inherit(db, ['ada'])
      await tenantKeys.inherit(db, ['ada'])
    })
    const later = await node()
    const ada = await later.of('ada')
    expect(ada.open(sealed, 'row')).toBe('secret')
    expect(() => later.open(ada.seal('secret', 'row'), 'row')).toThrow()
    expect(ada.derive('feeds')).toEqual(earlier.derive('feeds'))
    expect((await later.of('bob')).derive('feeds')).not.toEqual(earlier.derive('feeds'))
  } finally {
    await database.run(sql`insert into icosa.tenant_key_use (since) values (now()) on conflict do nothing`)
  }
})

test('a database with tenants waits for the operator, since older nodes may be running; a new one does not', async () => {
  expect(await tenantKeys.hasBegun(database)).toBe(true)
  await database.script(`drop table icosa.tenant_keys, icosa.tenant_key_use;
    delete from icosa.migrations where name like '0022_tenant_keys%';
    insert into icosa.tenants values ('ada', now())`)
  await prepareDatabase(database, [])
  expect(await tenantKeys.hasBegun(database)).toBe(false)
})
