import { expect, test } from 'vitest'
import { queries } from '../contract.ts'
import { startSqlApp } from '../testing/app.ts'
import { tenantOf } from '../testing/tenant.ts'

async function start() {
  const app = await startSqlApp()
  const acme = await tenantOf(app, 'acme')
  await acme.create('orders')
  const runAs = async (tenant: string, permissions?: readonly string[]) => {
    const headers = { authorization: `Bearer ${await app.key(tenant, permissions)}` }
    const client = app.client(queries, { headers })
    return async (statement: string, more: { write?: boolean; explain?: boolean } = {}) =>
      (await client.run({ ...acme.of('orders'), body: { statement, ...more } })).body
  }
  return { app, acme, runAs, run: await runAs('acme') }
}

const refused = (message: RegExp) => ({
  status: 400,
  body: { error: { code: 'StatementFailed', message: expect.stringMatching(message) } },
})

test('one statement runs as the role of the database, and values are as PostgreSQL writes them', async () => {
  const { app, acme, run, runAs } = await start()
  await using _ = app
  const { user } = await acme.credentials('orders')
  expect(
    await run('select current_user::text, current_database()::text, session_user = current_user as own'),
  ).toMatchObject({
    columns: [
      { name: 'current_user', type: 'text' },
      { name: 'current_database', type: 'text' },
      { name: 'own', type: 'bool' },
    ],
    rows: [[user, user, 't']],
    isTruncated: false,
  })
  const values = `select 1e30::numeric + 0.1 as n, 9007199254740993 as big, '{"b": 1,  "a":null}'::json as j,
    '\\xff00'::bytea as b, null as nothing, '' as empty, array[1,null] as list, 'NaN'::float8 as nan`
  expect((await run(values)).rows).toEqual([
    [
      '1000000000000000000000000000000.1',
      '9007199254740993',
      '{"b": 1,  "a":null}',
      '\\xff00',
      null,
      '',
      '{1,NULL}',
      'NaN',
    ],
  ])

  expect(await run('create table items (id int primary key, text text)', { write: true })).toMatchObject({
    columns: [],
  })
  expect(await run(`insert into items values (1, 'a'), (2, 'b')`, { write: true })).toMatchObject({ affected: 2 })
  expect((await run('select * from items order by id')).rows).toEqual([
    ['1', 'a'],
    ['2', 'b'],
  ])
  expect((await run('select * from items where id = 1', { explain: true })).plan).toMatch(/Index Scan using items_pkey/)
  await expect(run('select * from nothing')).rejects.toMatchObject(
    refused(/^relation "nothing" does not exist \(at character 15\)/),
  )
  await expect(run(`insert into items values (1, 'c')`, { write: true })).rejects.toMatchObject(
    refused(/duplicate key.*23505/),
  )

  await expect((await runAs('other'))('select 1')).rejects.toMatchObject({ status: 404 })
  const reader = await runAs('acme', ['sql-databases:Databases_Get'])
  await expect(reader('select 1')).rejects.toMatchObject({ status: 403 })
}, 120_000)

test('without write, nothing is written, however it is tried', async () => {
  const { app, run } = await start()
  await using _ = app
  await run('create table items (id int)', { write: true })
  await run('create sequence ids', { write: true })
  await run(
    `create function sneak() returns void language plpgsql as
      $$ begin set transaction read write; insert into items values (1); end $$`,
    { write: true },
  )
  const attempts = [
    'insert into items values (1)',
    'with inserted as (insert into items values (1) returning id) select * from inserted',
    `select nextval('ids')`,
    'select sneak()',
    'set transaction read write',
    `select set_config('transaction_read_only', 'off', false)`,
    'do $$ begin set transaction read write; insert into items values (1); end $$',
    'do $$ begin commit; insert into items values (1); end $$',
    'explain analyze insert into items values (1)',
    'commit; insert into items values (1)',
    'begin; insert into items values (1); commit',
  ]
  for (const attempt of attempts) await expect(run(attempt), attempt).rejects.toMatchObject({ status: 400 })
  const explained = { explain: true, write: true }
  await expect(run('analyze insert into items values (1)', explained)).rejects.toMatchObject({ status: 400 })
  await run('insert into items values (1)', explained)
  // Ends the transaction, after which nothing follows.
  for (const attempt of ['commit', 'rollback and chain', 'set session characteristics as transaction read write'])
    await run(attempt)
  expect((await run('select count(*) from items')).rows).toEqual([['0']])
}, 120_000)

test('one statement cannot reach the host, other databases, or take long or much', async () => {
  const { app, acme, run } = await start()
  await using _ = app
  await acme.create('others')
  const { database } = await acme.credentials('others')
  const attempts = [
    'select 1; select 2',
    `copy (select 1) to program 'touch /tmp/never'`,
    `copy (select 1) to '/tmp/never'`,
    'copy pg_class from stdin',
    `select pg_read_file('/etc/passwd')`,
    `select * from "${database}".pg_catalog.pg_class`,
    'select rolpassword from pg_authid',
    'set role postgres',
    'set session authorization postgres',
  ]
  for (const statement of attempts)
    for (const write of [false, true])
      await expect(run(statement, { write }), statement).rejects.toMatchObject({ status: 400 })

  const many = await run('select generate_series(1, 100000000)')
  expect(many).toMatchObject({ isTruncated: true })
  expect(many.rows).toHaveLength(1_000)
  const wide = await run(`select repeat('x', 100000) from generate_series(1, 100)`)
  expect(wide).toMatchObject({ isTruncated: true })
  expect(wide.rows).toHaveLength(10)
  expect(await run(`select repeat('x', 200000000)`)).toMatchObject({ isTruncated: true, rows: [] })
  expect(await run(`copy (select repeat('x', 1000) from generate_series(1, 1000000)) to stdout`)).toMatchObject({
    ...{ isTruncated: true, rows: [] },
  })
  await run('create table items (id int)', { write: true })
  const returning = 'insert into items select generate_series(1, 5000) returning id'
  await expect(run(returning, { write: true })).rejects.toMatchObject(refused(/its changes were undone/))
  expect((await run('select count(*) from items')).rows).toEqual([['0']])

  const slow = [
    `select pg_sleep(60)`,
    `do $$ begin perform set_config('statement_timeout', '0', false); loop end loop; end $$`,
  ]
  for (const result of await Promise.allSettled(slow.map((statement) => run(statement))))
    expect(result).toMatchObject({ status: 'rejected', reason: refused(/statement timeout/) })
}, 180_000)

test('only a database that is online can be queried', async () => {
  const { app, acme, run } = await start()
  await using _ = app
  await acme.client.pause(acme.of('orders'))
  await app.jobs.drain()
  await expect(run('select 1')).rejects.toMatchObject({ status: 409 })
}, 120_000)
