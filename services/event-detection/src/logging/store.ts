import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import type { LoggingOptions } from './contract.ts'

export async function put(db: Db, tenant: string, options: LoggingOptions): Promise<void> {
  await db.run(sql`
    insert into event_detection.logging_options (tenant, options) values (${tenant}, ${JSON.stringify(options)})
    on conflict (tenant) do update set options = excluded.options`)
}

export async function find(db: ReadingDb, tenant: string): Promise<LoggingOptions | undefined> {
  const row = await db.maybe<{ options: LoggingOptions }>(
    sql`select options from event_detection.logging_options where tenant = ${tenant}`,
  )
  return row?.options
}
