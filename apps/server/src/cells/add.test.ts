import { type Database, Failure } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { NamesTaken } from './add.ts'
import { placeTenant } from './place.ts'
import { changesSince, listLoads } from './store.ts'
import { enter, openTestCell } from './testing/cell.ts'
import { createTestDirectory } from './testing/directory.ts'
import { namesOf, opened, tagIn, take } from './testing/world.ts'

test('a cell with tenants is added with all of them, again without harm, and not if another has a name', async () => {
  await using world = await opened('one')
  const { directory, directoryUrl, one } = world
  await take(one, 'ada', 'main')
  await using two = await openTestCell('two', directoryUrl)
  for (const name of ['main', 'second']) await take(two, 'bob', name)
  await tagIn(two, 'ada')
  const refused = await enter(two, directory).catch((error) => error)
  expect(refused).toBeInstanceOf(NamesTaken)
  expect(refused.message).toContain('\ntenant ada\nsubscription main of bob\n')
  expect(await listLoads(directory)).toMatchObject([{ name: 'one' }])
  await take(two, 'bob', 'still-alone')

  await two.database.script(
    "delete from icosa.tenants where id = 'ada'; delete from icosa.subscriptions where key = 'main'",
  )
  expect(await enter(two, directory)).toEqual({ isHome: false, tenants: 1, names: 2 })
  expect(await enter(two, directory)).toEqual({ isHome: false, tenants: 1, names: 2 })
  expect(await listLoads(directory)).toMatchObject([
    { name: 'one', isHome: true, number: 1, tenants: 1 },
    { name: 'two', isHome: false, tenants: 1 },
  ])
  expect(await namesOf(directory)).toEqual(['main of ada', 'second of bob', 'still-alone of bob'])
  await expect(enter({ ...two, cell: 'three' }, directory)).rejects.toThrow("belongs to the cell 'two'")
})

test('a lost directory is made again from the cells', async () => {
  await using world = await opened('one', 'two')
  const { directory, one, two } = world
  await take(one, 'ada', 'main')
  await take(two, 'bob', 'second')
  const routes = async (database: Database) =>
    (await changesSince(database, '0', 100)).map(({ version: _, ...change }) => JSON.stringify(change)).toSorted()
  await using again = await createTestDirectory()
  for (const cell of [one, two]) await enter(cell, again.database)
  expect(await routes(again.database)).toEqual(await routes(directory))
})

test('names that are taken while a cell is added are not missed', async () => {
  await using world = await opened('one')
  const { directory, directoryUrl } = world
  await using two = await openTestCell('two', directoryUrl)
  const taken: string[] = []
  let isAdded = false
  const writer = (async () => {
    for (let n = 0; !isAdded || n < 20; n++)
      await take(two, 'bob', `n${n}`).then(
        () => taken.push(`n${n} of bob`),
        (error) => {
          if (!(error instanceof Failure)) throw error // not in the directory yet
        },
      )
  })()
  await enter(two, directory)
  isAdded = true
  await writer
  expect(await namesOf(directory)).toEqual(taken.toSorted())
})

test('tenants are placed in the least loaded cell with the labels', async () => {
  await using world = await opened('one')
  const { directory, directoryUrl, one } = world
  await using two = await openTestCell('two', directoryUrl)
  await enter(two, directory, { region: 'eu' }, 3)
  const place = (tenant: string, labels = {}) => placeTenant(one.directory, tenant, labels)
  const placed = await place('t1')
  expect(placed).toEqual({
    tenant: 't1',
    tag: await tagIn(one, 't1'),
    cell: { name: 'one', url: 'https://one.example.com' },
  })
  expect(await place('t1', { region: 'eu' }), 'it stays').toEqual(placed)
  for (const tenant of ['t2', 't3', 't4']) expect((await place(tenant, { region: 'eu' })).cell.name).toBe('two')
  await expect(place('t5', { region: 'eu' })).rejects.toThrow('No active cell with region=eu has room')
  const [first, ...others] = await Promise.all(['a', 'a', 'a'].map((tenant) => place(tenant)))
  expect(others).toEqual([first, first])
  expect(await listLoads(directory)).toMatchObject([{ tenants: 2 }, { tenants: 3 }])
})
