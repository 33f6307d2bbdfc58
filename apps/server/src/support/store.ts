import { type ReadingDb, sql } from '@icosa/kernel'
import { nodes } from '@icosa/platform/operator'

/** Facts about the database by name. None reads a statement, a password, or what a tenant stored. */
export const facts: Readonly<Record<string, (db: ReadingDb) => Promise<readonly object[]>>> = {
  server: (db) =>
    db.many(sql`
      select version(), pg_is_in_recovery() as "isReplica", pg_postmaster_start_time() as "startedAt",
        pg_database_size(current_database())::float8 as bytes, clock_timestamp() as now`),
  settings: (db) =>
    db.many(sql`
      select name, setting as value, unit, source from pg_settings
      where source <> 'default' and (name like any (array['autovacuum%', 'max_%', '%wal%', '%timeout', '%mem', '%cost'])
        or name in ('shared_buffers', 'synchronous_commit', 'jit', 'fsync', 'full_page_writes')) order by name`),
  connections: (db) =>
    db.many(sql`
      select application_name as application, state, wait_event_type as "waitsFor", wait_event as event, count(*)::int,
        max(extract(epoch from clock_timestamp() - xact_start))::float8 as "oldestTransactionSeconds"
      from pg_stat_activity where datname = current_database() group by 1, 2, 3, 4 order by count desc limit 100`),
  replicationSlots: (db) =>
    db.many(sql`
      select slot_name as name, slot_type as type, active as "isActive", wal_status as "walStatus",
        pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::float8 as "retainedBytes" from pg_replication_slots order by 1`),
  migrations: (db) =>
    db.many(sql`
      select owner, count(*)::int, max(name) as last, max(applied_at) as "lastAt"
      from icosa.migrations group by 1 order by 1`),
  // Estimates: counting a large table takes minutes.
  tables: (db) =>
    db.many(sql`
      select schemaname || '.' || relname as name, pg_total_relation_size(relid)::float8 as bytes, n_live_tup::float8 as rows,
        n_dead_tup::float8 as "deadRows", last_autovacuum as "lastAutovacuum", last_autoanalyze as "lastAutoanalyze"
      from pg_stat_user_tables order by bytes desc limit 300`),
  nodes,
  jobs: (db) =>
    db.many(sql`
      select queue, lane, payload ->> 'job' as job, is_running as "isRunning", attempt, count(*)::int,
        min(enqueued_at) as oldest, max(renewed_at) as "lastRenewed"
      from icosa.jobs group by 1, 2, 3, 4, 5 order by count desc limit 300`),
  schedules: (db) =>
    db.many(sql`
      select name, every_ms::float8 as "everyMs", last_at as "lastAt", next_at as "nextAt" from icosa.schedules order by 1`),
}
