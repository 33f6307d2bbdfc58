import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import { Engine, operationsOfApi, operationsOfService } from '@icosa/kernel'
import { platform } from '@icosa/platform'
import { example, sized, startTestApp, type TestApp } from '@icosa/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allServices } from '../../apps/server/src/services.ts'
import { hostileHeaders, hostileRequests } from './hostile.ts'
import { type RawRequest, Wire, written } from './wire.ts'

const all = [...(await allServices()), platform, example]
const maxCpuMs = 20
const tries = 10
let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ services: all, trustedProxies: 1 })
})
afterAll(() => app[Symbol.asyncDispose]())

/** Measures the CPU time of this thread, server and client: wall time would include other processes. */
async function costMs(wire: Wire, request: RawRequest): Promise<{ readonly ms: number; readonly status: number }> {
  const before = process.threadCpuUsage()
  const status = await wire.ask(request)
  const { user, system } = process.threadCpuUsage(before)
  return { ms: (user + system) / 1_000, status }
}

/** Returns the minimum of several tries: garbage collection or cache contention may affect any one of them. */
async function leastCost(open: () => Promise<Wire>, request: RawRequest, enoughMs = maxCpuMs) {
  let least = { ms: Number.POSITIVE_INFINITY, status: 0 }
  for (let time = 0; time < tries && least.ms > enoughMs; time++) {
    const cost = await costMs(await open(), request)
    if (cost.ms < least.ms) least = cost
  }
  return least
}

/** A connection that is reopened after the server has closed it. */
function reopening() {
  let wire: Wire | undefined
  const open = async () => {
    if (!wire || wire.isClosed) wire = await Wire.open(app.url)
    return wire
  }
  return { open, close: () => wire?.close() }
}

const shortened = ({ method, target, headers = [] }: RawRequest) =>
  `${method} ${target.slice(0, 90)} (${target.length}) ${headers.map((header) => header.slice(0, 60))}`

async function dearest(requests: readonly RawRequest[]) {
  const wire = reopening()
  const wrong: string[] = []
  let most = 0
  for (const request of requests) {
    const { ms, status } = await leastCost(wire.open, request)
    most = Math.max(most, ms)
    if (ms > maxCpuMs) wrong.push(`${ms.toFixed(0)} ms: ${shortened(request)}`)
    if (status >= 500 && status !== 501) wrong.push(`${status}: ${shortened(request)}`)
  }
  wire.close()
  return { most, wrong }
}

describe.each(all)('$name', (service) => {
  test('no anonymous request with a 60 KB target of its own segments takes more than 20 ms of CPU', async () => {
    const paths = new Map(operationsOfService(service).map(({ operation: { method, path } }) => [path, method]))
    const every = sized(3, 1) // sampled over all paths: each kind of target reaches some of them
    const requests = [...paths]
      .flatMap(([path, method]) => hostileRequests(method, `/${service.name}${path}`))
      .filter((_, index) => index % every === 0)
    const { most, wrong } = await dearest(requests)
    console.log(`${service.name}: ${requests.length} hostile targets, at most ${most.toFixed(1)} ms of CPU`)
    expect(wrong).toEqual([])
  })

  test('no anonymous request with a 60 KB header takes more than 20 ms of CPU', async () => {
    const requests = service.apis.flatMap((api) => {
      const [first] = operationsOfApi(service, api)
      const { method = 'GET', path = '/' } = first?.operation ?? {}
      const filled = path.replace(/\{[^}]*\}/g, 'a')
      return [`/${service.name}${filled}`, filled, '/'].flatMap((target) =>
        hostileHeaders.map((header) => ({ method, target, headers: [header] })),
      )
    })
    const { wrong } = await dearest(requests)
    expect(wrong).toEqual([])
  })
})

describe('string patterns of the contracts', () => {
  const patterns = new Set(
    all.flatMap((service) => operationsOfService(service).flatMap(({ operation }) => patternsIn(operation))),
  )
  const pieces = ['a', 'A', '1', '-', '.', '/', ':', ' ', 'a-', 'a.', 'a/', '1:', '%', '@', 'ä']

  test.each([...patterns])('%s matches without catastrophic backtracking', (pattern) => {
    const expression = new RegExp(pattern)
    for (const piece of pieces) {
      const text = piece.repeat(50_000)
      for (const hostile of [text, `${text}!`, `!${text}`, `a${text}\n`]) {
        let least = Number.POSITIVE_INFINITY
        for (let time = 0; time < tries && least > maxCpuMs; time++) {
          const before = process.threadCpuUsage()
          expression.test(hostile)
          const { user, system } = process.threadCpuUsage(before)
          least = Math.min(least, (user + system) / 1_000)
        }
        expect(least, `${piece} repeated`).toBeLessThan(maxCpuMs)
      }
    }
  })
})

/** Every `pattern` of a schema, however deep. */
function patternsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'pattern' && typeof member === 'string' ? member : patternsIn(member),
  )
}

describe('bodies of operations without authentication', () => {
  const open = all.flatMap((service) =>
    operationsOfService(service)
      .filter(({ operation, handler }) => operation.method !== 'GET' && (operation.open || handler instanceof Engine))
      .map(({ operation: { method, path } }) => ({
        method,
        path: `/${service.name}${path}`.replace(/\{[^}]*\}/g, 'a'),
      })),
  )

  test.each(open)('$method $path: a hostile body of 1 MB takes at most 150 ms of CPU', async ({ method, path }) => {
    const wire = reopening()
    const wrong: string[] = []
    for (const [type, piece] of [
      ['application/x-www-form-urlencoded', 'a=1&'],
      ['application/x-www-form-urlencoded', 'a%5B%5D=1'],
      ['application/x-www-form-urlencoded', '%'],
      ['application/json', '['],
      ['application/json', '{"a":'],
      ['application/json', '"a",'],
      ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'],
    ] as const) {
      const body = piece.repeat(Math.floor(1_000_000 / piece.length))
      const headers = [`Content-Type: ${type}`, `Content-Length: ${body.length}`]
      const request = { method, target: path, headers, body }
      const { ms, status } = await leastCost(wire.open, request, 150)
      if (ms > 150 || (status >= 500 && status !== 501)) wrong.push(`${status}, ${ms.toFixed(0)} ms: ${type} ${piece}`)
    }
    wire.close()
    expect(wrong).toEqual([])
  })
})

const flood = sized(500, 10_000)

test(`${flood} hostile requests on 16 connections block the event loop hardly longer than harmless ones`, async () => {
  const operations = all.flatMap((service) =>
    operationsOfService(service).map(({ operation: { method, path } }) => ({
      method,
      path: `/${service.name}${path}`,
    })),
  )
  const hostile = operations.flatMap(({ method, path }) => hostileRequests(method, path))
  const harmless = operations.map(({ method, path }) => ({ method, target: path.replace(/\{[^}]*\}/g, 'a') }))
  await maxDelayMs(harmless, 1_000) // warms up the compiler
  const quiet = await maxDelayMs(harmless)
  // The cost of the requests appears in every round, delays of a busy machine only in some.
  const most = Math.max(50, 4 * quiet)
  let attacked = Number.POSITIVE_INFINITY
  for (let round = 0; round < 5 && attacked >= most; round++) attacked = Math.min(attacked, await maxDelayMs(hostile))
  console.log(
    `event loop held up, ms: ${quiet.toFixed(0)} by harmless requests, ${attacked.toFixed(0)} by hostile ones`,
  )
  expect(attacked).toBeLessThan(most)
})

/** Maximum event-loop delay while another thread sends `count` of these requests. */
async function maxDelayMs(requests: readonly RawRequest[], count = flood): Promise<number> {
  const picked = Array.from({ length: count }, (_, index) =>
    written(requests[(index * 7919) % requests.length] as RawRequest),
  )
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const sender = new Worker(new URL('sender.ts', import.meta.url), { workerData: { url: app.url, requests: picked } })
  await new Promise((resolve, reject) => sender.once('exit', resolve).once('error', reject))
  delay.disable()
  return delay.max / 1e6
}
