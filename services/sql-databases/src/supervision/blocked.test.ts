import { sql } from '@icosa/kernel'
import { type TestApp, testServerUrl } from '@icosa/testing'
import { expect, test } from 'vitest'
import { anotherAdministrator, closePlatform, minutePasses, onTestHost, startSqlApp } from '../testing/app.ts'
import { connectTo, ended, type Tenant, tenantOf } from '../testing/tenant.ts'

const maxSizeBytes = 16 * 1024 ** 2

/** Tenants with a database each, `orders`, in the order of supervision. */
async function tenantsInOrder(app: TestApp, count: number): Promise<Tenant[]> {
  const tenants = new Map<string, Tenant>()
  for (let number = 0; number < count; number++) {
    const name = `tenant-${number}`
    const tenant = await tenantOf(app, name, name)
    await tenant.create('orders', { properties: { maxSizeBytes } })
    tenants.set(name, tenant)
  }
  const rows = await app.platform.database.many<{ tenant: string }>(sql`
    select tenant from sql_databases.databases order by id`)
  return rows.flatMap(({ tenant }) => tenants.get(tenant) ?? [])
}

async function overfill({ connect }: Tenant): Promise<void> {
  await using connection = await connect('orders')
  await connection.query(
    'create table rows as select repeat(md5(n::text), 30) as text from generate_series(1, 20 * 1024) as n',
  )
}

const stateOf = async ({ read }: Tenant) => (await read('orders')).properties?.storageState

test.each([
  ['its settings', (user: string) => `alter role "${user}" in database "${user}" set work_mem = '1MB'`],
  ['its password', (user: string) => `alter role "${user}" password 'mine'`],
  ['its database', (user: string) => `grant connect on database "${user}" to "${user}"`],
])(
  'a tenant with an uncommitted change of %s evades no quota, of others or its own',
  async (_, change) => {
    await using app = await startSqlApp()
    const [holder, other] = await tenantsInOrder(app, 2)
    if (!holder || !other) throw new Error('two tenants were made')
    await overfill(holder)
    await overfill(other)
    const { user } = await holder.credentials('orders')
    await using blocker = await holder.connect('orders')
    await blocker.query('begin')
    await blocker.query(change(user))

    await minutePasses(app)
    expect([await stateOf(other), await stateOf(holder)]).toEqual(['ReadOnly', 'ReadOnly'])
    await ended(blocker)
    for (const tenant of [other, holder]) {
      await using after = await tenant.connect('orders')
      await expect(after.query('create table more ()')).rejects.toMatchObject({ code: '25006' })
    }
  },
  60_000,
)

test('a database that cannot be measured does not affect the quotas of others', async () => {
  await using administrator = await anotherAdministrator()
  await using app = await startSqlApp({ adminUrl: administrator.url })
  await closePlatform(app)
  const [broken, other] = await tenantsInOrder(app, 2)
  if (!broken || !other) throw new Error('two tenants were made')
  await overfill(other)
  const { user } = await broken.credentials('orders')
  // The administrator loses access to one of its databases.
  await onTestHost(async (admin) => {
    await admin.query(`alter database "${user}" owner to current_user`)
    await admin.query(`revoke connect on database "${user}" from ${administrator.role}, "${user}"`)
  })

  await minutePasses(app)
  expect(await stateOf(other)).toBe('ReadOnly')
})

test('pausing and deleting do not wait for locks of tenants', async () => {
  await using app = await startSqlApp()
  const [evil, victim] = await tenantsInOrder(app, 2)
  if (!evil || !victim) throw new Error('two tenants were made')
  const { database } = await victim.credentials('orders')
  const { user, connectionString } = await evil.credentials('orders')
  // Where the administrator connects, the names of locks can be guessed.
  const administrators = new URL(testServerUrl).pathname.slice(1)
  await onTestHost((admin) => admin.query(`grant connect on database "${administrators}" to "${user}"`))
  await using blocker = await connectTo(Object.assign(new URL(connectionString), { pathname: administrators }).href)
  await blocker.query('select pg_advisory_lock(hashtextextended($1, 0))', [database])

  await victim.client.pause(victim.of('orders'))
  await app.jobs.drain()
  expect(await victim.status('orders')).toBe('Paused')
  await ended(blocker)

  await using own = await evil.connect('orders')
  await own.query('begin')
  await own.query(`alter role "${user}" password 'mine'`)
  await evil.client.delete(evil.of('orders'))
  await app.jobs.drain()
  await expect(evil.status('orders')).rejects.toMatchObject({ status: 404 })
})
