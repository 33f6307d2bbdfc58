import { openDatabase } from '@icosa/kernel'
import { createTestDatabase, type TestDatabase } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDirectory } from '../../cells/directory.ts'
import { reportChanges } from '../../cells/report.ts'
import { withPlatform } from '../../node.ts'
import { allServices } from '../../services.ts'
import { refusalOf, shellOf } from '../../testing/shell.ts'

const databaseAt = (url: string) => {
  const database = openDatabase({ url, maxConnections: 2, onError: () => {} })
  return { ...database, [Symbol.asyncDispose]: database.close }
}

const openedDirectory = (url: string) => {
  const directory = openDirectory({ url, onError: () => {} })
  return { ...directory, [Symbol.asyncDispose]: directory.close }
}

let databases: TestDatabase[]
beforeAll(async () => {
  const services = withPlatform(await allServices(), 'virtual')
  databases = [await createTestDatabase([]), await createTestDatabase(services), await createTestDatabase(services)]
})
afterAll(async () => {
  for (const database of databases) await database[Symbol.asyncDispose]()
})

test('cells are added with their tenants, get tenants by label and load, are drained and removed', async () => {
  const [directory = '', first = '', second = ''] = databases.map(({ url }) => url)
  const directoryOnly = { ICOSA_DIRECTORY_URL: directory }
  const nodeOf = (cell: string, url: string) => ({
    ...{ ...directoryOnly, ICOSA_CELL: cell, DATABASE_URL: url },
    ICOSA_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  })
  const icosa = shellOf(directoryOnly)
  const [one, two] = [shellOf(nodeOf('one', first)), shellOf(nodeOf('two', second))]
  expect(await refusalOf(['cells', 'list'], {})).toContain('Set ICOSA_DIRECTORY_URL')
  expect(await refusalOf(['keys', 'list'], { DATABASE_URL: first, ICOSA_CELL: 'one' })).toContain('ICOSA_DIRECTORY_URL')

  await one('keys', 'create', '--tenant', 'ada')
  const add = (name: string, database: string, ...more: string[]) => [
    ...['cells', 'add', name, '--url', `https://${name}.example.com`, '--database', database, ...more],
  ]
  await icosa(...add('one', first, '--capacity', '2'))
  await icosa(...add('two', second, '--label', 'region=eu,tier=gold'))
  expect(await refusalOf(add('two', second, '--home'), directoryOnly)).toContain("'one' is the home")
  expect(await refusalOf(add('three', directory), directoryOnly)).toContain('run `icosa migrate`')
  expect(JSON.parse(await icosa('cells', 'list', '--json'))).toEqual([
    {
      ...{ name: 'one', number: 1, url: 'https://one.example.com', labels: {}, capacity: 2, state: 'active' },
      ...{ isHome: true, tenants: 1 },
    },
    expect.objectContaining({ name: 'two', labels: { region: 'eu', tier: 'gold' }, capacity: 10_000, tenants: 0 }),
  ])

  expect(await icosa('cells', 'place', 'bob')).toBe('two')
  expect(await icosa('cells', 'place', 'bob', '--label', 'region=us'), 'it is placed already').toBe('two')
  expect(await refusalOf(['cells', 'place', 'eve', '--label', 'region=us'], directoryOnly)).toContain('region=us')
  await two('keys', 'create', '--tenant', 'bob')
  const elsewhere = await refusalOf(['keys', 'create', '--tenant', 'bob'], nodeOf('one', first))
  expect(elsewhere).toContain("The tenant 'bob' is in the cell 'two'")
  const unset = { ...nodeOf('one', first), ICOSA_CELL: undefined }
  expect(await refusalOf(['keys', 'create', '--tenant', 'eve'], unset)).toContain('set ICOSA_DIRECTORY_URL')

  const diagnosis = await shellOf(nodeOf('two', second))('doctor', '--json', '--services', 'braille-translation').catch(
    ({ message }) => message,
  )
  expect(diagnosis).toContain('"detail": "two, active"')

  expect(await icosa('cells', 'drain', 'two')).toBe('bob')
  expect(await icosa('cells', 'place', 'eve')).toBe('one')
  expect(await refusalOf(['cells', 'place', 'mia'], directoryOnly)).toContain('No active cell has room')
  expect(await refusalOf(['keys', 'create', '--tenant', 'mia'], nodeOf('two', second))).toContain('no new tenants')
  expect(await refusalOf(['cells', 'remove', 'two'], directoryOnly)).toContain('has 1 tenants')
  expect(await refusalOf(['cells', 'drain', 'ten'], directoryOnly)).toContain("no cell 'ten'")
  expect(await icosa('cells', 'list')).toMatch(/^two +1 +10000 +draining +region=eu,tier=gold +https/m)

  await using database = databaseAt(second)
  await database.script("delete from icosa.credentials; delete from icosa.tenants where id = 'bob'")
  await using reachable = openedDirectory(directory)
  await reportChanges({ database, directory: reachable, cell: 'two' })
  expect(await refusalOf(['cells', 'remove', 'one'], directoryOnly)).toContain('has 2 tenants')
  await icosa('cells', 'remove', 'two')
  await shellOf({ ...nodeOf('one', second), ICOSA_CELL: undefined })('keys', 'create', '--tenant', 'alone')
})
