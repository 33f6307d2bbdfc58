import { readFile } from 'node:fs/promises'
import {
  type AgingTable,
  agingTables,
  type Database,
  kernelRetention,
  openDatabase,
  prepare,
  pruning,
  schemaOf,
  sql,
} from '@icosa/kernel'
import { platform } from '@icosa/platform'
import { createTestDatabase, example, type TestDatabase } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allServices } from '../../apps/server/src/services.ts'

// No table grows without bound: each declares a retention policy. This includes services added later.
const services = [...(await allServices()), platform, example]
let testDatabase: TestDatabase
let database: Database

beforeAll(async () => {
  testDatabase = await createTestDatabase(services)
  database = openDatabase({ url: testDatabase.url, maxConnections: 2, onError: () => {} })
})
afterAll(async () => {
  await database.close()
  await testDatabase[Symbol.asyncDispose]()
})

const aging = agingTables(services)

test('every table declares the age at which its rows are deleted, or why its growth is bounded', async () => {
  const tables = await database.many<{ name: string }>(sql`
    select format('%s.%s', nspname, relname) as name
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind in ('r', 'p') and not relispartition and nspname not in ('pg_catalog', 'information_schema') order by 1`)
  const declared = [{ name: 'icosa', retention: kernelRetention }, ...services].flatMap(({ name, retention = {} }) =>
    Object.keys(retention).map((table) => `${schemaOf(name)}.${table}`),
  )
  expect(
    declared.sort(),
    'the manifest of a service has a line in `retention` for each table of its migrations; the kernel in retention.ts',
  ).toEqual(tables.map(({ name }) => name))
})

test.each(aging)('expired rows of $name are found by an index, in batches', async (table: AgingTable) => {
  const plan = await database.transaction(async (db) => {
    await prepare(db, table)
    const { text, values } = pruning(table, new Date(0), new Date(1))
    const literal = (nth: number) => `'${(values[nth - 1] as Date).toISOString()}'`
    const rows = await db.script(`explain ${text.replaceAll(/\$(\d+)/g, (_, nth) => literal(Number(nth)))}`)
    return (rows as { 'QUERY PLAN': string }[]).map((row) => row['QUERY PLAN']).join('\n')
  })
  expect(plan).toContain(`Index Cond: ((${table.column} `)
  expect(plan).toContain('Limit')
  expect(plan).not.toMatch(/Seq Scan|Sort/)
})

test('the documentation lists the retention of every table', async () => {
  const page = await readFile(new URL('../../docs/operate/retention.md', import.meta.url), 'utf8')
  const rows = aging.map(({ name, keepDays }) => [name, String(keepDays)])
  const written = [...page.matchAll(/^\| `(\w+\.\w+)` \| (\d+) \|/gm)].map(([, name, days]) => [name, days])
  expect(written.sort()).toEqual(rows.sort())
})
