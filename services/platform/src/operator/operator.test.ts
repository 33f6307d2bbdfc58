import { sql } from '@icosa/kernel'
import { example, startTestApp, type TestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { appendTo, auditKeyPurpose } from '../audit/index.ts'
import { platform } from '../index.ts'
import { setLimit } from '../limits/index.ts'
import { keyHeader } from '../names.ts'
import { operatorContract } from './contract.ts'
import { operatorWith } from './index.ts'

const service = operatorWith()
const services = [platform, service, example]

const as = async (app: TestApp, tenant: string, ...permissions: string[]) =>
  app.client(operatorContract, { headers: { [keyHeader]: await app.key(tenant, permissions) } }, service)

async function note(app: TestApp, tenant: string, title: string): Promise<void> {
  const headers = { 'x-api-key': await app.key(tenant), 'content-type': 'application/json' }
  const body = JSON.stringify({ title, text: '' })
  const { status } = await fetch(`${app.url}/example/notes`, { method: 'POST', headers, body })
  expect(status).toBe(201)
}

test('no wildcard grants the operations of operators', async () => {
  await using app = await startTestApp({ services })
  for (const permission of ['*', '*:*', '*:list*', 'o*:*', 'platform:*']) {
    const response = await fetch(`${app.url}/operator/tenants`, {
      headers: { [keyHeader]: await app.key('eve', [permission]) },
    })
    expect([response.status, await response.text()], permission).toEqual([
      403,
      expect.stringContaining('operator:listTenants'),
    ])
  }
  await (await as(app, 'ops', 'operator:list*')).listTenants({})
  await expect((await as(app, 'ops', 'operator:listTenants')).listKeys({})).rejects.toMatchObject({ status: 403 })
})

test('lists tenants with limits and usage, in pages', async () => {
  await using app = await startTestApp({ services })
  const operator = await as(app, 'ops', 'operator:*')
  for (let n = 0; n < 60; n++) await app.key(`tenant-${String(n).padStart(2, '0')}`)
  await note(app, 'acme', 'Private title')
  const { database } = app.platform
  await setLimit(database, { tenant: 'acme', service: '*', kind: 'resources', amount: 5 })
  const first = (await operator.listTenants({ query: {} })).body
  const second = (await operator.listTenants({ query: { pageToken: first.nextPageToken ?? '' } })).body
  const names = [...first.tenants, ...second.tenants].map(({ tenant }) => tenant)
  expect(names).toEqual([...names].sort())
  expect(names).toHaveLength(62)
  const { body } = await operator.getTenant({ params: { tenant: 'acme' } })
  expect(body).toMatchObject({
    ...{ tenant: 'acme', credentials: 1, limits: [{ service: '*', kind: 'resources', amount: 5 }] },
  })
  expect(JSON.stringify(body)).not.toContain('Private')
  await expect(operator.getTenant({ params: { tenant: 'nobody' } })).rejects.toMatchObject({ status: 404 })
})

test('lists keys without their secrets', async () => {
  await using app = await startTestApp({ services })
  const operator = await as(app, 'ops', 'operator:*')
  const key = await app.key('acme', ['example:*'])
  const secret = await app.signingSecret('acme')
  const { body } = await operator.listKeys({ query: { tenant: 'acme' } })
  expect(body.keys).toMatchObject([
    { tenant: 'acme', state: 'valid', permissions: expect.any(Array) },
    { tenant: 'acme', state: 'valid' },
  ])
  expect(body.keys.map(({ kind }) => kind).sort()).toEqual(['key', 'signing'])
  for (const text of [key, secret.secret]) expect(JSON.stringify(body)).not.toContain(text)
})

test('proves the chains of the audit log, and finds a changed record', async () => {
  await using app = await startTestApp({ services })
  const operator = await as(app, 'ops', 'operator:*')
  const { database, cellVault, clock } = app.platform
  const act = { tenant: '', subject: 'acme', at: clock.now(), caller: 'operator ada', address: '', service: 'operator' }
  await appendTo(database, cellVault.derive(auditKeyPurpose), [
    { ...act, operation: 'keys create', resource: '--tenant acme', status: 200, requestId: '1' },
  ])
  for (const title of ['One', 'Two']) await note(app, 'acme', title)
  const chains = async () => (await operator.listAuditChains({ query: {} })).body.chains
  await expect.poll(async () => (await chains()).find(({ chain }) => chain === 'acme')?.lastNumber).toBe(2)
  expect((await chains()).map(({ chain }) => chain)).toEqual(['~', 'acme'])
  const intact = { state: 'intact', problems: [] }
  expect((await operator.verifyAuditChain({ params: { chain: 'acme' } })).body).toMatchObject({ ...intact, records: 2 })
  expect((await operator.verifyAuditChain({ params: { chain: '~' } })).body).toMatchObject({ ...intact, records: 1 })
  await database.run(sql`update platform.audit set status = 200 where tenant = 'acme' and number = 1`)
  expect((await operator.verifyAuditChain({ params: { chain: 'acme' } })).body).toMatchObject({
    ...{ state: 'broken', problems: [{ number: 1, problem: 'was changed' }] },
  })
  await expect(operator.verifyAuditChain({ params: { chain: 'nobody' } })).rejects.toMatchObject({ status: 404 })
})

test('lists records in pages, with a filter, and shows no paths of tenants', async () => {
  await using app = await startTestApp({ services })
  const operator = await as(app, 'ops', 'operator:*')
  const { database, cellVault, clock } = app.platform
  const record = (n: number) => ({
    ...{ tenant: 'acme', subject: '', at: clock.now(), caller: n % 2 ? 'key_odd' : 'key_even', address: '127.0.0.1' },
    ...{ service: 'example', operation: 'createNote', resource: '/example/notes/private', status: n, requestId: '' },
  })
  const numbers = Array.from({ length: 120 }, (_, n) => n + 200)
  await appendTo(database, cellVault.derive(auditKeyPurpose), numbers.map(record))
  const params = { chain: 'acme' }
  const pages = async (query: { who?: string; operation?: string; minStatus?: number }) => {
    const statuses: number[] = []
    let pageToken: string | undefined
    do {
      const { body } = await operator.listAuditRecords({ params, query: { ...query, ...(pageToken && { pageToken }) } })
      expect(JSON.stringify(body)).not.toContain('private')
      statuses.push(...body.records.map(({ status }) => status))
      pageToken = body.nextPageToken
    } while (pageToken !== undefined)
    return statuses
  }
  expect(await pages({})).toEqual(numbers.toReversed())
  expect(await pages({ who: 'key_odd' })).toEqual(numbers.filter((n) => n % 2).toReversed())
  expect(await pages({ operation: 'CREATENOTE', minStatus: 300 })).toEqual(numbers.filter((n) => n >= 300).toReversed())
  expect(await pages({ operation: `%' or 1=1 --` })).toEqual([])
  const { body } = await operator.listAuditRecords({ params, query: {} })
  await expect(
    operator.listAuditRecords({ params: { chain: 'ops' }, query: { pageToken: body.nextPageToken ?? '' } }),
  ).rejects.toMatchObject({ status: 400 })
})

test('lists nodes with their roles, and queues by lane', async () => {
  await using app = await startTestApp({ services })
  const operator = await as(app, 'ops', 'operator:*')
  const { nodes } = (await operator.listNodes({})).body
  expect(nodes).toMatchObject([{ process: process.pid, state: 'alive', role: expect.stringContaining('API') }])
  expect(nodes[0]?.services).toEqual(services.map(({ name }) => name))
  await app.platform.database.run(sql`update platform.nodes set seen_at = seen_at - interval '2 minutes'`)
  expect((await operator.listNodes({})).body.nodes).toMatchObject([{ state: 'silent' }])

  const [publish] = example.jobs ?? []
  if (!publish) throw new Error('The example has no job.')
  await app.platform.transaction('example', 'acme', (_, jobs) => jobs.enqueue(publish as never, {} as never))
  const { queues } = (await operator.listQueues({})).body
  expect(queues).toMatchObject([{ queue: 'example default', waiting: 1, running: 0, failed: 0 }])
})
