import { sql, systemClock, tagOf } from '@icosa/kernel'
import { startProxy } from '@icosa/testing'
import { expect, test } from 'vitest'
import { addressOf, plain, startStores, versioned } from '../../../../services/configuration-stores/src/testing/app.ts'
import { addCell } from './add.ts'
import { openDirectory } from './directory.ts'
import { startReporting } from './membership.ts'
import { reserveName } from './reserve.ts'
import { createTestDirectory, type TestDirectory } from './testing/directory.ts'

/** A node of a cell, with a tenant. */
async function startCell(name: string, tenant: string, { database }: TestDirectory, directoryUrl: string) {
  const stack = new AsyncDisposableStack()
  const directory = openDirectory({ url: directoryUrl, onError: () => {} })
  stack.defer(() => directory.close())
  const membership = { cell: name, directory, reserveName: reserveName(directory, name) }
  const world = stack.use(await startStores({ reserveName: membership.reserveName }))
  const { databaseUrl, platform } = world.app
  await addCell(database, platform.database, {
    ...{ name, url: world.app.url, databaseUrl, labels: {}, capacity: 10, isHome: false, now: systemClock.now() },
  })
  stack.defer(startReporting(platform.database, membership, () => {}))
  await platform.database.transaction((db) => tagOf(db, systemClock, tenant), tenant)
  const { stores } = await world.manager(tenant)
  const create = (store: string) =>
    stores.create({ ...versioned, params: addressOf(tenant, store), body: plain() }).catch((error) => error)
  return {
    create,
    stores,
    drain: () => world.app.jobs.drain(),
    params: (store: string) => addressOf(tenant, store),
    changes: () => platform.database.many(sql`select name from icosa.name_changes`),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

const poll = { timeout: 20_000 }

test('of two stores with a name that two cells create at once, exactly one exists', async () => {
  await using directory = await createTestDirectory()
  await using one = await startCell('one', 'ada', directory, directory.url)
  await using two = await startCell('two', 'bob', directory, directory.url)
  for (let round = 0; round < 5; round++) {
    const replies = await Promise.all([one.create(`colors-${round}`), two.create(`colors-${round}`)])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409])
    const refused = replies.find(({ status }) => status === 409)
    expect(refused.body.error).toMatchObject({ code: 'NameUnavailable' })
  }
  expect(await directory.database.many(sql`select 1 from directory.names where purpose = 'store'`)).toHaveLength(5)
})

test('while the directory is away, everything works but new names; then it learns the rest', async () => {
  await using directory = await createTestDirectory()
  await using proxy = await startProxy(directory.url)
  await using cell = await startCell('one', 'ada', directory, proxy.url)
  await cell.create('oldest')
  await cell.create('lasting')
  await cell.drain()
  proxy.become('refusing')

  const refused = await cell.create('newest')
  expect(refused).toMatchObject({
    status: 503,
    body: { error: { message: expect.stringContaining('directory of cells') } },
  })
  expect(refused.headers.get('retry-after')).toBe('5')
  const params = cell.params('lasting')
  for (let n = 0; n < 20; n++)
    expect(await cell.stores.update({ ...versioned, params, body: { tags: { n: String(n) } } })).toMatchObject({
      status: 200,
    })
  await cell.stores.delete({ ...versioned, params: cell.params('oldest') })
  await cell.drain()

  proxy.become('through')
  await expect.poll(async () => (await cell.create('newest')).status, poll).toBe(201)
  const names = async () =>
    (
      await directory.database.many<{ name: string }>(sql`
      select name from directory.names where purpose = 'store' order by name`)
    ).map(({ name }) => name)
  await expect.poll(names, poll).toEqual(['lasting', 'newest'])
  await expect.poll(cell.changes, poll).toEqual([])
})
