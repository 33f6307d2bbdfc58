import { sql } from '@icosa/kernel'
import { testServerUrl } from '@icosa/testing'
import { expect, test } from 'vitest'
import { databases } from '../contract.ts'
import { onTestHost, startSqlApp } from '../testing/app.ts'
import { connectTo, tenantOf } from '../testing/tenant.ts'

/** The same credentials for another database of the SQL host. */
const at = (url: string, database: string) => Object.assign(new URL(url), { pathname: `/${database}` }).href

test('the role of a database opens no other one: neither a tenant’s nor the platform’s', async () => {
  await using app = await startSqlApp()
  const acme = await tenantOf(app, 'acme')
  const other = await tenantOf(app, 'other', 'theirs')
  await acme.create('orders')
  await other.create('orders')
  const mine = await acme.credentials('orders')
  const theirs = await other.credentials('orders')
  expect(mine.database).not.toBe(theirs.database)

  const denied = { code: '42501', message: expect.stringContaining('permission denied for database') }
  await expect(connectTo(at(mine.connectionString, theirs.database))).rejects.toMatchObject(denied)
  await expect(connectTo(at(theirs.connectionString, mine.database))).rejects.toMatchObject(denied)
  const platform = new URL(app.databaseUrl).pathname.slice(1)
  await expect(connectTo(at(mine.connectionString, platform))).rejects.toMatchObject(denied)

  await expect(other.client.get(acme.of('nothing-of-theirs'))).rejects.toMatchObject({ status: 404 })
  const headers = { authorization: `Bearer ${await app.key('acme', ['sql-databases:Databases_Get'])}` }
  const reader = app.client(databases, { headers })
  expect((await reader.get(acme.of('orders'))).status).toBe(200)
  await expect(reader.listCredentials(acme.of('orders'))).rejects.toMatchObject({ status: 403 })
})

test('a role rules in its database, but not over its limits, other roles or the host', async () => {
  await using app = await startSqlApp()
  const { create, connect, credentials } = await tenantOf(app, 'acme')
  await create('orders')
  const { user } = await credentials('orders')
  await using connection = await connect('orders')

  await connection.query('create schema shop')
  await connection.query('create table shop.orders (id int generated always as identity primary key, text text)')
  await connection.query('create table plain ()')
  await connection.query(`create function twice(n int) returns int language sql as 'select 2 * n'`)

  const refused = [
    `alter database "${user}" connection limit -1`,
    `alter role "${user}" connection limit -1`,
    `alter role "${user}" createdb`,
    `alter database "${user}" allow_connections false`,
    `alter database "${user}" set work_mem to '1GB'`,
    'create role friend',
    'create database another',
    `set role "${new URL(testServerUrl).username}"`,
    `copy shop.orders from program 'id'`,
    `copy shop.orders from '/etc/passwd'`,
    `select pg_read_file('/etc/passwd')`,
    'create extension dblink',
  ]
  for (const statement of refused)
    await expect(connection.query(statement), statement).rejects.toMatchObject({ code: '42501' })
})

test('a password lies in the platform only sealed', async () => {
  await using app = await startSqlApp()
  const { create, credentials } = await tenantOf(app, 'acme')
  await create('orders')
  const { password } = await credentials('orders')
  const row = await app.platform.database.one<{ password: Buffer; all: string }>(sql`
    select password, to_json(kept)::text as all from sql_databases.databases as kept`)
  expect(row.all).toContain('orders')
  expect([row.all, row.password.toString('latin1')].some((text) => text.includes(password))).toBe(false)
})

test('while the platform’s database is open to every role, and it cannot close it, nothing is created', async () => {
  const role = `icosa_sql_admin_${process.pid}`
  await onTestHost((admin) => admin.query(`create role ${role} login createdb createrole password 'admin'`))
  await using cleanUp = new AsyncDisposableStack()
  cleanUp.defer(() => onTestHost(async (admin) => void (await admin.query(`drop role ${role}`))))
  const adminUrl = Object.assign(new URL(testServerUrl), { username: role, password: 'admin' }).href
  await using app = await startSqlApp({ adminUrl })
  const { client, of, status, headers } = await tenantOf(app, 'acme')
  const { headers: started } = await client.createOrUpdate({ ...of('orders'), body: { location: 'westeurope' } })
  for (let attempt = 0; attempt < 9; attempt++) {
    await app.jobs.drain()
    await app.clock.advance(3_600_000)
  }
  await app.jobs.drain()
  expect(await status('orders')).toBe('Inaccessible')
  const outcome = await fetch(String(started.get('azure-asyncoperation')), { headers })
  expect(await outcome.json()).toMatchObject({
    status: 'Failed',
    error: { message: expect.stringContaining('REVOKE CONNECT ON DATABASE') },
  })
})
