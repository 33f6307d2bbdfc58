import { sql } from '@icosa/kernel'
import { acceptedForMs, example, startTestApp, type TestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { audit } from '../../audit/contract.ts'
import { platform } from '../../index.ts'
import { keyHeader } from '../../names.ts'
import { operatorContract } from '../contract.ts'
import { operatorWith } from '../index.ts'
import { changesContract } from './contract.ts'

const service = operatorWith({ tenancies: async () => [{ service: 'example' }] })
const services = [platform, service, example]
const contract = { ...operatorContract, ...changesContract }

const as = async (app: TestApp, tenant: string, ...permissions: string[]) =>
  app.client(contract, { headers: { [keyHeader]: await app.key(tenant, permissions) } }, service)

const ownRecords = async (app: TestApp, tenant: string) => {
  const own = app.client(audit, { headers: { [keyHeader]: await app.key(tenant) } }, platform)
  return (await own.listAuditRecords({ query: {} })).body.records
}

const statusOf = async (app: TestApp, headers: Record<string, string>, method = 'GET') =>
  (await fetch(`${app.url}/example/notes`, { method, headers })).status

test('a key creates a tenant, works with its permissions, and is refused once revoked', async () => {
  await using app = await startTestApp({ services })
  const operator = await as(app, 'ops', 'operator:*')
  const { body } = await operator.createKey({
    params: { tenant: 'acme' },
    body: { permissions: ['example:listNotes'] },
  })
  expect(body).toMatchObject({ tenant: 'acme', kind: 'key', secret: expect.stringMatching(/^icosa_/) })
  const headers = { 'x-api-key': body.secret, 'content-type': 'application/json' }
  expect([await statusOf(app, headers), await statusOf(app, headers, 'POST')]).toEqual([200, 403])
  expect((await operator.listTenants({ query: {} })).body.tenants).toMatchObject([
    { tenant: 'acme', state: 'Active', credentials: 1 },
    { tenant: 'ops' },
  ])
  await operator.revokeKey({ params: { keyId: body.id } })
  expect(await acceptedForMs(async () => (await statusOf(app, headers)) === 200)).toBeLessThan(3_000)
  await expect(operator.revokeKey({ params: { keyId: 'key_unknown' } })).rejects.toMatchObject({ status: 404 })

  const acts = (await operator.listAuditRecords({ params: { chain: '~' }, query: {} })).body.records
  expect(acts.map(({ operation, subject }) => [operation, subject])).toEqual([
    ['operator:revokeKey', 'acme'],
    ['operator:createKey', 'acme'],
  ])
  expect(acts[1]?.resource).toContain('example:listNotes')
  expect(JSON.stringify(acts)).not.toContain(body.secret)
  const shown = await ownRecords(app, 'acme')
  expect(shown.map(({ operation }) => operation)).toContain('operator:createKey')
  for (const chain of ['~', 'acme'])
    expect((await operator.verifyAuditChain({ params: { chain } })).body).toMatchObject({ state: 'intact' })
})

test('operators grant no permission that they do not have, and keep the key that they use', async () => {
  await using app = await startTestApp({ services })
  const clerk = await as(
    app,
    'ops',
    'operator:createKey',
    'operator:assumeRole',
    'operator:revokeKey',
    'operator:list*',
  )
  const params = { tenant: 'ops' }
  for (const permission of ['operator:*', 'operator:deleteTenant', 'operator:set*'])
    await expect(clerk.createKey({ params, body: { permissions: ['*', permission] } })).rejects.toMatchObject({
      status: 403,
    })
  await clerk.createKey({ params, body: { permissions: ['operator:createKey'] } })
  const reason = 'an incident'
  const escalated = clerk.assumeRole({ params, body: { reason, permissions: ['operator:createKey'] } })
  await expect(escalated).rejects.toMatchObject({ status: 403 })
  const { keys } = (await clerk.listKeys({ query: { tenant: 'ops' } })).body
  const own = keys.find(({ permissions }) => permissions.includes('operator:revokeKey'))?.id ?? ''
  await expect(clerk.revokeKey({ params: { keyId: own } })).rejects.toMatchObject({ status: 409 })
  for (const permissions of [[], ['everything'], ['a b:c']])
    await expect(clerk.createKey({ params, body: { permissions } })).rejects.toMatchObject({ status: 400 })
})

test('a limit applies, is listed with its usage, and is removed', async () => {
  await using app = await startTestApp({ services })
  const operator = await as(app, 'ops', 'operator:*')
  const headers = { 'x-api-key': await app.key('acme') }
  const place = { tenant: 'acme', service: 'example', kind: 'requests' }
  await operator.setLimit({ params: place, body: { amount: 0 } })
  await expect.poll(() => statusOf(app, headers), { timeout: 30_000 }).toBe(403)
  const bytes = { ...place, service: '*', kind: 'bytes' }
  expect((await operator.setLimit({ params: bytes, body: { amount: 1000 } })).body).toMatchObject({ used: 0 })
  const { limits } = (await operator.listLimits({ params: { tenant: 'acme' } })).body
  expect(limits).toEqual([
    { service: '*', kind: 'bytes', amount: 1000, used: 0 },
    { service: 'example', kind: 'requests', amount: 0 },
  ])
  await operator.removeLimit({ params: place })
  await expect.poll(() => statusOf(app, headers), { timeout: 30_000 }).toBe(200)
  await expect(operator.removeLimit({ params: place })).rejects.toMatchObject({ status: 404 })
  const unknown = { ...place, tenant: 'unknown' }
  await expect(operator.setLimit({ params: unknown, body: { amount: 1 } })).rejects.toMatchObject({ status: 404 })
})

test('an operator assumes the role of a tenant for a reason that the tenant sees', async () => {
  await using app = await startTestApp({ services })
  const operator = await as(app, 'ops', 'operator:*')
  await app.key('acme')
  const params = { tenant: 'acme' }
  const { body } = await operator.assumeRole({
    params,
    body: { reason: 'Ticket 17: notes are missing', permissions: ['example:listNotes'], minutes: 5 },
  })
  const headers = { authorization: `Bearer ${body.secretToken}`, 'content-type': 'application/json' }
  expect([await statusOf(app, headers), await statusOf(app, headers, 'POST')]).toEqual([200, 403])
  expect(Date.parse(body.expiresAt) - Date.now()).toBeLessThanOrEqual(300_000)
  await expect.poll(async () => (await ownRecords(app, 'acme')).length).toBe(2)
  const [refused, assumed] = await ownRecords(app, 'acme')
  expect(refused).toMatchObject({ who: body.who, operation: 'example:createNote', status: 403 })
  expect(assumed).toMatchObject({ who: expect.stringMatching(/^operator key_/), operation: 'operator:assumeRole' })
  expect(assumed?.resource).toContain('Ticket 17: notes are missing')
  expect(await ownRecords(app, 'globex')).toEqual([])
  const unknown = { params: { tenant: 'unknown' }, body: { reason: 'curious', permissions: ['*'] } }
  await expect(operator.assumeRole(unknown)).rejects.toMatchObject({ status: 404 })
})

test("a tenant is deleted with its rows and keys, but not the operator's own", async () => {
  await using app = await startTestApp({ services })
  const operator = await as(app, 'ops', 'operator:*')
  const headers = { 'x-api-key': await app.key('acme'), 'content-type': 'application/json' }
  const body = JSON.stringify({ title: 'One', text: '' })
  expect((await fetch(`${app.url}/example/notes`, { method: 'POST', headers, body })).status).toBe(201)
  await expect(operator.deleteTenant({ params: { tenant: 'ops' } })).rejects.toMatchObject({ status: 409 })
  await expect(operator.deleteTenant({ params: { tenant: 'unknown' } })).rejects.toMatchObject({ status: 404 })
  expect((await operator.deleteTenant({ params: { tenant: 'acme' } })).status).toBe(202)
  const tenants = async () => (await operator.listTenants({ query: {} })).body.tenants
  expect(await tenants()).toMatchObject([{ tenant: 'acme', state: 'Deleting' }, { tenant: 'ops' }])
  await app.jobs.drain()
  expect(await tenants()).toMatchObject([{ tenant: 'ops', state: 'Active' }])
  expect(await statusOf(app, headers)).toBe(401)
  expect(await app.platform.database.many(sql`select 1 from example.notes where tenant = 'acme'`)).toEqual([])
  const acts = (await operator.listAuditRecords({ params: { chain: '~' }, query: {} })).body.records
  expect(acts.map(({ status }) => status)).toEqual([200, 102])
}, 120_000)
