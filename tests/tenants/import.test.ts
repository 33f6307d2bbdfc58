import { buffer } from 'node:stream/consumers'
import { createKey, type Database, raw, schemaOf, sealedColumnsOf, sealingContext, sql } from '@icosa/kernel'
import {
  exportTenant,
  importTenant,
  newExportKey,
  rowsOf,
  type ServiceTenancy,
  toExport,
} from '@icosa/platform/tenants'
import { dropPhysical } from '@icosa/sql-databases/testing/app'
import { type TestApp, testServerUrl } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../apps/server/src/config.ts'
import { tenanciesOf } from '../../apps/server/src/tenants/services.ts'
import { services as every, fill, startFilled } from './filled.ts'

let old: TestApp
let app: TestApp
const files = new Map<string, Buffer>()
const sealed = sealedColumnsOf(every)
const exportKey = newExportKey()
/** Their data is outside of the platform's database. */
const without = ['sql-databases', 'sql-virtual-machines', 'hardware-security-modules', 'backup']

beforeAll(async () => {
  ;[old, app] = [await startFilled(), await startFilled()]
  await fill(old, 'ada')
})
afterAll(async () => {
  await dropPhysical(old.platform.database)
  for (const each of [old, app]) await each[Symbol.asyncDispose]()
})

async function* read(path: string) {
  const file = files.get(path)
  if (!file) throw Object.assign(new Error(path), { code: 'ENOENT' })
  yield file
}

async function tenancies({ platform: { database, blobs }, databaseUrl }: TestApp): Promise<ServiceTenancy[]> {
  const env = { ICOSA_SQL_URL: testServerUrl, DATABASE_URL: databaseUrl, ICOSA_BACKUP_REPOSITORIES: '/nonexistent' }
  const config = readConfig(env, { development: true })
  return [...(await tenanciesOf(config, databaseUrl, database, blobs)), { service: 'example' }]
}

const importInto = async (target: TestApp, key = exportKey) => {
  const { database, blobs, cellVault: vault } = target.platform
  const services = await tenancies(target)
  return importTenant({ database, blobs, services, without, sealed, vault, exportKey: key, read })
}

test('a tenant with something of every service is exported, and imported into another installation', async () => {
  const { database, blobs, cellVault } = old.platform
  const key = await database.transaction((db) =>
    createKey(db, old.platform.clock, { tenant: 'ada', name: 'hers', permissions: ['*'] }),
  )
  const services = (await tenancies(old)).map(({ service }) => service)
  await exportTenant('ada', {
    ...{ database, blobs, services, sealed, reseal: toExport(await cellVault.of('ada'), exportKey) },
    async write(path, content) {
      files.set(path, await buffer(content))
    },
  })

  await expect(importInto(app, newExportKey()), 'the key of another export').rejects.toThrow('have another key')
  expect(await rowsOf(app.platform.database, 'ada'), 'nothing').toEqual([])
  expect((await importInto(app)).rows).toBeGreaterThan(300)
  await expect(importInto(app)).rejects.toThrow("There is a tenant 'ada' here already")

  const counts = async (from: Database) => new Map((await rowsOf(from, 'ada')).map(({ table, rows }) => [table, rows]))
  const [before, after] = [await counts(database), await counts(app.platform.database)]
  before.delete('platform.spans') // written a moment after their requests
  const missing = [...before].filter(([table, rows]) => after.get(table) !== rows).map(([table]) => table)
  const excluded = without.map((service) => `${schemaOf(service)}.`)
  expect(missing.filter((table) => !excluded.some((schema) => table.startsWith(schema)))).toEqual(incomplete)
  expect(missing.length, 'services of `without`').toBeGreaterThan(incomplete.length + 5)
  expect(await secretsIn(app)).toEqual(await secretsIn(old))

  const note = { title: 'Here', text: 'too' }
  const response = await fetch(`${app.url}/example/notes`, {
    method: 'POST',
    headers: { 'x-api-key': key.key, 'content-type': 'application/json' },
    body: JSON.stringify(note),
  })
  expect({ status: response.status, body: await response.json() }, 'by the same key').toMatchObject({
    status: 201,
    body: note,
  })
  await app.jobs.drain() // jobs and timers of the other installation
})

test('a tenant whose names or subscriptions another one has here is refused', async () => {
  await using other = await startFilled()
  const { database } = other.platform
  const stores = files.get('rows/configuration_stores.stores.jsonl')?.toString() ?? ''
  const { name_key: name } = JSON.parse(stores.split('\n')[0] as string)
  await database.run(sql`insert into icosa.names (purpose, name, tenant) values ('store', ${name}, 'bob')`)
  await expect(importInto(other)).rejects.toMatchObject({
    kind: 'conflict',
    message: expect.stringContaining(`the store ${name} is reserved for another tenant`),
  })
  await database.run(sql`delete from icosa.names where tenant = 'bob'`)
  await database.run(sql`update icosa.migrations set name = '9999' where owner = 'banking'
    and name = (select max(name) from icosa.migrations where owner = 'banking')`)
  await expect(importInto(other)).rejects.toThrow('another version of banking')
  expect(await rowsOf(database, 'ada')).toEqual([])
})

test('an export that someone has changed is refused', async () => {
  await using other = await startFilled()
  const refusal = async (path: string, change: (text: string) => string) => {
    const original = files.get(path) as Buffer
    files.set(path, Buffer.from(change(original.toString())))
    const refused = await importInto(other).then(
      () => 'it was imported',
      (error: Error) => error.message,
    )
    files.set(path, original)
    return refused
  }
  const owned = (text: string) =>
    text.replaceAll('"tenant":"ada"', '"tenant":"bob"').replace(/"tenant": ?"ada"/g, '"tenant":"bob"')
  const [credentials, blobs] = ['rows/icosa.credentials.jsonl', 'blobs.jsonl']
  expect(await refusal(credentials, owned)).toContain('A row of icosa.credentials is not the tenant')
  expect(await refusal('rows/icosa.timers.jsonl', owned)).toContain('A row of icosa.timers is not the tenant')
  const operator = (text: string) => text.replaceAll('["*"]', '["operator:*"]')
  expect(await refusal(credentials, operator)).toContain('has permissions of operators')
  expect(await refusal(blobs, (text) => text.replace('/ada/', '/bob/'))).toContain('is not the tenant')
  const statement = (text: string) =>
    text.replace('"rows": {', `"rows": { "icosa.names; drop schema banking cascade": 1,`)
  expect(await refusal('tenant.json', statement)).toContain('is not the tenant')
  expect(await rowsOf(other.platform.database, 'ada')).toEqual([])
  expect(await rowsOf(other.platform.database, 'bob')).toEqual([])
})

/** Tables with rows of services that were left out, too, and the audit log. */
const incomplete = ['icosa.operations', 'icosa.resources', 'icosa.timers', 'platform.audit', 'platform.audit_heads']

/** Secrets that the vault opens, by table and context. */
async function secretsIn({ platform: { database, cellVault } }: TestApp): Promise<Map<string, string>> {
  const secrets = new Map<string, string>()
  const vault = await cellVault.of('ada')
  for (const column of sealed.filter(
    ({ table, isOfCell }) => !isOfCell && !without.some((service) => table.startsWith(schemaOf(service))),
  )) {
    const [table, name] = [raw(column.table), raw(column.column)]
    const rows = await database.many<{ row: Record<string, string>; secret: Buffer }>(sql`
      select to_jsonb(t) as row, ${name} as secret from ${table} as t
      where to_jsonb(t) ->> 'tenant' = 'ada' and ${name} is not null`)
    for (const { row, secret } of rows) {
      const context = sealingContext(column, row)
      secrets.set(`${column.table} ${context}`, vault.open(secret, context))
    }
  }
  expect(secrets.size).toBeGreaterThan(3)
  return secrets
}
