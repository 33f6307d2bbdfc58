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

test('the databases of a tenant share its connections, whatever their tiers', async () => {
  await using app = await startSqlApp(tenantWith({ connections: 6 }))
  const { create, client, of, connect } = await tenantOf(app, 'acme')
  await using connections = new AsyncDisposableStack()
  const open = async (name: string) => connections.use(await connect(name))

  await create('one', { sku: { name: 'P15' } }) // 160 by the tier
  const first = await Promise.all(Array.from({ length: 6 }, () => open('one')))
  await expect(open('one')).rejects.toMatchObject(tooManyConnections)

  await create('two', { sku: { name: 'P15' } }) // three for each
  await expect(open('one')).rejects.toMatchObject(tooManyConnections)
  const second = [await open('two'), await open('two'), await open('two')]
  await expect(open('two')).rejects.toMatchObject(tooManyConnections)
  await minutePasses(app) // nine are too many: the newest end
  for (const connection of second) await ended(connection)
  for (const connection of first) await connection.query('select 1')

  await client.delete(of('two'))
  await app.jobs.drain()
  await minutePasses(app)
  await first[0]?.[Symbol.asyncDispose]()
  await open('one') // all six are available again
  await expect(open('one')).rejects.toMatchObject(tooManyConnections)
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

test('a tenant cannot use connections that are reserved for others, whatever its quota', async () => {
  const { connections } = await onTestHost(capacity)
  await using app = await startSqlApp({ ...tenantWith({ connections: 1_000 }), reservedConnections: connections - 2 })
  const { create, connect, read } = await tenantOf(app, 'acme')
  await create('orders', { sku: { name: 'P15' } })
  await using one = await connect('orders')
  await using two = await connect('orders')
  await expect(connect('orders')).rejects.toMatchObject(tooManyConnections)
  await Promise.all([one.query('select 1'), two.query('select 1')])

  // A handler cannot know this, since only workers connect to the SQL host: the creation fails later.
  await create('archive')
  await create('third')
  expect((await read('third')).properties?.status).toBe('Inaccessible')
})

test('limits temporary files so that the role cannot raise the limit, or warns the operator', async () => {
  const isSuperuser = (
    await onTestHost((admin) => admin.query('select from pg_roles where rolname = user and rolsuper'))
  ).rowCount
  await using administrator = await anotherAdministrator(
    ...(isSuperuser ? ['set on parameter temp_file_limit'] : []), // only a superuser can grant it
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
  await using fresh = await connect('orders')
  expect((await fresh.query('show temp_file_limit')).rows).toEqual([{ temp_file_limit: '1MB' }])
  await client.delete(of('orders'))
  await app.jobs.drain()
  expect(await physicalNames(app.platform.database)).toEqual([])
})

test('terminates an idle transaction', async () => {
  await using app = await startSqlApp({ idleInTransactionMs: 0 })
  const { create, connect } = await tenantOf(app, 'acme')
  await create('orders')
  await using idle = await connect('orders')
  await idle.query('set idle_in_transaction_session_timeout = 0')
  await idle.query('begin')
  await using idleConnection = await connect('orders')
  await minutePasses(app)
  await ended(idle)
  await idleConnection.query('select 1')
})

test('terminates a statement that runs too long', async () => {
  await using app = await startSqlApp({ transactionMs: 0 })
  const { create, connect } = await tenantOf(app, 'acme')
  await create('orders')
  await using busyConnection = await connect('orders')
  await busyConnection.query('set statement_timeout = 0')
  const expectTermination = expect(busyConnection.query('select pg_sleep(600)')).rejects.toMatchObject({
    code: '57P01',
  })
  await using idleConnection = await connect('orders')
  await minutePasses(app)
  await expectTermination
  await idleConnection.query('select 1')
})
