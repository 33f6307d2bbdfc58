import { type Database, openDatabase } from '@icosa/kernel'
import { platform } from '@icosa/platform'
import { createTestDatabase, type TestDatabase } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allServices } from '../../apps/server/src/services.ts'
import { type Finding, reservations, withoutTenant } from './catalog.ts'
import { type Exception, exceptions } from './exceptions.ts'

// A tenant that moves to another cell takes its rows along: each says whose it is, and collides with no other tenant's.
let testDatabase: TestDatabase
let database: Database
let findings: Finding[]

beforeAll(async () => {
  testDatabase = await createTestDatabase([...(await allServices()), platform])
  database = openDatabase({ url: testDatabase.url, maxConnections: 2, onError: () => {} })
  findings = await withoutTenant(database)
})
afterAll(async () => {
  await database.close()
  await testDatabase[Symbol.asyncDispose]()
})

const exceptionOf = ({ name, tables }: Finding): Exception | undefined =>
  [name, ...tables].map((key) => exceptions[key]).find((exception) => exception !== undefined)

test('keys, unique indexes and references carry the tenant, or are listed with a reason', () => {
  const problems = findings.filter((finding) => !exceptionOf(finding)).map(({ kind, name }) => `${kind} ${name}`)
  expect(problems, 'add the tenant, or a line to tests/schema/exceptions.ts').toEqual([])
})

test('no exception is out of date', () => {
  const names = new Set(findings.map(({ name }) => name))
  expect(Object.keys(exceptions).filter((name) => !names.has(name))).toEqual([])
})

test('names that are unique across tenants are reserved in icosa.names', async () => {
  const purposes = new Map((await reservations(database)).map(({ table, purpose }) => [table, purpose]))
  const reserved = Object.entries(exceptions).filter(([name, [kind]]) => kind === 'reserved' && name !== 'icosa.names')
  for (const [name, [, purpose]] of reserved)
    expect([name, purposes.get(name.split(' ')[0] ?? '')]).toEqual([name, purpose])
})

test('the test recognizes a key, an index, a constraint and a reference without the tenant', async () => {
  await database.script(`
    create schema shop;
    create table shop.customers (tenant text, id int primary key, email text, unique (tenant, email));
    create table shop.orders (tenant text, id int, customer int references shop.customers, note text unique,
      primary key (tenant, id), exclude using btree (note with =));
    create table shop.lines (tenant text, "order" int, nr int, primary key (tenant, "order", nr),
      foreign key (tenant, "order") references shop.orders)`)
  const shop = (await withoutTenant(database)).filter(({ name }) => name.startsWith('shop.'))
  await database.script('drop schema shop cascade')
  expect(shop.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    'reference shop.orders orders_customer_fkey',
    'table shop.customers',
    'unique shop.orders orders_note_excl',
    'unique shop.orders orders_note_key',
  ])
})
