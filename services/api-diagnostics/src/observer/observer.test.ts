import { setTimeout as sleep } from 'node:timers/promises'
import { createLog } from '@icosa/telemetry'
import { elapse, example, startTestApp, type TestApp } from '@icosa/testing'
import { expect, test, vi } from 'vitest'
import { apiDiagnostics } from '../index.ts'
import { clientOf, local, settings, start } from '../testing/app.ts'
import { exchange } from '../testing/exchange.ts'
import { cacheMs, diagnosticObserver, maxActive } from './observer.ts'

/** An observer on the database of an app, with the lines it writes. */
function observing({ platform: { database } }: TestApp, level = 'info') {
  const lines: Record<string, unknown>[] = []
  const log = createLog({ level, destination: { write: (line) => lines.push(JSON.parse(line)) } })
  return { observe: diagnosticObserver({ database, log }), lines, log }
}

const service = 'braille-translation'
const always = { loggerId: 'mine' }

test('a diagnostic logs the requests of its service and its tenant, and no others', async () => {
  await using app = await start()
  const owner = await clientOf(app)
  await owner.createOrUpdate({ params: local, body: { properties: { ...always, logClientIp: true } } })
  await owner.createOrUpdate({ params: { ...local, diagnosticId: 'insights' }, body: { properties: always } })
  const { observe, lines } = observing(app)

  observe('acme', service, () => exchange({ requestId: 'r1' }))
  observe('acme', service, () => exchange({ requestId: 'r2', status: 503 }))
  observe('acme', 'podcast-directory', () => exchange({ requestId: 'r3' }))
  observe('other', service, () => exchange({ requestId: 'r4' }))
  await vi.waitFor(() => expect(lines).toHaveLength(4))
  observe('acme', service, () => exchange({ requestId: 'r5' }))

  expect(lines.map(({ diagnostic, requestId }) => `${diagnostic} ${requestId}`)).toEqual([
    'insights r1',
    'Local r1',
    'insights r2',
    'Local r2',
    'insights r5',
    'Local r5',
  ])
  expect(lines[1]).toMatchObject({
    msg: 'diagnostic',
    loggerId: 'mine',
    tenant: 'acme',
    service,
    operation: 'translateText',
    status: 200,
    because: 'sampled',
    clientIp: '192.0.2.7',
  })
})

test('without a diagnostic the exchange is not even built', async () => {
  await using app = await start()
  const { observe, lines } = observing(app)
  const exchanges = vi.fn(exchange)
  observe('acme', service, exchanges)
  await sleep(50)
  const started = performance.now()
  for (let count = 0; count < 100_000; count++) observe('acme', service, exchanges)
  console.log(`100,000 requests without a diagnostic: ${Math.round(performance.now() - started)} ms`)
  expect(exchanges).not.toHaveBeenCalled()

  expect(lines).toEqual([])
})

test('lines are written whatever the log level, as in development mode', async () => {
  await using app = await start()
  await (await clientOf(app)).createOrUpdate({ params: local, body: { properties: always } })
  const quiet = observing(app, 'warn')
  quiet.observe('acme', service, () => exchange({ requestId: 'r1' }))
  await vi.waitFor(() => expect(quiet.lines).toMatchObject([{ msg: 'diagnostic', requestId: 'r1' }]))
  quiet.log.info('unrelated')
  expect(quiet.lines).toHaveLength(1)
})

test('a change takes effect within a second, also on a node that cached the settings', async () => {
  await using app = await start()
  const owner = await clientOf(app)
  const [first, second] = [observing(app), observing(app)]
  const observeOn = async (requestId: string) => {
    for (const { observe } of [first, second]) observe('acme', service, () => exchange({ requestId, status: 404 }))
    await sleep(50)
  }
  const observed = () => [first, second].map(({ lines }) => lines.map(({ requestId }) => requestId))

  await observeOn('before')
  await owner.createOrUpdate({ params: local, body: { properties: { ...settings, sampling: { percentage: 0 } } } })
  elapse(2 * cacheMs)
  await observeOn('error')
  await owner.update({ params: local, headers: { 'if-match': '*' }, body: { properties: { loggerId: 'new' } } })
  elapse(2 * cacheMs)
  await observeOn('changed')
  expect(first.lines.map(({ loggerId }) => loggerId)).toEqual([settings.loggerId, 'new'])
  await owner.delete({ params: local, headers: { 'if-match': '*' } })
  elapse(2 * cacheMs)
  await observeOn('after')
  expect(observed()).toEqual([
    ['error', 'changed'],
    ['error', 'changed'],
  ])
})

test('a request writes a limited number of lines, however many diagnostics there are', async () => {
  await using app = await start()
  const owner = await clientOf(app)
  for (let count = 0; count < maxActive + 5; count++)
    await owner.createOrUpdate({ params: { ...local, diagnosticId: `d${count}` }, body: { properties: always } })
  const { observe, lines } = observing(app)
  observe('acme', service, () => exchange())
  await vi.waitFor(() => expect(lines).not.toEqual([]))
  expect(lines).toHaveLength(maxActive)
})

test('failures of the observer do not affect the request', async () => {
  await using app = await start()
  await (await clientOf(app)).createOrUpdate({ params: local, body: { properties: always } })
  const { observe, lines } = observing(app)
  const broken = () => {
    throw new Error('torn')
  }
  observe('acme', service, broken)
  await vi.waitFor(() => expect(lines).toHaveLength(1))
  observe('acme', service, broken)
  expect(lines).toMatchObject([{ level: 40, err: { message: 'torn' } }, { level: 40 }])

  // The database refuses U+0000, which counts as no diagnostics.
  observe('\0', service, broken)
  await vi.waitFor(() => expect(lines).toHaveLength(3))
  observe('\0', service, broken)
  expect(lines).toHaveLength(3)
})

test('an HTTP request to another service of the node is logged according to its diagnostic', async () => {
  const lines: Record<string, unknown>[] = []
  const log = createLog({ level: 'info', destination: { write: (line) => lines.push(JSON.parse(line)) } })
  await using app = await startTestApp({ services: [apiDiagnostics, example], log })
  const owner = await clientOf(app)
  const body = {
    properties: {
      loggerId: 'mine',
      alwaysLog: 'allErrors',
      sampling: { samplingType: 'fixed', percentage: 0 },
      frontend: { response: { headers: ['Content-Type', 'content-length', 'x-request-id', 'x-absent'] } },
    },
  }
  await owner.createOrUpdate({ params: { ...local, serviceName: 'example' }, body } as never)
  const headers = { 'x-api-key': await app.key('acme') }
  expect((await fetch(`${app.url}/example/notes`, { headers })).status).toBe(200)
  const missing = await fetch(`${app.url}/example/notes/none`, { headers })
  expect(missing.status).toBe(404)
  await vi.waitFor(() => expect(lines.filter(({ msg }) => msg === 'diagnostic')).toHaveLength(1))
  const expected = ['content-type', 'content-length', 'x-request-id'].map((name) => [name, missing.headers.get(name)])
  expect(lines.find(({ msg }) => msg === 'diagnostic')).toMatchObject({
    tenant: 'acme',
    service: 'example',
    frontend: { response: { headers: Object.fromEntries(expected) } },
  })
})

test('a refused 9 KB request that ten diagnostics log in full writes at most twice its size plus 4 KB', async () => {
  const lines: string[] = []
  const log = createLog({ level: 'info', destination: { write: (line) => lines.push(line) } })
  await using app = await startTestApp({ services: [apiDiagnostics], log })
  const owner = await clientOf(app)
  const message = { headers: ['user-agent', 'x-long'], body: { bytes: 8192 } }
  const side = { request: message, response: message }
  const params = { ...local, serviceName: 'api-diagnostics' }
  const properties = {
    loggerId: 'x'.repeat(2048),
    alwaysLog: 'allErrors' as const,
    frontend: side,
    backend: side,
  }
  for (let count = 0; count < maxActive; count++)
    await owner.createOrUpdate({
      params: { ...params, diagnosticId: `d${count}` },
      body: { properties },
    })

  const key = await app.key('acme')
  const at = `${app.url}/api-diagnostics/subscriptions/sub-1/resourceGroups/g/providers/Vendor.ApiManagement/service/s/diagnostics/big`
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-long': '"'.repeat(1_000) }
  const diagnosticLines = () =>
    lines.filter((line) => line.includes('"msg":"diagnostic"') && line.includes('"status":400'))
  const body = `\u0001${'\u0001"\\'.repeat(3_000)}`
  // Until the cached settings of the node have expired.
  await vi.waitFor(
    async () => {
      lines.length = 0
      const response = await fetch(`${at}?api-version=2019-12-01-preview`, { method: 'PUT', headers, body })
      expect(response.status).toBe(400)
      expect(diagnosticLines()).toHaveLength(maxActive)
    },
    { timeout: 20_000, interval: 200 },
  )
  const bytes = Buffer.byteLength(diagnosticLines().join(''))
  console.log(`${body.length} bytes of a request wrote ${bytes} bytes of diagnostics`)
  expect(bytes).toBeLessThanOrEqual(2 * body.length + 4_096)
  expect(diagnosticLines().join('')).toContain('"truncated":true')

  lines.length = 0
  const unauthorized = { ...headers, authorization: `Bearer ${await app.key('acme', ['nothing:*'])}` }
  const refused = await fetch(`${at}?api-version=2019-12-01-preview`, { method: 'PUT', headers: unauthorized, body })
  expect(refused.status).toBe(403)
  const logged = () => lines.filter((line) => line.includes('"msg":"diagnostic"'))
  await vi.waitFor(() => expect(logged()).toHaveLength(maxActive), { timeout: 10_000 })
  for (const line of logged()) expect(line.length, line).toBeLessThan(800)
})
