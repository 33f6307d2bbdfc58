import { type Db, empty, type Page, type ReadingDb, readPage, sql } from '@icosa/kernel'

/** False if there is one of this name. */
export async function insert(db: Db, tenant: string, name: string, now: Date): Promise<boolean> {
  const inserted = await db.run(sql`
    insert into voice_messaging.configuration_sets (tenant, name, created_at) values (${tenant}, ${name}, ${now})
    on conflict do nothing`)
  return inserted === 1
}

/** How many there are, as far as `most`. */
export async function count(db: ReadingDb, tenant: string, most: number): Promise<number> {
  const { found } = await db.one<{ found: number }>(sql`
    select count(*)::int as found from
      (select 1 from voice_messaging.configuration_sets where tenant = ${tenant} limit ${most}) as counted`)
  return found
}

export async function exists(db: ReadingDb, tenant: string, name: string): Promise<boolean> {
  const row = await db.maybe(sql`
    select 1 from voice_messaging.configuration_sets where tenant = ${tenant} and name = ${name}`)
  return row !== undefined
}

/** Nobody adds to it, or deletes it, until the transaction ends. False if there is none. */
export async function lock(db: Db, tenant: string, name: string): Promise<boolean> {
  const row = await db.maybe(sql`
    select 1 from voice_messaging.configuration_sets where tenant = ${tenant} and name = ${name} for update`)
  return row !== undefined
}

export function list(
  db: ReadingDb,
  tenant: string,
  limit: number,
  token: string | undefined,
): Promise<Page<{ name: string }>> {
  return readPage(
    { limit, token, query: ['configuration sets', tenant], at: 'query/NextToken' },
    ({ name }) => [name],
    (after, rows) =>
      db.many(sql`
        select name from voice_messaging.configuration_sets where tenant = ${tenant}
          ${after ? sql`and name > ${String(after[0])}` : empty}
        order by name limit ${rows}`),
  )
}

/** False if there is none. */
export async function remove(db: Db, tenant: string, name: string): Promise<boolean> {
  const removed = await db.run(sql`
    delete from voice_messaging.configuration_sets where tenant = ${tenant} and name = ${name}`)
  return removed === 1
}
