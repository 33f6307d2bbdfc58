import { writes } from '@icosa/contract'
import { bindSubscription, listSubscriptions, releaseSubscription } from '@icosa/dialects/arm/bindings'
import { operationsOfService, type Service, type ServiceOperation, sql } from '@icosa/kernel'
import { dropPhysical } from '@icosa/sql-databases/testing/app'
import {
  ask,
  credentialsFor,
  type Known,
  startTestApp,
  type TestApp,
  testServerUrl,
  validRequest,
} from '@icosa/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allServices } from '../../apps/server/src/services.ts'
import { seeds } from '../seeds.ts'

// Ownership of subscriptions, for every service that has them. A node in development mode creates the rows; requests then
// go to a node as started by `icosa serve`, on the same database.
const hasSubscriptions = (service: Service) =>
  operationsOfService(service).some(({ operation }) => operation.path.startsWith('/subscriptions/{subscriptionId}/'))
const services = (await allServices({ databaseUrl: testServerUrl })).filter(hasSubscriptions)
const notFound = { status: 404, body: { error: { code: 'SubscriptionNotFound' } } }

let first: TestApp
let app: TestApp
beforeAll(async () => {
  first = await startTestApp({ services })
  app = await startTestApp({ services, databaseUrl: first.databaseUrl, subscriptions: 'bind' })
})
afterAll(async () => {
  await dropPhysical(first.platform.database)
  await app[Symbol.asyncDispose]()
  await first[Symbol.asyncDispose]()
})

const bind = (id: string, tenant: string) =>
  app.platform.database.transaction((db) => bindSubscription(db, app.platform.clock, id, tenant))
const release = (id: string, force = false) =>
  app.platform.database.transaction((db) => releaseSubscription(db, id, force))

test('services with subscriptions are found', () => {
  expect(services.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['api-diagnostics', 'configuration-stores', 'sql-databases', 'job-scheduler']),
  )
})

describe.each(services)('$name', (service) => {
  const operations = operationsOfService(service).filter(({ operation }) => operation.path.includes('{subscriptionId}'))
  const lists = operations.filter(
    ({ operation }) => /\/(\w*[a-z]s)$/.test(operation.path) && operation.method === 'GET',
  )

  /** Calls every operation as a tenant, with a valid request. */
  async function tryAll(tenant: string, params: Known, only = operations) {
    const target = await credentialsFor(app, service, tenant)
    const answers = await Promise.all(
      only.map(async (operation: ServiceOperation) => {
        const [request] = fc.sample(validRequest(operation.operation, params), { numRuns: 1, seed: 376 })
        const query = { ...request?.query, $filter: undefined, $skipToken: undefined, $skip: undefined }
        const headers = { 'if-match': '*' }
        const { status, body } = await ask(operation, target, { ...request, query, headers, params })
        return { id: operation.id, method: operation.operation.method, status, body }
      }),
    )
    return answers.filter(({ method }) => method !== 'HEAD') // it has no response body
  }

  /** Expects writes to be refused immediately and reads within a second, which are cached. */
  async function expectGone(tenant: string, params: Known) {
    const writing = operations.filter(({ operation }) => writes(operation))
    for (const answer of await tryAll(tenant, params, writing)) expect(answer, answer.id).toMatchObject(notFound)
    const left = async () =>
      (await tryAll(tenant, params)).filter(
        ({ body }) => (body as { error?: { code?: string } } | undefined)?.error?.code !== 'SubscriptionNotFound',
      )
    await expect.poll(left).toEqual([])
    for (const answer of await tryAll(tenant, params)) expect(answer, answer.id).toMatchObject(notFound)
  }

  let known: Known = {}
  beforeAll(async () => {
    known = (await seeds[service.name]?.(await credentialsFor(first, service, 'maker'), first)) ?? {}
  })

  test('an unbound subscription does not exist for any tenant, and none can claim it', async () => {
    const params = { ...known, subscriptionId: `nobodys-${service.name}` }
    for (const tenant of ['acme', 'globex', 'acme'])
      for (const answer of await tryAll(tenant, params)) expect(answer, answer.id).toMatchObject(notFound)
    const { database } = app.platform
    const rows = await database.many(sql`select * from icosa.subscriptions where key = ${params.subscriptionId}`)
    expect(rows).toEqual([])

    // A caller cannot detect whether another tenant owns it.
    await bind(params.subscriptionId, 'globex')
    const [theirs] = await tryAll('acme', params, lists)
    await release(params.subscriptionId)
    const [nobodys] = await tryAll('acme', params, lists)
    expect(theirs).toEqual(nobodys)
  })

  test('a subscription is empty for its next tenant, and has all its resources when bound to the first again', async () => {
    const subscriptionId = known.subscriptionId ?? ''
    const owned = await tryAll('maker', known, lists)
    expect(owned.map(({ status }) => status)).toEqual(owned.map(() => 200))
    const listing = JSON.stringify(owned)
    expect(listing).toContain('"id":"/subscriptions/')

    await expect(release(subscriptionId)).rejects.toThrow(/maker has \d+ of [\w.]+.* in '.*add --force/)
    expect(await listSubscriptions(app.platform.database, 'maker')).toMatchObject(
      expect.arrayContaining([{ id: subscriptionId.toLowerCase(), tenant: 'maker', since: expect.any(Date) }]),
    )
    expect((await release(subscriptionId, true)).resources).toBeGreaterThan(0)
    await expectGone('maker', known)

    await bind(subscriptionId, 'heir')
    const inherited = await tryAll('heir', known, lists)
    for (const { id, status, body } of inherited) expect([200, 404], `${id} ${JSON.stringify(body)}`).toContain(status)
    expect(inherited.flatMap(({ body }) => (body as { value?: unknown[] }).value ?? [])).toEqual([])
    for (const answer of await tryAll('maker', known)) expect(answer, answer.id).toMatchObject(notFound)
    await expect(bind(subscriptionId, 'maker')).rejects.toThrow(/is bound to heir: .*release/)

    await release(subscriptionId)
    await bind(subscriptionId.toUpperCase(), 'maker')
    await bind(subscriptionId, 'maker') // idempotent
    expect(JSON.stringify(await tryAll('maker', known, lists))).toBe(listing)
  })
})

test('creating a resource and releasing its subscription are serialized', async () => {
  const id = 'contested'
  for (let round = 0; round < 20; round++) {
    await bind(id, 'acme')
    const key = await app.key('acme')
    const at = `${app.url}/job-scheduler/subscriptions/${id}/resourceGroups/g/providers/Vendor.Scheduler/jobCollections`
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const one = `${at}/c${round}?api-version=2016-03-01`
    const [created, released] = await Promise.all([
      fetch(one, { method: 'PUT', headers, body: '{"location":"here"}' }),
      release(id).then(
        () => true,
        () => false,
      ),
    ])
    expect([created.status, released]).toBeOneOf([
      [201, false],
      [404, true],
    ])
    if (!released) await fetch(one, { method: 'DELETE', headers })
    await app.jobs.drain()
    await release(id).catch(() => {})
  }
})
