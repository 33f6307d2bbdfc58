import { sql } from '@icosa/kernel'
import { urlOf } from '@icosa/testing'
import { expect, test } from 'vitest'
import { onTestHost, physicalNames, startSqlApp } from '../testing/app.ts'
import { connectTo, ended, tenantOf } from '../testing/tenant.ts'
import { dropDatabase } from './store.ts'

/** A database of somebody else on the SQL host. */
async function besides(name: string) {
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

test('a role that has left something elsewhere is shut out first, then all of it goes with its database', async () => {
  await using app = await startSqlApp()
  const { client, of, create, credentials, status } = await tenantOf(app, 'acme')
  await create('orders')
  const { connectionString, user } = await credentials('orders')
  const name = `icosa_beside_${process.pid}`
  await using beside = await besides(name)
  await beside.query(`grant connect, create on database ${name} to "${user}"`)

  const elsewhere = Object.assign(new URL(connectionString), { pathname: `/${name}` }).href
  await using there = await connectTo(elsewhere)
  await there.query(`select lo_from_bytea(0, '\\x00')`)
  await there.query('create schema hoard create table hoarded ()')
  expect(await beside.largeObjects()).toBe(1)

  // As long as nobody can go there to clean up, the deletion is not done; but the role is out.
  await beside.query(`alter database ${name} allow_connections false`)
  await client.delete(of('orders'))
  await app.jobs.drain()
  expect(await status('orders')).toBe('Shutdown')
  await ended(there)
  for (const url of [connectionString, elsewhere])
    await expect(connectTo(url)).rejects.toMatchObject({ code: expect.stringMatching(/^(28|55)000$/) })

  await beside.query(`alter database ${name} allow_connections true`)
  await expect(connectTo(elsewhere)).rejects.toThrow('not permitted to log in')
  await app.clock.advance(3_600_000)
  await app.jobs.drain()
  await expect(status('orders')).rejects.toMatchObject({ status: 404 })
  expect(await beside.largeObjects()).toBe(0)
  const { rowCount } = await onTestHost((admin) => admin.query(sql`select from pg_roles where rolname = ${user}`))
  expect(rowCount).toBe(0)
})

test('a database that a crash of the server left half dropped goes, too', async () => {
  await using app = await startSqlApp()
  const { client, of, create, credentials, status } = await tenantOf(app, 'acme')
  await create('orders')
  const { database } = await credentials('orders')
  const marked = await onTestHost((admin) =>
    admin.query(sql`update pg_database set datconnlimit = -2 where datname = ${database}`).then(
      () => true,
      () => false, // only a superuser can play the crash
    ),
  )
  await client.delete(of('orders'))
  await app.jobs.drain()
  await expect(status('orders'), String(marked)).rejects.toMatchObject({ status: 404 })
  expect(await physicalNames(app.platform.database)).toEqual([])
})
