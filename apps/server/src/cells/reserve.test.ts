import { Outage, openDatabase, sql, systemClock, tagOf } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { listRefused } from './changes-store.ts'
import { reportChanges } from './report.ts'
import { changesSince, findTenant, listLoads, setTenantRoute } from './store.ts'
import { age, changesIn, insertName, namesOf, opened, release, tagIn, take } from './testing/world.ts'

test('a name is reserved before it is committed, and of two cells that take it at once, one gets it', async () => {
  await using world = await opened('one', 'two')
  const { directory, one, two } = world
  for (let round = 0; round < 10; round++) {
    const outcomes = await Promise.allSettled([take(one, 'ada', `main-${round}`), take(two, 'bob', `main-${round}`)])
    const refused = outcomes.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(1)
    expect(refused[0]).toMatchObject({ reason: { kind: 'alreadyExists', code: 'NameUnavailable' } })
  }
  expect(await namesOf(directory)).toHaveLength(10)
  expect(await findTenant(directory, 'ada')).toMatchObject({ tag: await tagIn(one, 'ada'), cell: 'one' })
  expect(await findTenant(directory, 'bob')).toMatchObject({ tag: await tagIn(two, 'bob'), cell: 'two' })
})

test('a cell without a directory, and writes without new names, do not ask for anything', async () => {
  await using world = await opened('one')
  const { one, proxy } = world
  await take(one, 'ada', 'main')
  proxy.become('refusing')
  await one.database.transaction((db) => db.run(sql`update icosa.subscriptions set created_at = now()`), 'ada')
  expect(await tagIn(one, 'ada')).toMatch(/^\w{12}$/)
  await release(one, 'main')
  expect(await changesIn(one)).toContainEqual({ name: 'main', state: 'changed' })
})

test('while the directory is away, only new names fail; what changed arrives afterwards', async () => {
  await using world = await opened('one')
  const { directory, one, proxy } = world
  await take(one, 'ada', 'old')
  await take(one, 'ada', 'lasting')
  await reportChanges(one)
  for (const mode of ['refusing', 'silent'] as const) {
    proxy.become(mode)
    await expect(take(one, 'ada', 'new'), mode).rejects.toThrow(Outage)
    await expect(tagIn(one, 'newcomer'), mode).rejects.toThrow(Outage)
  }
  await release(one, 'old')
  await one.database.run(sql`insert into icosa.names values ('function', 'f-adaadaadaada', 'ada')`)
  await expect(reportChanges(one)).rejects.toThrow(Outage)
  expect(await namesOf(directory)).toEqual(['lasting of ada', 'old of ada'])
  proxy.become('through')
  await expect
    .poll(
      () =>
        take(one, 'ada', 'new').then(
          () => true,
          () => false,
        ),
      { timeout: 10_000 },
    )
    .toBe(true)
  await reportChanges(one)
  expect(await namesOf(directory)).toEqual(['f-adaadaadaada of ada', 'lasting of ada', 'new of ada'])
})

test('names of transactions that failed are given up after a minute, but none that is used', async () => {
  await using world = await opened('one', 'two')
  const { directory, one, two } = world
  const failing = one.database.transaction(async (db) => {
    await db.run(insertName('ada', 'lost'))
    throw new Error('no')
  }, 'ada')
  await expect(failing).rejects.toThrow('no')
  await take(one, 'ada', 'used')
  await reportChanges(one)
  expect(await namesOf(directory), 'it may be used at any moment').toEqual(['lost of ada', 'used of ada'])
  expect(await changesIn(one)).toEqual([{ name: 'lost', state: 'granted' }])

  // A transaction that has used its reservation, and has not committed yet.
  const isWritten = Promise.withResolvers<void>()
  const mayCommit = Promise.withResolvers<void>()
  let attempts = 0
  const slow = one.database.transaction(async (db) => {
    if (++attempts === 2) await age(one)
    await db.run(insertName('ada', 'slow'))
    isWritten.resolve()
    await mayCommit.promise
  }, 'ada')
  await isWritten.promise
  await reportChanges(one)
  expect(await namesOf(directory)).toEqual(['slow of ada', 'used of ada'])
  mayCommit.resolve()
  await slow
  await reportChanges(one)
  expect(await changesIn(one)).toEqual([])
  await take(two, 'bob', 'lost')
  expect(await namesOf(directory)).toEqual(['lost of bob', 'slow of ada', 'used of ada'])
})

test('a reservation that was given up meanwhile is made again', async () => {
  await using world = await opened('one', 'two')
  const { directory, one, two } = world
  let attempts = 0
  await one.database.transaction(async (db) => {
    if (++attempts === 2) {
      // The transaction was paused for so long that its reservation ended.
      await age(one)
      await reportChanges(one)
    }
    await db.run(insertName('ada', 'main'))
  }, 'ada')
  expect(attempts).toBe(3)
  await expect(take(two, 'bob', 'main')).rejects.toThrow('already in use')
  expect(await namesOf(directory)).toEqual(['main of ada'])
})

test('a name passes from one tenant to another of the same cell, and of another cell once that is reported', async () => {
  await using world = await opened('one', 'two')
  const { directory, one, two } = world
  await take(one, 'ada', 'main')
  await release(one, 'main')
  await take(one, 'ann', 'main')
  await release(one, 'main')
  await take(one, 'ann', 'main')
  await release(one, 'main')
  await expect(take(two, 'bob', 'main')).rejects.toThrow('already in use')
  await reportChanges(one)
  await take(two, 'bob', 'main')
  expect(await namesOf(directory)).toEqual(['main of bob'])
  // Lost and taken again by one transaction.
  await one.database.transaction(async (db) => {
    for (let round = 0; round < 2; round++) {
      await db.run(sql`delete from icosa.subscriptions where key = 'again'`)
      await db.run(insertName('ada', 'again'))
    }
  }, 'ada')
  await reportChanges(one)
  expect(await namesOf(directory)).toEqual(['again of ada', 'main of bob'])
})

test('a tenant is refused by all cells but its own, also after a move', async () => {
  await using world = await opened('one', 'two')
  const { directory, one, two } = world
  const outcomes = await Promise.allSettled([tagIn(one, 'ada'), tagIn(two, 'ada')])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const other = outcomes[0].status === 'fulfilled' ? two : one
  await expect(tagIn(other, 'ada')).rejects.toMatchObject({ kind: 'misdirected' })
  await expect(take(other, 'ada', 'main')).rejects.toMatchObject({ kind: 'misdirected' })
  await tagIn(one, 'bob')
  await take(one, 'bob', 'main')
  await release(one, 'main')
  await setTenantRoute(directory, 'bob', { cell: 'two', isHeld: false })
  await one.database.run(sql`delete from icosa.tenants where id = 'bob'`)
  await reportChanges(one)
  expect(await findTenant(directory, 'bob'), 'the old cell deletes nothing of it').toMatchObject({ cell: 'two' })
})

test('a deleted tenant is removed with its names', async () => {
  await using world = await opened('one')
  const { directory, one } = world
  await take(one, 'ada', 'main')
  await reportChanges(one)
  const last = (await changesSince(directory, '0', 100)).at(-1)?.version ?? ''
  await release(one, 'main')
  await one.database.run(sql`delete from icosa.tenants where id = 'ada'`)
  await reportChanges(one)
  expect((await changesSince(directory, last, 100)).map(({ kind, isRemoved }) => [kind, isRemoved])).toEqual([
    ['name', true],
    ['tenant', true],
  ])
  expect(await listLoads(directory)).toMatchObject([{ name: 'one', tenants: 0 }])
})

test('a name that two cells have had since before they had a directory is reported, until one deletes it', async () => {
  await using world = await opened('one', 'two')
  const { directory, one, two } = world
  await take(one, 'ada', 'main')
  await two.database.script(`
    delete from icosa.cell; insert into icosa.subscriptions values ('main', 'bob', now());
    insert into icosa.cell (name) values ('two'); insert into icosa.name_changes values ('subscription', 'main', 'bob', 'changed')`)
  await tagIn(two, 'bob')
  const refused = [{ purpose: 'subscription', name: 'main', owner: 'bob' }]
  expect(await reportChanges(two)).toEqual(refused)
  expect(await reportChanges(two), 'not every time').toEqual([])
  expect(await listRefused(two.database)).toEqual(refused)
  await release(one, 'main')
  await reportChanges(one)
  await age(two)
  expect(await reportChanges(two)).toEqual([])
  expect(await listRefused(two.database)).toEqual([])
  expect(await namesOf(directory)).toEqual(['main of bob'])
})

test('a killed node leaves nothing behind', async () => {
  await using world = await opened('one', 'two')
  const { directory, one, two } = world
  const killed = openDatabase({
    url: one.url,
    maxConnections: 2,
    onError: () => {},
    reserveName:
      () =>
      async ({ tenant, ...name }) => {
        await one.database.run(sql`
        insert into icosa.name_changes values (${name.purpose}, ${name.name}, ${tenant}, 'asked')`)
        await directory.run(sql`
        insert into directory.tenants (id, tag, cell) values (${tenant}, ${name.name}, 'one')`)
        throw new Error('killed')
      },
  })
  await expect(killed.transaction((db) => tagOf(db, systemClock, 'ada'), 'ada')).rejects.toThrow('killed')
  await killed.close()
  await expect(tagIn(two, 'ada')).rejects.toMatchObject({ kind: 'misdirected' })
  await age(one)
  await reportChanges(one)
  await tagIn(two, 'ada')
})
