import { createHmac } from 'node:crypto'
import {
  createSigningSecret,
  type Database,
  openDatabase,
  prepareDatabase,
  sealedColumnsOf,
  sql,
  systemClock,
  type Vault,
} from '@icosa/kernel'
import { createTestDatabase, startTestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keyOf, seal } from './cipher.ts'
import * as dataKeys from './data-keys.ts'
import { masterKeyVault, openVault } from './vault.ts'

const [old, fresh, wrong] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2), Buffer.alloc(32, 3)]
const ada = { tenant: 'ada', name: '', permissions: ['*'] }
let close: () => Promise<void>
let empty: () => Promise<Database>

beforeAll(async () => {
  const resources: AsyncDisposable[] = []
  empty = async () => {
    const testDatabase = await createTestDatabase([])
    const database = openDatabase({ url: testDatabase.url, maxConnections: 4, onError: () => {} })
    resources.push(testDatabase, { [Symbol.asyncDispose]: () => database.close() })
    return database
  }
  close = async () => {
    for (const resource of resources.reverse()) await resource[Symbol.asyncDispose]()
  }
})
afterAll(() => close())

const open = (database: Database, ...masterKeys: Uint8Array[]) =>
  openVault(database, { masterKeys, sealed: () => sealedColumnsOf([]) })

const vaultOf = (masterKeys: readonly Uint8Array[]) => masterKeyVault({ masterKeys, sealed: () => sealedColumnsOf([]) })

/** A database from before data keys, with a secret sealed by each of these master keys. */
async function older(...masterKeys: Uint8Array[]): Promise<Database> {
  const database = await empty()
  for (const key of masterKeys.map(keyOf)) {
    const keys = { seal: (secret: string, context: string) => seal(key, secret, context) } as Vault
    const oldVault = { ...keys, of: async () => keys, find: async () => keys }
    await createSigningSecret(database, systemClock, oldVault, ada)
  }
  await database.script(`drop table icosa.data_keys, icosa.data_key_origin;
    delete from icosa.migrations where name = '0010_data_keys.sql'`)
  await prepareDatabase(database, [])
  return database
}

test('a ciphertext opens only in its context, and only unmodified', async () => {
  const vault = await open(await empty(), old)
  const sealed = vault.seal('secret', 'row 1')
  expect(vault.open(sealed, 'row 1')).toBe('secret')
  expect(() => vault.open(sealed, 'row 2')).toThrow()
  for (const at of [4, 16, sealed.length - 1]) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(() => vault.open(changed, 'row 1'), `byte ${at}`).toThrow()
  }
  expect(() => vault.open(sealed.subarray(0, 20), 'row 1')).toThrow()
  await expect(open(await empty(), Buffer.alloc(16))).rejects.toThrow('32 bytes')
  await expect(open(await empty())).rejects.toThrow('Set ICOSA_MASTER_KEY')
})

test('nodes that start concurrently on a new database share one set of keys', async () => {
  const database = await empty()
  const vaults = await Promise.all(Array.from({ length: 12 }, () => open(database, old)))
  const sealed = vaults.map((vault) => vault.seal('secret', 'row'))
  for (const vault of vaults) for (const text of sealed) expect(vault.open(text, 'row')).toBe('secret')
  expect(new Set(vaults.map((vault) => vault.derive('blobs').toString('hex'))).size).toBe(1)
  expect(await dataKeys.read(database)).toHaveLength(2)
  expect(vaults[0]?.derive('blobs')).not.toEqual(createHmac('sha256', old).update('icosa blobs').digest())
})

test('a node with a wrong key does not start, and gives advice in one line', async () => {
  await using app = await startTestApp({ services: [], vault: vaultOf([old]) })
  const start = (...masterKeys: Uint8Array[]) =>
    startTestApp({ services: [], databaseUrl: app.databaseUrl, vault: vaultOf(masterKeys) }).then(
      (node) => node[Symbol.asyncDispose]().then(() => 'it started'),
      (error: Error) => `${error.name}: ${error.message}`,
    )
  const [expectedId, actualId] = [keyOf(old).id, keyOf(wrong).id]
  expect(await start(wrong)).toBe(
    `Failure: ICOSA_MASTER_KEY is ${actualId}, but this database opens with ${expectedId}. Set that one. To replace it, put the new key before it and run \`icosa master-key rotate\`.`,
  )
  expect(await start(wrong, old), 'a new key before the old one').toBe('it started')
  expect(await start(old, wrong)).toBe('it started')
})

test('a database from before data keys keeps its keys', async () => {
  const database = await older(old, fresh)
  const vault = await open(database, fresh, old)
  const rows = await database.many<{ id: string; sealed: Buffer }>(
    sql`select id, signing_secret as sealed from icosa.credentials`,
  )
  const ada = await vault.of('ada')
  for (const { id, sealed } of rows) expect(ada.open(sealed, id)).toHaveLength(40)
  expect(vault.derive('blobs')).toEqual(createHmac('sha256', fresh).update('icosa blobs').digest())
  // Nodes of the previous version run alongside it for a while.
  expect(vault.seal('secret', 'row').subarray(0, 4).toString('hex')).toBe(keyOf(fresh).id)
})

test('a node does not start without an older key that sealed secrets, and names it', async () => {
  const database = await older(old, fresh)
  await expect(open(database, fresh)).rejects.toThrow(
    `Secrets in icosa.credentials are sealed under the master key ${keyOf(old).id}, which ICOSA_MASTER_KEY does not have: add that older key to its end`,
  )
  expect(await dataKeys.read(database), 'the failed start created no keys').toEqual([])
  await open(database, fresh, old)
})

test('a running node loads a new data key; a secret sealed with it fails with a retryable error until then', async () => {
  const database = await empty()
  const [vault, other] = [await open(database, old), await open(database, old)]
  const masters = dataKeys.masterKeysOf([old])
  await dataKeys.add(database, { purpose: 'seal', madeFor: keyOf(old).id, masters, aheadMs: 60_000 })
  await vault.refresh()
  const ahead = vault.seal('secret', 'row')
  expect(other.open(ahead, 'row'), 'not used before its time').toBe('secret')

  await database.run(sql`update icosa.data_keys set used_from = clock_timestamp()`)
  await vault.refresh()
  const sealed = vault.seal('secret', 'row')
  expect(() => other.open(sealed, 'row')).toThrow(expect.objectContaining({ kind: 'unavailable' }))
  await expect.poll(() => other.open(sealed, 'row')).toBe('secret')

  const undecryptable = seal(keyOf(wrong), 'secret', 'row')
  expect(() => other.open(undecryptable, 'row')).toThrow(expect.objectContaining({ kind: 'unavailable' }))
  await expect.poll(() => attempt(() => other.open(undecryptable, 'row'))).toContain('icosa master-key status')
})

const attempt = (work: () => unknown) => {
  try {
    return work()
  } catch (error) {
    return (error as Error).message
  }
}
