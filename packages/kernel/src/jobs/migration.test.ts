import { createTestDatabase } from '@icosa/testing'
import { expect, test } from 'vitest'
import { openDatabase, sql } from '../db/db.ts'
import { readMigrations } from '../db/migration/files.ts'
import { migrate } from '../db/migration/migrate.ts'
import { migrationsOf } from '../node.ts'

test("open jobs of pg-boss's tables are kept, ended ones are not, and the tables are gone", async () => {
  await using testDatabase = await createTestDatabase([])
  const database = openDatabase({ url: testDatabase.url, maxConnections: 2, onError: () => {} })
  await database.script('drop schema icosa cascade')
  const all = await readMigrations(migrationsOf([]))
  const before = all.findIndex(({ name }) => name.startsWith('0017'))
  await database.script(`
    create schema jobs;
    create type jobs.job_state as enum ('created', 'retry', 'active', 'completed', 'cancelled', 'failed');
    create table jobs.job_common (
      id uuid default gen_random_uuid(), name text, data jsonb, group_id text, group_tier text, singleton_key text,
      state jobs.job_state, blocked boolean default false, source_id uuid, created_on timestamptz default clock_timestamp())`)
  await migrate(database, all.slice(0, before))
  const states = ['created', 'retry', 'active', 'completed', 'cancelled', 'failed']
  for (const state of states)
    await database.run(sql`
      insert into jobs.job_common (name, data, state) values ('example',
        ${JSON.stringify({ job: 'ring', tenant: 'ada', lane: 'punctual', input: state })}, ${state}::jobs.job_state)`)
  for (const [queue, input] of [
    ['example', 'first'],
    ['example', 'second'],
    ['example-dead', 'third'],
  ])
    await database.run(sql`
      insert into jobs.job_common (name, data, state) values (${queue},
        ${JSON.stringify({ job: 'ring', tenant: 'ada', key: 'a', input })}, 'active')`)
  await migrate(database, all)
  const jobs = await database.many(sql`
    select queue, lane, tenant, key, payload ->> 'input' as input, attempt, is_running from icosa.jobs order by id`)
  const waiting = { queue: 'example', tenant: 'ada', attempt: 1, is_running: false }
  expect(jobs).toEqual([
    { ...waiting, attempt: 0, lane: 'punctual', key: null, input: 'created' },
    ...['retry', 'active'].map((input) => ({ ...waiting, lane: 'punctual', key: null, input })),
    ...['first', 'second', 'third'].map((input) => ({ ...waiting, lane: 'default', key: 'ring a', input })),
  ])
  expect(await database.many(sql`select from pg_namespace where nspname = 'jobs'`)).toEqual([])
  await database.close()
})
