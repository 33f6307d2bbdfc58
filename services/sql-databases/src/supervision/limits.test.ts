import { expect, test } from 'vitest'
import { startSqlApp } from '../testing/app.ts'
import { type Connection, tenantOf } from '../testing/tenant.ts'

const minute = 60_000
const megabyte = 1024 ** 2

async function write(connection: Connection, megabytes: number): Promise<void> {
  await connection.query(
    `insert into notes select repeat(md5(n::text), 30) from generate_series(1, ${megabytes * 1024}) as n`,
  )
}

test('a tier limits the number of connections, and another tier raises it', async () => {
  await using app = await startSqlApp()
  const { create, client, of, connect, status } = await tenantOf(app, 'acme')
  await create('orders', { sku: { name: 'Basic' } })
  await using connections = new AsyncDisposableStack()
  const open = async () => connections.use(await connect('orders'))
  for (let count = 0; count < 5; count++) await open()
  await expect(open()).rejects.toMatchObject({ code: '53300' })

  const body = { sku: { name: 'S0' }, properties: { maxConnections: 6 } }
  expect((await client.update({ ...of('orders'), body })).status).toBe(202)
  expect(await status('orders')).toBe('Scaling')
  await app.jobs.drain()
  expect((await client.update({ ...of('orders'), body })).status).toBe(200)
  await open()
  await expect(open()).rejects.toMatchObject({ code: '53300' })
})

test('an oversized database is read-only until it is small enough', async () => {
  await using app = await startSqlApp()
  const { create, connect, read } = await tenantOf(app, 'acme')
  const nextState = async () => {
    await app.clock.advance(minute)
    await app.jobs.drain()
    return (await read('orders')).properties?.storageState
  }
  await create('orders', { properties: { maxSizeBytes: 16 * megabyte } })
  await using before = await connect('orders')
  await before.query('create table notes (text text)')
  await write(before, 1)
  expect(await nextState()).toBe('ReadWrite')
  await write(before, 20)
  expect(await nextState()).toBe('ReadOnly')

  await expect(before.query('select 1')).rejects.toThrow() // the new default would not apply to it
  await using after = await connect('orders')
  await expect(write(after, 1)).rejects.toMatchObject({ code: '25006' })
  expect((await after.query('select count(*)::int as count from notes')).rows).toEqual([{ count: 21 * 1024 }])
  await after.query('begin read write')
  await after.query('truncate notes')
  await after.query('commit')
  expect(await nextState()).toBe('ReadWrite')
  await using writable = await connect('orders')
  await write(writable, 1)
})

test('a read-only database that keeps growing is closed until its limit is raised', async () => {
  await using app = await startSqlApp()
  const { create, client, of, connect, read } = await tenantOf(app, 'acme')
  const nextState = async () => {
    await app.clock.advance(minute)
    await app.jobs.drain()
    return (await read('orders')).properties?.storageState
  }
  await create('orders', { properties: { maxSizeBytes: 16 * megabyte } })
  {
    await using connection = await connect('orders')
    await connection.query('create table notes (text text)')
    await write(connection, 20)
  }
  expect(await nextState()).toBe('ReadOnly')
  await using stubborn = await connect('orders')
  await stubborn.query('set default_transaction_read_only = off')
  await write(stubborn, 5)
  expect(await nextState()).toBe('Closed')
  await expect(stubborn.query('select 1')).rejects.toThrow()
  await expect(connect('orders')).rejects.toThrow('not permitted to log in')

  await client.update({ ...of('orders'), body: { properties: { maxSizeBytes: 64 * megabyte } } })
  await app.jobs.drain()
  expect((await read('orders')).properties).toMatchObject({ storageState: 'ReadWrite', maxSizeBytes: 64 * megabyte })
  await using connection = await connect('orders')
  await write(connection, 1)
})
