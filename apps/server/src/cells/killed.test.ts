import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, sql } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { openDirectory } from './directory.ts'
import { refuseOtherCell } from './membership.ts'
import { reportChanges } from './report.ts'
import { reserveName } from './reserve.ts'
import type { TestCell } from './testing/cell.ts'
import { age, insertName, namesOf, opened } from './testing/world.ts'

const rounds = 25

/** Takes and releases a few names with many others, and is killed at some moment. */
async function workAndDie({ url, cell }: TestCell, directoryUrl: string): Promise<void> {
  const directory = openDirectory({ url: directoryUrl, onError: () => {} })
  const database = openDatabase({
    url,
    maxConnections: 6,
    onError: () => {},
    reserveName: reserveName(directory, cell),
  })
  const act = async () => {
    const name = `n${Math.floor(Math.random() * 4)}`
    const tenant = `${cell}-${Math.floor(Math.random() * 3)}`
    if (Math.random() < 0.3)
      await database.run(sql`delete from icosa.subscriptions where key = ${name} and tenant = ${tenant}`)
    else if (Math.random() < 0.2) await reportChanges({ database, directory, cell })
    else await database.transaction((db) => db.run(insertName(tenant, name)), tenant)
  }
  const working = Promise.allSettled(Array.from({ length: 12 }, () => act()))
  await sleep(Math.random() * 600)
  database.abandon()
  await directory.close()
  await working
}

test('nodes of two cells that are killed at random moments leave no name in both, and none behind', async () => {
  await using world = await opened('one', 'two')
  const { directory, directoryUrl, one, two } = world
  const namesIn = async ({ database }: TestCell) =>
    (
      await database.many<{ of: string }>(sql`
      select name || ' of ' || tenant as of from icosa.names where purpose = 'subscription' order by 1`)
    ).map((row) => row.of)
  const nameOnly = (of: string) => of.split(' ')[0]
  /** Names that only the directory or only a cell has, once all is reported. */
  const differences = async () => {
    for (const cell of [one, two]) {
      await age(cell)
      await reportChanges(cell)
    }
    const known = await namesOf(directory)
    const own = [...(await namesIn(one)), ...(await namesIn(two))]
    return [...new Set(known).symmetricDifference(new Set(own))]
  }
  for (let round = 1; round <= rounds; round++) {
    await Promise.all([workAndDie(one, directoryUrl), workAndDie(two, directoryUrl)])
    const names = [...(await namesIn(one)), ...(await namesIn(two))].map(nameOnly)
    expect(new Set(names).size, 'no name is in both').toBe(names.length)
    if (round % 5 === 0) await expect.poll(differences, { timeout: 20_000 }).toEqual([])
  }
})

test('a node does not start on the database of another cell, or without the name of its own', async () => {
  await using world = await opened('one')
  const { database } = world.one
  await refuseOtherCell(database, 'one')
  await expect(refuseOtherCell(database, 'two')).rejects.toThrow("cell 'one': set ICOSA_CELL=one")
  await expect(refuseOtherCell(database, undefined)).rejects.toThrow('ICOSA_DIRECTORY_URL')
})
