import { type Database, sql } from '@icosa/kernel'
import { namePattern } from '../replication.ts'
import { movedTables } from '../tables.ts'
import type { TestCells } from './cells.ts'

/** A note, and a job for it. */
export const write = (database: Database, tenant: string, id: string, text = id) =>
  database.transaction(async (db) => {
    await db.run(sql`
      insert into example.notes (tenant, id, title, text, created_at) values (${tenant}, ${id}, 'written', ${text}, now())`)
    const job = JSON.stringify({ tenant, job: 'publishNote', input: { noteId: id } })
    await db.run(sql`insert into icosa.jobs (queue, payload) values ('example', ${job})`)
    await db.run(sql`update icosa.jobs set attempt = attempt + 1 where tenant = ${tenant} and id % 7 = 0`)
    await db.run(sql`insert into icosa.timers (due_at, queue, payload) values (now(), 'example', ${job})`)
  }, tenant)

export const notesIn = async (database: Database, tenant: string) =>
  (await database.many<{ id: string }>(sql`select id from example.notes where tenant = ${tenant} order by id`)).map(
    ({ id }) => id,
  )

/** Writes to wherever the tenant is, as requests through a router do. */
export function startWriters({ cells, routed }: TestCells, tenant: string, count = 2, text = '') {
  const acknowledged: string[] = []
  const isRunning = { yes: true }
  const one = async (writer: number) => {
    for (let n = 0; isRunning.yes; n++) {
      const id = `${text.slice(0, 1)}${writer}-${String(n).padStart(6, '0')}`
      while (isRunning.yes)
        try {
          const { cell = '' } = (await routed(tenant)) ?? {}
          await write((cell === 'a' ? cells.source : cells.target).database, tenant, id, text)
          acknowledged.push(id)
          break
        } catch (error) {
          if ((error as { code?: string }).code === '23505') throw error
        }
    }
  }
  const writers = Promise.all(Array.from({ length: count }, (_, writer) => one(writer)))
  return {
    acknowledged,
    async stop() {
      isRunning.yes = false
      await writers
      return acknowledged.toSorted()
    },
    async [Symbol.asyncDispose]() {
      isRunning.yes = false
      await writers
    },
  }
}

/** Slots, publications, subscriptions and gates of moves, and tables that log whole rows. */
export async function leftovers({ cells: { source, target } }: TestCells): Promise<string[]> {
  const found: string[] = []
  for (const { name, database } of [source, target]) {
    const rows = await database.many<{ name: string }>(sql`
      select slot_name as name from pg_replication_slots where database = current_database()
      union all select pubname from pg_publication where pubname ~ ${namePattern}
      union all select subname from pg_subscription where subdbid = (select oid from pg_database where datname = current_database())
      union all select viewname from pg_views where schemaname = 'icosa' and viewname ~ '^gate_'
        and viewname <> (select 'gate_' || gate from icosa.fence)
      union all select relname from pg_class where relreplident = 'f'`)
    found.push(...rows.map((row) => `${name} ${row.name}`))
  }
  return found
}

export async function rowsOf(database: Database, tenant: string): Promise<number> {
  let rows = 0
  for (const { name, filter } of await movedTables(database, tenant))
    rows += ((await database.script(`select count(*)::int as n from ${name} where ${filter}`))[0] as { n: number }).n
  return rows
}
