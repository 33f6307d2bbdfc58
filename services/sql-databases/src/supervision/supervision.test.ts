import { sql } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { setOpen } from '../host/store.ts'
import { onTestHost, physicalNames, startSqlApp } from '../testing/app.ts'
import { tenantOf } from '../testing/tenant.ts'

const hour = 3_600_000

test('reopens a database that was closed on the SQL host by accident, and vice versa', async () => {
  await using app = await startSqlApp()
  const { create, client, of, connect, credentials } = await tenantOf(app, 'acme')
  await create('orders')
  const { database } = await credentials('orders')
  const supervise = async () => {
    await app.clock.advance(60_000)
    await app.jobs.drain()
  }
  await onTestHost((admin) => setOpen(admin, database, false))
  await expect(connect('orders')).rejects.toThrow('not currently accepting connections')
  await supervise()
  await using connection = await connect('orders')
  await connection.query('select 1')

  await client.pause(of('orders'))
  await app.jobs.drain()
  await onTestHost((admin) => setOpen(admin, database, true))
  await supervise()
  await expect(connect('orders')).rejects.toThrow('not currently accepting connections')
})

test('drops databases without a row after a day, and none of another installation', async () => {
  await using app = await startSqlApp()
  await using neighbour = await startSqlApp()
  const { create, connect } = await tenantOf(app, 'acme')
  const { create: createThere, connect: connectThere } = await tenantOf(neighbour, 'acme')
  await create('orders')
  await create('lost')
  await createThere('orders')
  const { database } = app.platform
  await database.run(sql`delete from sql_databases.databases where name = 'lost'`)

  await app.clock.advance(2 * hour)
  await app.jobs.drain()
  expect(await physicalNames(database)).toHaveLength(2) // leaves time to notice
  await app.clock.advance(25 * hour)
  await app.jobs.drain()
  expect(await physicalNames(database)).toHaveLength(1)
  await using mine = await connect('orders')
  await using theirs = await connectThere('orders')
  await mine.query('select 1')
  await theirs.query('select 1')
})
