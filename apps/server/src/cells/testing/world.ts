import { type Database, sql, systemClock, tagOf } from '@icosa/kernel'
import { startProxy } from '@icosa/testing'
import { enter, openTestCell, type TestCell } from './cell.ts'
import { createTestDirectory } from './directory.ts'

export const insertName = (tenant: string, name: string) => sql`
  insert into icosa.subscriptions (key, tenant, created_at) values (${name}, ${tenant}, now())`
export const take = ({ database }: Pick<TestCell, 'database'>, tenant: string, name: string) =>
  database.transaction((db) => db.run(insertName(tenant, name)), tenant)
export const release = ({ database }: TestCell, name: string) =>
  database.run(sql`delete from icosa.subscriptions where key = ${name}`)
export const tagIn = ({ database }: TestCell, tenant: string) =>
  database.transaction((db) => tagOf(db, systemClock, tenant), tenant)

export const namesOf = async (directory: Database) =>
  (
    await directory.many<{ of: string }>(sql`
      select name || ' of ' || tenant_id as of from directory.names order by name`)
  ).map((row) => row.of)
export const changesIn = ({ database }: TestCell) =>
  database.many(sql`select name, state from icosa.name_changes order by name`)
/** As if a minute had passed. */
export const age = ({ database }: TestCell) =>
  database.run(sql`update icosa.name_changes set changed_at = changed_at - interval '2 minutes'`)

export async function opened(...names: readonly string[]) {
  const stack = new AsyncDisposableStack()
  const directory = stack.use(await createTestDirectory())
  const proxy = stack.use(await startProxy(directory.url))
  const cells: TestCell[] = []
  for (const name of names) cells.push(stack.use(await openTestCell(name, proxy.url)))
  for (const cell of cells) await enter(cell, directory.database)
  const [one, two] = cells as [TestCell, TestCell]
  return {
    directory: directory.database,
    directoryUrl: directory.url,
    proxy,
    one,
    two,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
