import { request } from '@icosa/client'
import { type FaultRequest, type Faults, openFaults } from '@icosa/faults'
import { type Api, operationsOfApi, type Service, type ServiceOperation } from '@icosa/kernel'
import { anyRequest, ask, credentialsFor, type Known, startTestApp, type TestApp, testServerUrl } from '@icosa/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allServices } from '../../apps/server/src/services.ts'
import { seeds } from '../seeds.ts'

// Covers services added later, too: injects every fault that requests can have into each API.
const services = await allServices({ databaseUrl: testServerUrl })
let app: TestApp
let faults: Faults
const known: Record<string, Known> = {}

beforeAll(async () => {
  faults = openFaults(() => services)
  app = await startTestApp({ services, faultInjector: faults.injector })
  // APIs mounted below a resource require that it exists.
  for (const { service } of apis.filter(({ api }) => api.at?.includes('{')))
    known[service.name] = (await seeds[service.name]?.(await credentialsFor(app, service, 'owner'), app)) ?? {}
})
afterAll(() => app[Symbol.asyncDispose]())

/** An operation with no checks before its handler: preferably a GET with a credential. */
function tried(service: Service, api: Api): ServiceOperation {
  const all = operationsOfApi(service, api)
  const isPlain = ({ operation }: ServiceOperation) => operation.method === 'GET' && !operation.open
  const [first] = [...all.filter(isPlain), ...all.filter(({ operation }) => operation.method === 'GET'), ...all]
  if (!first) throw new Error(`${service.name} has no operation.`)
  return first
}

const apis = services.flatMap((service) =>
  service.apis.map((api) => ({ title: [service.name, api.name].filter(Boolean).join(' '), service, api })),
)

describe.each(apis)('$title', ({ service, api }) => {
  const operation = tried(service, api)
  const target = operation.permission

  async function parts() {
    const owner = await credentialsFor(app, service, 'owner', undefined, api)
    const hasVersion = JSON.stringify(operation.operation.query ?? {}).includes('api-version')
    const query = hasVersion ? { query: { 'api-version': '2023-11-01' } } : {}
    return { owner, sent: { ...anyRequest(operation, known[service.name] ?? {}), ...query } }
  }
  async function befallen(fault: Omit<FaultRequest, 'target'>) {
    faults.clear()
    const { id } = faults.add({ target, ...fault })
    const { owner, sent } = await parts()
    const response = await request(operation.operation, owner, sent)
    await response.arrayBuffer()
    return { id, response }
  }

  test('injected errors and throttling have the shape of its dialect, and a header with the fault id', async () => {
    const error = await befallen({ kind: 'error' })
    expect(error.response.headers.get('icosa-fault')).toBe(`error ${error.id}`)
    expect(error.response.status).toBeGreaterThanOrEqual(500)
    const throttled = await befallen({ kind: 'throttle', retryAfterSeconds: 7 })
    expect(throttled.response.status).toBe(429)
    expect(throttled.response.headers.get('retry-after')).toBe('7')
    const { owner, sent } = await parts()
    expect((await ask(operation, owner, sent)).wrong, 'the error has the shape of the dialect').toEqual([])
    const named = await befallen({ kind: 'error', code: '500' })
    expect(named.response.status).toBe(500)
  })

  test('injected latency delays the response of the service', async () => {
    const { owner, sent } = await parts()
    faults.clear()
    const plain = await ask(operation, owner, sent)
    const began = performance.now()
    const late = await befallen({ kind: 'latency', delayMs: 150 })
    expect(performance.now() - began).toBeGreaterThan(149)
    expect(late.response.status).toBe(plain.status)
    expect(late.response.headers.get('icosa-fault')).toBe(`latency ${late.id}`)
  })

  test.each(['drop', 'dropReply'] as const)('%s closes the connection', async (kind) => {
    await expect(befallen({ kind })).rejects.toThrow()
    faults.clear()
    const { owner, sent } = await parts()
    expect((await request(operation.operation, owner, sent)).headers.get('icosa-fault'), 'no fault is left').toBeNull()
  })
})
