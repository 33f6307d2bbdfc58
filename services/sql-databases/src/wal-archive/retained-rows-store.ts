import { sql } from '@icosa/kernel'

/** Those that came with their tenant from another host are in no archive here. */
const isHere = sql`host in (select system from sql_databases.archives)`

/** Databases with a continuous backup: since when they are archived, and for how many days. */
export const keptRows = () => sql`
  select since, keep_days as days from sql_databases.kept_databases where host is null or ${isHere}`

/** Databases that are archived without being asked for, existing and deleted ones. */
export const retainedRows = (days: number) => sql`
  select host_since, ${days}::int from sql_databases.databases where ${days}::int > 0 and host is not null
  union all
  select host_since, ${days}::int from sql_databases.dropped_databases where ${days}::int > 0 and ${isHere}`
