import { sql } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { changesSince, findTenant, listCells, setTenantRoute, tenantsToMove } from './store.ts'
import { addTestCells, createTestDirectory } from './testing/directory.ts'

const addTenant = (id: string, tag: string, cell = 'one') =>
  sql`insert into directory.tenants (id, tag, cell) values (${id}, ${tag}, ${cell})`
const addName = (name: string, tenant: string) =>
  sql`insert into directory.names (purpose, name, tenant_id) values ('store', ${name}, ${tenant})`

test('cells are listed, and changes are read in their order, each thing once', async () => {
  await using directory = await createTestDirectory()
  const { database } = directory
  await addTestCells(database, 'one', 'two')
  await database.run(addTenant('acme', 'acmeacmeacme'))
  await database.run(addName('colors', 'acme'))
  expect(await listCells(database)).toEqual([
    {
      ...{ name: 'one', number: 1, url: 'https://one.example.com', databaseUrl: 'postgres://one/icosa' },
      ...{ labels: { region: 'eu' }, capacity: 100, state: 'active', isHome: true },
    },
    expect.objectContaining({ name: 'two', number: 2, isHome: false }),
  ])
  const all = await changesSince(database, '0', 100)
  expect(all.map(({ version: _, ...change }) => change)).toEqual([
    { kind: 'cell', name: 'one', url: 'https://one.example.com', isHome: true, isRemoved: false },
    { kind: 'cell', name: 'two', url: 'https://two.example.com', isHome: false, isRemoved: false },
    { kind: 'tenant', tag: 'acmeacmeacme', tenant: 'acme', cell: 'one', isHeld: false, isRemoved: false },
    { kind: 'name', purpose: 'store', name: 'colors', tenant: 'acme', isRemoved: false },
  ])
  const last = all.at(-1)?.version ?? '0'
  expect(await changesSince(database, last, 100)).toEqual([])

  await setTenantRoute(database, 'acme', { cell: 'one', isHeld: true })
  await setTenantRoute(database, 'acme', { cell: 'two', isHeld: false })
  expect(await changesSince(database, last, 100)).toMatchObject([
    { kind: 'tenant', tenant: 'acme', cell: 'two', isHeld: false },
  ])
  expect(await findTenant(database, 'acme')).toEqual({ id: 'acme', tag: 'acmeacmeacme', cell: 'two', isHeld: false })
  expect(await tenantsToMove(database, 'two')).toEqual(['acme'])
  await expect(setTenantRoute(database, 'acme', { cell: 'three', isHeld: false })).rejects.toThrow("no cell 'three'")
  await expect(setTenantRoute(database, 'bob', { cell: 'two', isHeld: false })).rejects.toThrow("tenant 'bob'")
})

test('removals are reported, until the same thing exists again', async () => {
  await using directory = await createTestDirectory()
  const { database } = directory
  await addTestCells(database, 'one')
  await database.run(addTenant('acme', 'acmeacmeacme'))
  await database.run(addName('colors', 'acme'))
  await database.run(sql`delete from directory.tenants where id = 'acme'`)
  const changes = await changesSince(database, '0', 100)
  expect(changes.slice(1)).toMatchObject([
    { kind: 'tenant', tag: 'acmeacmeacme', tenant: 'acme', cell: 'one', isRemoved: true },
    { kind: 'name', name: 'colors', tenant: 'acme', isRemoved: true },
  ])
  await database.run(addTenant('bob', 'bobbobbobbob'))
  await database.run(addName('colors', 'bob'))
  expect((await changesSince(database, changes.at(-1)?.version ?? '', 100)).slice(1)).toMatchObject([
    { kind: 'name', name: 'colors', tenant: 'bob', isRemoved: false },
  ])
  await database.run(sql`update directory.removals set removed_at = now() - interval '31 days'`)
  await database.run(sql`delete from directory.names`)
  const removed = (await changesSince(database, '0', 100)).filter(({ isRemoved }) => isRemoved)
  expect(removed, 'for 30 days').toMatchObject([{ kind: 'name', tenant: 'bob' }])
})

test('a page of changes ends anywhere, and the next one continues', async () => {
  await using directory = await createTestDirectory()
  const { database } = directory
  await addTestCells(database, 'one')
  for (const n of [2, 3, 4, 5]) {
    await database.run(addTenant(`t${n}`, `${n}`.repeat(12)))
    await database.run(addName(`n${n}`, `t${n}`))
  }
  const all = await changesSince(database, '0', 100)
  expect(all).toHaveLength(9)
  const paged = []
  for (let page = await changesSince(database, '0', 2); page.length > 0; ) {
    paged.push(...page)
    page = await changesSince(database, page.at(-1)?.version ?? '', 2)
  }
  expect(paged).toEqual(all)
})

test('a change that commits late is not missed', async () => {
  await using directory = await createTestDirectory()
  const { database } = directory
  await addTestCells(database, 'one')
  const written = Promise.withResolvers<void>()
  const mayCommit = Promise.withResolvers<void>()
  const slow = database.transaction(async (db) => {
    await db.run(addTenant('slow', 'slowslowslow'))
    written.resolve()
    await mayCommit.promise
  })
  await written.promise
  let isDone = false
  const fast = database.run(addTenant('fast', 'fastfastfast')).then(() => {
    isDone = true
  })
  // Waits, rather than committing a greater version before the smaller one.
  const waiting = sql`select 1 from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`
  await expect.poll(() => database.many(waiting)).toHaveLength(1)
  const [last] = await changesSince(database, '0', 100)
  expect(isDone).toBe(false)
  mayCommit.resolve()
  await Promise.all([slow, fast])
  expect(await changesSince(database, last?.version ?? '', 100)).toMatchObject([{ tenant: 'slow' }, { tenant: 'fast' }])
})

test('concurrent writers and a reader: every change is read once, in order', async () => {
  await using directory = await createTestDirectory()
  const { database } = directory
  await addTestCells(database, 'one', 'two')
  for (const n of [2, 3, 4]) await database.run(addTenant(`t${n}`, `${n}`.repeat(12)))
  const seen = new Map<string, string>()
  let last = '0'
  let isWriting = true
  const read = async () => {
    for (const change of await changesSince(database, last, 3)) {
      last = change.version
      if (change.kind === 'tenant') seen.set(change.tenant, `${change.cell} ${change.isHeld}`)
    }
  }
  const reading = (async () => {
    while (isWriting) await read()
  })()
  // Opposite orders: two writers that locked rows first would deadlock.
  const writer = async (tenants: readonly string[], cell: string) => {
    for (let round = 0; round < 30; round++)
      await database.transaction(async (db) => {
        for (const tenant of tenants) await setTenantRoute(db, tenant, { cell, isHeld: round % 2 === 0 })
      })
  }
  await Promise.all([writer(['t2', 't3', 't4'], 'one'), writer(['t4', 't3', 't2'], 'two')])
  isWriting = false
  await reading
  for (let before = ''; before !== last; ) {
    before = last
    await read()
  }
  const routes = await database.many<{ id: string; route: string }>(sql`
    select id, cell || ' ' || is_held as route from directory.tenants`)
  expect(seen).toEqual(new Map(routes.map(({ id, route }) => [id, route])))
})
