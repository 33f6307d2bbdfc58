import { type Database, openDatabase, sql } from '@icosa/kernel'
import { createTestDatabase } from '@icosa/testing'
import { migrateDirectory } from '../migrations.ts'

export interface TestDirectory extends AsyncDisposable {
  readonly url: string
  readonly database: Database
}

/** An empty directory in a database of its own. */
export async function createTestDirectory(): Promise<TestDirectory> {
  const { url, ...created } = await createTestDatabase([])
  const database = openDatabase({ url, maxConnections: 4, onError: () => {} })
  await migrateDirectory(database)
  return {
    url,
    database,
    async [Symbol.asyncDispose]() {
      await database.close()
      await created[Symbol.asyncDispose]()
    },
  }
}

/** Adds rows for cells without databases; the first is the home. */
export async function addTestCells(database: Database, ...names: readonly string[]): Promise<void> {
  for (const [index, name] of names.entries())
    await database.run(sql`
      insert into directory.cells (name, number, url, database_url, labels, capacity, state, is_home)
      values (${name}, nextval('directory.cell_numbers'), ${`https://${name}.example.com`}, ${`postgres://${name}/icosa`},
        '{"region": "eu"}', 100, 'active', ${index === 0})`)
}
