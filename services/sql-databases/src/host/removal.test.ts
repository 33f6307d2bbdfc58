import { sql } from '@icosa/kernel'
import { urlOf } from '@icosa/testing'
import { expect, test } from 'vitest'
import { onTestHost, physicalNames, startSqlApp } from '../testing/app.ts'
import { connectTo, ended, tenantOf } from '../testing/tenant.ts'
import { dropDatabase } from './store.ts'

/** Creates a foreign database on the SQL host. */
async function createForeign(name: string) {
  await onTestHost((admin) => admin.query(`create database ${name}`))
  return {
    query: (statement: string) => onTestHost((admin) => admin.query(statement)),
    async largeObjects(): Promise<number> {
      await using inside = await connectTo(urlOf(name))
      return (await inside.query('select from pg_largeobject_metadata')).rowCount ?? 0
    },
    [Symbol.asyncDispose]: () => onTestHost((admin) => dropDatabase(admin, name)),
  }
}

test('locks out a role with objects in another database, then drops them with its own database', async () => {
  await using app = await startSqlApp()
  const { client, of, create, credentials, status } = await tenantOf(app, 'acme')
  await create('orders')
  const { connectionString, user } = await credentials('orders')
  const name = `icosa_foreign_${process.pid}`
  await using foreign = await createForeign(name)
  await foreign.query(`grant connect, create on database ${name} to "${user}"`)

  const elsewhere = Object.assign(new URL(connectionString), { pathname: `/${name}` }).href
  await using intruder = await connectTo(elsewhere)
  await intruder.query(`select lo_from_bytea(0, '\\x00')`)
  await intruder.query('create schema hoard create table hoarded ()')
  expect(await foreign.largeObjects()).toBe(1)

  // While the foreign database is closed, the deletion is incomplete; but the role is locked out.
  await foreign.query(`alter database ${name} allow_connections false`)
  await client.delete(of('orders'))
  await app.jobs.drain()
  expect(await status('orders')).toBe('Shutdown')
  await ended(intruder)
  for (const url of [connectionString, elsewhere])
    await expect(connectTo(url)).rejects.toMatchObject({ code: expect.stringMatching(/^(28|55)000$/) })

  await foreign.query(`alter database ${name} allow_connections true`)
  await expect(connectTo(elsewhere)).rejects.toThrow('not permitted to log in')
  await app.clock.advance(3_600_000)
  await app.jobs.drain()
  await expect(status('orders')).rejects.toMatchObject({ status: 404 })
  expect(await foreign.largeObjects()).toBe(0)
  const { rowCount } = await onTestHost((admin) => admin.query(sql`select from pg_roles where rolname = ${user}`))
  expect(rowCount).toBe(0)
})

test('drops a database that a server crash left half dropped', async () => {
  await using app = await startSqlApp()
  const { client, of, create, credentials, status } = await tenantOf(app, 'acme')
  await create('orders')
  const { database } = await credentials('orders')
  const isMarked = await onTestHost((admin) =>
    admin.query(sql`update pg_database set datconnlimit = -2 where datname = ${database}`).then(
      () => true,
      () => false, // only a superuser can simulate the crash
    ),
  )
  await client.delete(of('orders'))
  await app.jobs.drain()
  await expect(status('orders'), String(isMarked)).rejects.toMatchObject({ status: 404 })
  expect(await physicalNames(app.platform.database)).toEqual([])
})
