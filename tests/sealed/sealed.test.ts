import { raw, type SealedColumn, sealedColumnsOf, sealingContext, sql, tenantKeys } from '@icosa/kernel'
import { dropPhysical } from '@icosa/sql-databases/testing/app'
import { credentialsFor, example, startTestApp, strays, type TestApp, testServerUrl } from '@icosa/testing'
import { dataKeys, masterKeyVault, openVault } from '@icosa/tokens'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rotate } from '../../apps/server/src/master-key/rotate.ts'
import { allServices } from '../../apps/server/src/services.ts'
import { seeds } from '../seeds.ts'

// Covers services added later, too, if their seeds create sealed values.
const services = [...(await allServices({ databaseUrl: testServerUrl })), example]
const sealed = sealedColumnsOf(services)
const [old, fresh] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ services, vault: masterKeyVault({ masterKeys: [old], sealed: () => sealed }) })
  for (const service of services) await seeds[service.name]?.(await credentialsFor(app, service, 'owner'), app)
  await fetch(`${app.url}/identity-connect/jwks`) // creates the token signing keys
})
afterAll(async () => {
  await dropPhysical(app.platform.database)
  await app[Symbol.asyncDispose]()
})

test('every secret is in a column that a manifest lists', async () => {
  expect(await strays(app.platform.database, sealed), 'add it to `sealed` of the service').toEqual([])
})

test.each<[string, (secret: Buffer) => unknown]>([
  ['bytes', (secret) => `\\x${secret.toString('hex')}`],
  ['base64', (secret) => secret.toString('base64')],
  ['base64url', (secret) => secret.toString('base64url')],
  ['hexadecimal', (secret) => secret.toString('hex')],
  ['JSON', (secret) => JSON.stringify({ deep: [secret.toString('base64')] })],
])('a secret in an unlisted column is found, stored as %s', async (_, encoding) => {
  const { database, cellVault } = app.platform
  const text = encoding(cellVault.seal('secret', 'context'))
  const column = String(text).startsWith('{') ? 'json' : String(text).startsWith('\\x') ? 'bytes' : 'words'
  await database.script('create table example.strange (words text, json jsonb, bytes bytea)')
  await database.script(`insert into example.strange (${column}) values ('${text}')`)
  expect(await strays(database, sealed)).toEqual(['example.strange'])
  await database.script('drop table example.strange')
})

test.each(sealed)('$table $column has a value bound to the listed context', async (column) => {
  const values = [...(await opened(column)).values()]
  expect(values.length, 'the seed of the service creates no value').toBeGreaterThan(0)
  expect(values).not.toContain('')
})

test.each(sealed.filter(({ isOfCell }) => !isOfCell))(
  '$table $column is sealed under keys of the tenants',
  async (column) => {
    const ids = await app.platform.database.many<{ key: string }>(sql`
    select tenant || ' ' || id as key from ${raw(tenantKeys.table)} where purpose = 'seal'`)
    for (const { row, sealed: text } of await valuesOf(column))
      expect(ids).toContainEqual({ key: `${row.tenant} ${text.toString('hex', 0, 4)}` })
  },
)

test('all secrets survive the rotation of the master key, and the old key is retired', async () => {
  const { database } = app.platform
  const all = (key: Buffer) => Promise.all(sealed.map(async (column) => [column, await opened(column, key)] as const))
  const before = await all(old)
  const masters = dataKeys.masterKeysOf([fresh, old])
  const quiet = { onProgress: () => {}, onRemark: () => {} }
  const rotated = await rotate({ database, masters, sealed, learnMs: 0, ...quiet })
  expect(rotated).toMatchObject({ left: 0, unopened: [], retired: [masters[1]?.id] })
  expect(await all(fresh)).toEqual(before)
  expect(await database.many(sql`select from icosa.data_keys where wrapped ? ${masters[1]?.id}`)).toEqual([])
})

/** Decrypted secrets of a column by context. */
async function opened(column: SealedColumn, masterKey: Uint8Array = old): Promise<Map<string, string>> {
  const vault = await openVault(app.platform.database, { masterKeys: [masterKey], sealed: () => sealed })
  const secrets = new Map<string, string>()
  for (const { row, sealed: text } of await valuesOf(column)) {
    const context = sealingContext(column, row)
    const keys = column.isOfCell ? vault : await vault.of(row.tenant as string)
    secrets.set(context, keys.open(text, context))
  }
  return secrets
}

interface Value {
  readonly row: Readonly<Record<string, string>>
  readonly sealed: Buffer
}

const valuesOf = ({ table, column }: SealedColumn): Promise<Value[]> =>
  app.platform.database.many(sql`
    select to_jsonb(kept) as row, ${raw(column)} as sealed from ${raw(table)} as kept where ${raw(column)} is not null`)
