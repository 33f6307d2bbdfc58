import { signedFetch } from '@icosa/dialects/signed/fetch'
import { openDatabase, prepareDatabase, sql, takeIntoOperation } from '@icosa/kernel'
import { operating } from '@icosa/platform'
import { createTestDatabase } from '@icosa/testing'
import { expect, test } from 'vitest'
import { type OperatedNode, operatorOf } from './testing/operator.ts'

// Development mode and an operator's nodes on one database, each in its own process.
const services = ['--services', 'job-scheduler,braille-translation,resource-groups,identity-connect']
const publicKey = 'icosa-dev-key'

const byKey = ({ url }: OperatedNode) =>
  fetch(`${url}/braille-translation/translate/braille?text=x`, { headers: { 'X-Vendor-Api-Secret': publicKey } })
const byBearer = ({ url }: OperatedNode, token: string) =>
  fetch(`${url}/job-scheduler/subscriptions/s/providers/Vendor.Scheduler/jobCollections?api-version=2016-03-01`, {
    headers: { authorization: `Bearer ${token}` },
  })
const signer = { id: 'AKIDEVELOPMENTMODE00', secret: publicKey, region: 'us-east-1', service: 'resource-groups' }
const bySignature = ({ url }: OperatedNode) =>
  signedFetch(signer)(`${url}/resource-groups/groups-list`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
const byClientCredentials = ({ url }: OperatedNode) =>
  fetch(`${url}/dev/oauth2/v2.0/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'key_dev',
      client_secret: publicKey,
      scope: 'any/.default',
    }),
  })

test('the key of development mode works on its own nodes and never on an operator’s', async () => {
  await using database = await createTestDatabase([])
  await using operator = await operatorOf(database.url)
  const dev = await operator.start('dev', ...services)
  expect(dev.said(), 'DATABASE_URL in development mode causes a warning').toContain(
    'the key of development mode, which is public',
  )
  expect([(await byKey(dev)).status, (await byBearer(dev, publicKey)).status]).toEqual([200, 200])
  expect((await bySignature(dev)).status).toBe(200)
  const { access_token: token } = (await (await byClientCredentials(dev)).json()) as { access_token: string }
  expect((await byBearer(dev, token)).status).toBe(200)

  const serve = await operator.start('serve', ...services)
  expect([(await byKey(serve)).status, (await byBearer(serve, publicKey)).status]).toEqual([401, 401])
  expect((await bySignature(serve)).status).toBeOneOf([400, 403])
  expect((await byClientCredentials(serve)).status).toBeOneOf([400, 401])
  await expect.poll(async () => (await byBearer(serve, token)).status).toBe(401)
  await expect.poll(async () => (await byKey(dev)).status).toBe(401)
  expect(await operator.icosa('keys', 'list'), 'no development credential is left').not.toContain('development mode')

  await dev.stop()
  const refusal = await operator.start('dev', ...services).then(
    () => 'it was not refused',
    (error: Error) => error.message.trim(),
  )
  expect(refusal).toMatch(/^icosa: This database is in operation .*DATABASE_URL.*$/)
  expect((await byKey(serve)).status).toBe(401)
})

test('an operator’s database of an earlier version is recognized by its credentials', async () => {
  await using testDatabase = await createTestDatabase([operating])
  await using operator = await operatorOf(testDatabase.url)
  await operator.icosa('keys', 'create', '--tenant', 'acme')
  const database = openDatabase({ url: testDatabase.url, maxConnections: 2, onError: () => {} })
  const asBefore = `drop table icosa.operated; alter table icosa.credentials drop column development;
    delete from icosa.migrations where owner = 'icosa' and name like '0011%'`
  await database.script(asBefore)
  const dev = () => operator.start('dev', '--services', 'braille-translation')
  await expect(dev()).rejects.toThrow('in operation')
  const applied = sql`select 1 from icosa.migrations where owner = 'icosa' and name like '0011%'`
  expect(await database.many(applied), 'refused before anything was changed').toEqual([])

  await prepareDatabase(database, [])
  await expect(dev(), 'the migration marks the database').rejects.toThrow('in operation')
  expect(await database.many(sql`select 1 from icosa.operated`)).toHaveLength(1)

  // A database used only by development mode stays its own until an operator takes it over.
  await database.script('delete from icosa.operated; delete from icosa.credentials')
  await (await dev()).stop()
  await database.script(asBefore)
  await prepareDatabase(database, [])
  const keys = sql`select id from icosa.credentials where development order by id`
  expect(await database.many(keys)).toEqual([{ id: 'AKIDEVELOPMENTMODE00' }, { id: 'key_dev' }])
  await (await dev()).stop()
  await database.transaction(takeIntoOperation)
  expect(await database.many(keys)).toEqual([])
  await database.close()
})

test('development mode refuses a database that `icosa migrate` prepared, a node serves it, and follows the shell', async () => {
  await using testDatabase = await createTestDatabase([])
  await using operator = await operatorOf(testDatabase.url)
  await operator.icosa('migrate')
  await expect(operator.start('dev', ...services)).rejects.toThrow('in operation')
  expect(await operator.icosa('keys', 'list'), 'nothing was changed').not.toContain('key_dev')

  const key = (await operator.icosa('keys', 'create', '--tenant', 'acme')).split('\n', 1)[0] ?? ''
  const serve = await operator.start('serve', ...services)
  const collection = `${serve.url}/job-scheduler/subscriptions/S/resourceGroups/g/providers/Vendor.Scheduler/jobCollections/c?api-version=2016-03-01`
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const put = () => fetch(collection, { method: 'PUT', headers, body: '{"location":"here"}' })

  // Subscriptions are bound, listed and released.
  const refused = await put()
  expect([refused.status, await refused.text()]).toEqual([404, expect.stringContaining('SubscriptionNotFound')])
  expect((await byBearer(serve, key)).status).toBe(404)
  expect(await operator.icosa('subscriptions', 'bind', 'S', '--tenant', 'acme')).toBe(
    'S now belongs to acme; other tenants cannot see it.',
  )
  expect((await put()).status).toBe(201)
  expect(JSON.parse(await operator.icosa('subscriptions', 'list', '--tenant', 'acme', '--json'))).toMatchObject([
    { id: 's', tenant: 'acme' },
  ])
  expect(await operator.icosa('subscriptions', 'list')).toMatch(/^id {2}tenant {2}since/)

  await expect(operator.icosa('subscriptions', 'bind', 's', '--tenant', 'globex')).rejects.toThrow('bound to acme')
  await expect(operator.icosa('subscriptions', 'release', 's')).rejects.toThrow(
    'acme has 1 of job_scheduler.collections',
  )
  expect((await put()).status).toBe(200)
  expect(await operator.icosa('subscriptions', 'release', 's', '--force')).toContain('acme still has 1 resources')
  expect((await put()).status).toBe(404)
  await expect(operator.icosa('subscriptions', 'release', 's')).rejects.toThrow('not bound to any tenant')
  await expect(operator.icosa('subscriptions', 'bind', 's')).rejects.toThrow('Add --tenant NAME')
  await expect(operator.icosa('subscriptions', 'bind', 'a/b', '--tenant', 'acme')).rejects.toThrow('1 to 100 letters')
  await expect(operator.icosa('subscriptions')).rejects.toThrow('Usage: icosa subscriptions')
})
