import { type Db, empty, type Page, type ReadingDb, readPage, sql } from '@icosa/kernel'

/** Returns false if the name is taken. */
export async function insert(db: Db, tenant: string, name: string, now: Date): Promise<boolean> {
  const inserted = await db.run(sql`
    insert into voice_messaging.configuration_sets (tenant, name, created_at) values (${tenant}, ${name}, ${now})
    on conflict do nothing`)
  return inserted === 1
}

/** Counts up to `limit`. */
export async function count(db: ReadingDb, tenant: string, limit: number): Promise<number> {
  const row = await db.one<{ count: number }>(sql`
    select count(*)::int as count from
      (select 1 from voice_messaging.configuration_sets where tenant = ${tenant} limit ${limit}) as counted`)
  return row.count
}

export async function exists(db: ReadingDb, tenant: string, name: string): Promise<boolean> {
  const row = await db.maybe(sql`
    select 1 from voice_messaging.configuration_sets where tenant = ${tenant} and name = ${name}`)
  return row !== undefined
}

/** Locks a set until the transaction ends. Returns false if there is none. */
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

export async function remove(db: Db, tenant: string, name: string): Promise<boolean> {
  const removed = await db.run(sql`
    delete from voice_messaging.configuration_sets where tenant = ${tenant} and name = ${name}`)
  return removed === 1
}
