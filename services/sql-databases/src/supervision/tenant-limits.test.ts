import { expect, test } from 'vitest'
import { capacity } from '../host/store.ts'
import { inspect } from '../inspection.ts'
import { defaultSettings } from '../settings.ts'
import {
  anotherAdministrator,
  closePlatform,
  minutePasses,
  onTestHost,
  physicalNames,
  startSqlApp,
  testSettings,
} from '../testing/app.ts'
import { ended, tenantOf } from '../testing/tenant.ts'

const tenantWith = (limits: Partial<typeof defaultSettings.tenant>) => ({
  tenant: { ...defaultSettings.tenant, ...limits },
})
const tooManyConnections = { code: '53300' }

test('the databases of a tenant share its connections, whatever their tiers say', async () => {
  await using app = await startSqlApp(tenantWith({ connections: 6 }))
  const { create, client, of, connect } = await tenantOf(app, 'acme')
  await using held = new AsyncDisposableStack()
  const hold = async (name: string) => held.use(await connect(name))

  await create('one', { sku: { name: 'P15' } }) // 160, were it for the tier
  const first = await Promise.all(Array.from({ length: 6 }, () => hold('one')))
  await expect(hold('one')).rejects.toMatchObject(tooManyConnections)

  await create('two', { sku: { name: 'P15' } }) // three for each
  await expect(hold('one')).rejects.toMatchObject(tooManyConnections)
  const second = [await hold('two'), await hold('two'), await hold('two')]
  await expect(hold('two')).rejects.toMatchObject(tooManyConnections)
  await minutePasses(app) // nine are too many: the newest end
  for (const connection of second) await ended(connection)
  for (const connection of first) await connection.query('select 1')

  await client.delete(of('two'))
  await app.jobs.drain()
  await minutePasses(app)
  await first[0]?.[Symbol.asyncDispose]()
  await hold('one') // all six are its own again
  await expect(hold('one')).rejects.toMatchObject(tooManyConnections)
})

test('a tenant has no more databases than connections', async () => {
  await using app = await startSqlApp(tenantWith({ connections: 2 }))
  const { create, client, of, connect } = await tenantOf(app, 'acme')
  await create('one')
  await create('two')
  const refused = { status: 409, body: { error: { code: 'DatabaseQuotaExceeded' } } }
  await expect(create('three')).rejects.toMatchObject(refused)
  await using connection = await connect('two')
  await connection.query('select 1')
  await client.delete(of('one'))
  await app.jobs.drain()
  await create('three')

  const other = await tenantOf(app, 'other', 'theirs')
  await other.create('one')
})

test('one tenant leaves the connections that are reserved for others, however much it was given', async () => {
  const { connections } = await onTestHost(capacity)
  await using app = await startSqlApp({ ...tenantWith({ connections: 1_000 }), reservedConnections: connections - 2 })
  const { create, connect, read } = await tenantOf(app, 'acme')
  await create('orders', { sku: { name: 'P15' } })
  await using one = await connect('orders')
  await using two = await connect('orders')
  await expect(connect('orders')).rejects.toMatchObject(tooManyConnections)
  await Promise.all([one.query('select 1'), two.query('select 1')])

  // What a handler cannot know, since only workers ask the SQL host, becomes the outcome of the creation.
  await create('archive')
  await create('third')
  expect((await read('third')).properties?.status).toBe('Inaccessible')
})

test('temporary files of a tenant have a limit that its role cannot lift, or the operator is warned', async () => {
  const isSuperuser = (
    await onTestHost((admin) => admin.query('select from pg_roles where rolname = user and rolsuper'))
  ).rowCount
  await using administrator = await anotherAdministrator(
    ...(isSuperuser ? ['set on parameter temp_file_limit'] : []), // what only a superuser can allow
  )
  const settings = { ...tenantWith({ tempBytes: 10 * 1024 ** 2 }), adminUrl: administrator.url }
  await using app = await startSqlApp(settings)
  await closePlatform(app)
  const remarks = (await inspect(testSettings(settings), app.databaseUrl)).join()
  if (!isSuperuser) return expect(remarks).toContain('GRANT SET ON PARAMETER temp_file_limit TO')
  expect(remarks).not.toContain('temp_file_limit')

  const { client, of, create, connect, credentials } = await tenantOf(app, 'acme')
  await create('orders') // ten connections
  const { user } = await credentials('orders')
  await using connection = await connect('orders')
  const sort = (rows: number) =>
    connection.query(
      `select count(*) from (select md5(n::text) from generate_series(1, ${rows}) as n order by 1) as sorted`,
    )
  await connection.query(`set work_mem = '64kB'`)
  await sort(5_000)
  await expect(sort(500_000)).rejects.toMatchObject({ code: '53400' })
  for (const refused of ['set temp_file_limit = -1', `alter role "${user}" set temp_file_limit = -1`])
    await expect(connection.query(refused), refused).rejects.toMatchObject({ code: '42501' })
  await connection.query(`alter role "${user}" in database "${user}" reset all`)
  await using again = await connect('orders')
  expect((await again.query('show temp_file_limit')).rows).toEqual([{ temp_file_limit: '1MB' }])
  await client.delete(of('orders'))
  await app.jobs.drain()
  expect(await physicalNames(app.platform.database)).toEqual([])
})

test('a transaction in which nothing happens ends', async () => {
  await using app = await startSqlApp({ idleInTransactionMs: 0 })
  const { create, connect } = await tenantOf(app, 'acme')
  await create('orders')
  await using idle = await connect('orders')
  await idle.query('set idle_in_transaction_session_timeout = 0')
  await idle.query('begin')
  await using resting = await connect('orders')
  await minutePasses(app)
  await ended(idle)
  await resting.query('select 1')
})

test('no statement holds its connection for ever', async () => {
  await using app = await startSqlApp({ transactionMs: 0 })
  const { create, connect } = await tenantOf(app, 'acme')
  await create('orders')
  await using working = await connect('orders')
  await working.query('set statement_timeout = 0')
  const stopped = expect(working.query('select pg_sleep(600)')).rejects.toMatchObject({ code: '57P01' })
  await using resting = await connect('orders')
  await minutePasses(app)
  await stopped
  await resting.query('select 1')
})
