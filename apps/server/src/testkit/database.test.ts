import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase, sql } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { startDevPostgres } from '../dev/postgres.ts'
import { createDatabase } from './database.ts'

const open = (url: string) => openDatabase({ url, maxConnections: 1, onError: () => {} })

/** A server on which a role that is not superuser may create databases. */
async function startServer(opened: AsyncDisposableStack): Promise<{ admin: Database; url: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'icosa-database-'))
  opened.defer(() => rm(directory, { recursive: true, maxRetries: 5 }))
  const server = await startDevPostgres({ directory, throwaway: true })
  opened.defer(() => server.stop({ discarding: true }))
  const admin = open(server.url)
  opened.defer(() => admin.abandon())
  await admin.script(`create role tester login createdb password 'tester'`)
  return { admin, url: Object.assign(new URL(server.url), { username: 'tester', password: 'tester' }).href }
}

/** Enough dead rows to keep a vacuum busy for minutes. */
const litter = `
  create table litter (number int, filler text) with (
    autovacuum_vacuum_threshold = 1, autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1);
  insert into litter select number, repeat('x', 500) from generate_series(1, 20000) number;
  update litter set number = 0;
  select pg_stat_force_next_flush()`

test('a database is dropped while a client and an autovacuum worker use it', async () => {
  await using opened = new AsyncDisposableStack()
  const { admin, url } = await startServer(opened)
  await admin.script(`alter system set autovacuum_naptime = '1s'`)
  await admin.script('select pg_reload_conf()')
  const own = await createDatabase(url)
  const user = open(own.url)
  opened.defer(() => user.abandon())
  await user.script(litter)

  const name = new URL(own.url).pathname.slice(1)
  const inside = async () => {
    const rows = await admin.many<{ kind: string }>(sql`
      select backend_type as kind from pg_stat_activity where datname = ${name} order by 1`)
    return rows.map(({ kind }) => kind)
  }
  await expect.poll(inside, { timeout: 60_000 }).toEqual(['autovacuum worker', 'client backend'])
  await own.drop()
  expect(await admin.maybe(sql`select from pg_database where datname = ${name}`)).toBeUndefined()
})
