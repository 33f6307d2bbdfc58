import { sql } from '@icosa/kernel'
import { testServerUrl } from '@icosa/testing'
import { expect, test } from 'vitest'
import { databases } from '../contract.ts'
import { installation } from '../databases/store.ts'
import { inspect } from '../inspection.ts'
import { anotherAdministrator, minutePasses, onTestHost, startSqlApp, testSettings } from '../testing/app.ts'
import { connectTo, ended, tenantOf } from '../testing/tenant.ts'
import { openDatabases } from './closing-store.ts'
import { openSqlHost } from './host.ts'
import { prepareHost } from './preparation.ts'

/** The same credentials for another database. */
const at = (url: string, database: string) => Object.assign(new URL(url), { pathname: `/${database}` }).href

test('the role of a database can connect neither to another tenant’s nor to the platform’s', async () => {
  await using app = await startSqlApp()
  const acme = await tenantOf(app, 'acme')
  const other = await tenantOf(app, 'other', 'theirs')
  await acme.create('orders')
  await other.create('orders')
  const acmeCredentials = await acme.credentials('orders')
  const otherCredentials = await other.credentials('orders')
  expect(acmeCredentials.database).not.toBe(otherCredentials.database)

  const denied = { code: '42501', message: expect.stringContaining('permission denied for database') }
  await expect(connectTo(at(acmeCredentials.connectionString, otherCredentials.database))).rejects.toMatchObject(denied)
  await expect(connectTo(at(otherCredentials.connectionString, acmeCredentials.database))).rejects.toMatchObject(denied)
  const platform = new URL(app.databaseUrl).pathname.slice(1)
  await expect(connectTo(at(acmeCredentials.connectionString, platform))).rejects.toMatchObject(denied)

  await expect(other.client.get(acme.of('nothing-of-theirs'))).rejects.toMatchObject({ status: 404 })
  const headers = { authorization: `Bearer ${await app.key('acme', ['sql-databases:Databases_Get'])}` }
  const reader = app.client(databases, { headers })
  expect((await reader.get(acme.of('orders'))).status).toBe(200)
  await expect(reader.listCredentials(acme.of('orders'))).rejects.toMatchObject({ status: 403 })
})

test('a role controls its database, but not its limits, other roles or the host', async () => {
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

test('the platform stores passwords only sealed', async () => {
  await using app = await startSqlApp()
  const { create, credentials } = await tenantOf(app, 'acme')
  await create('orders')
  const { password } = await credentials('orders')
  const row = await app.platform.database.one<{ password: Buffer; all: string }>(sql`
    select password, to_json(database)::text as all from sql_databases.databases as database`)
  expect(row.all).toContain('orders')
  expect([row.all, row.password.toString('latin1')].some((text) => text.includes(password))).toBe(false)
})

test('closes PostgreSQL’s standard databases to roles, or terminates their sessions there', async () => {
  await using app = await startSqlApp()
  // As on a new server; other tests on the host may have closed them.
  await onTestHost((admin) => admin.query('grant connect on database postgres, template1 to public'))
  const { create, credentials } = await tenantOf(app, 'acme')
  await create('orders')
  const { connectionString } = await credentials('orders')
  const open = await onTestHost(openDatabases) // databases that the tests’ administrator may not close
  for (const database of ['postgres', 'template1']) {
    if (!open.some(({ name }) => name === database)) {
      await expect(connectTo(at(connectionString, database))).rejects.toMatchObject({ code: '42501' })
      continue
    }
    await using intruder = await connectTo(at(connectionString, database))
    await minutePasses(app)
    await ended(intruder)
    const remarks = await inspect(testSettings(), app.databaseUrl)
    expect(remarks.join()).toContain(`REVOKE CONNECT, TEMPORARY ON DATABASE "${database}" FROM PUBLIC`)
  }
})

test('statements and contents of other tenants’ databases are hidden', async () => {
  await using app = await startSqlApp()
  const acme = await tenantOf(app, 'acme')
  const other = await tenantOf(app, 'other', 'theirs')
  await acme.create('orders')
  await other.create('orders')
  await using otherConnection = await other.connect('orders')
  await otherConnection.query(`select 'a secret of theirs'`)
  const { user } = await other.credentials('orders')

  await using acmeConnection = await acme.connect('orders')
  const { rows } = await acmeConnection.query('select query, client_addr from pg_stat_activity where usename = $1', [
    user,
  ])
  expect(rows).toEqual([{ query: '<insufficient privilege>', client_addr: null }])
  for (const refused of [
    `select pg_database_size('${user}')`,
    'select rolpassword from pg_authid',
    `set role "${user}"`,
    `alter role "${user}" set search_path = mine`,
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${user}'`,
  ])
    await expect(acmeConnection.query(refused), refused).rejects.toMatchObject({ code: '42501' })
  await otherConnection.query('select 1')
})

test('creates nothing while the platform’s database is open to every role and cannot be closed', async () => {
  await using administrator = await anotherAdministrator()
  await using app = await startSqlApp()
  const platform = await installation(app.platform.database)
  const settings = testSettings({ adminUrl: administrator.url })
  /** Other tests on this host close it again concurrently. */
  const refusal = async (): Promise<Error> => {
    for (;;) {
      await onTestHost((admin) => admin.query(`grant connect on database "${platform.name}" to public`))
      const outcome = await openSqlHost(settings)()
        .alone([], (admin) => prepareHost(admin, platform, settings))
        .catch((error: Error) => error)
      if (outcome instanceof Error) return outcome
    }
  }
  expect((await refusal()).message).toContain(`REVOKE CONNECT, TEMPORARY ON DATABASE "${platform.name}" FROM PUBLIC`)
})
