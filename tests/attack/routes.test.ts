import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { platform } from '@icosa/platform'
import { example, sized, startTestApp, type TestApp } from '@icosa/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allServices } from '../../apps/server/src/services.ts'
import { type RawRequest, Wire, written } from './wire.ts'

const all = [...(await allServices()), platform, example]
let app: TestApp
let routes: readonly RawRequest[]

beforeAll(async () => {
  app = await startTestApp({ services: all, hostnames: ['127.0.0.1', 'localhost'] })
  const unique = new Map(
    app.routes.map(({ method, url }) => {
      const target = url
        .replace(/:\w+(\([^)]*\))?/g, 'a')
        .replaceAll('::', ':')
        .replaceAll('*', 'a')
      return [`${method} ${target}`, { method, target }]
    }),
  )
  routes = [
    ...unique.values(),
    { method: 'GET', target: '/nothing-is-here' },
    { method: 'GET', target: '/hardware-security-modules/x' },
  ]
})
afterAll(() => app[Symbol.asyncDispose]())

/** Sends each request and returns those with a wrong status. */
async function wrongAmong(requests: readonly RawRequest[], isRight: (status: number) => boolean): Promise<string[]> {
  const wrong: string[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      let wire = await Wire.open(app.url)
      while (next < requests.length) {
        const request = requests[next++] as RawRequest
        if (wire.isClosed) wire = await Wire.open(app.url)
        const status = await wire.ask(request)
        if (!isRight(status)) wrong.push(`${status}: ${request.method} ${request.target}`)
      }
      wire.close()
    }),
  )
  return wrong
}

const hasBody = ({ method }: RawRequest) => ['POST', 'PUT', 'PATCH'].includes(method)
const isRefused = (status: number) => status === 400 || status === 403
/** 0 is no answer: the connection may be closed while the rest of the header is being sent. */
const isTooLong = (status: number) => status === 431 || status === 0
const isOurFault = (status: number) => status >= 500 && status !== 501
const withHeaders = (...headers: string[]) => routes.map((route) => ({ ...route, headers }))

describe('every route of a node, for anonymous callers', () => {
  test('operations, pages, data planes and health checks are among them', () => {
    const targets = routes.map(({ target }) => target)
    expect(targets).toEqual(
      expect.arrayContaining(['/', '/healthz', '/readyz', '/identity-connect/token', '/example/notes']),
    )
    expect(targets.some((target) => target.includes('/kv/'))).toBe(true)
    expect(targets.length).toBeGreaterThan(150)
  })

  test('foreign and malformed hosts are refused, also by health checks and unknown paths', async () => {
    expect(await wrongAmong(withHeaders('Host: evil.example'), isRefused)).toEqual([])
    for (const host of [
      'a b',
      '[',
      'evil.example/..',
      '127.0.0.1:99999',
      '127.0.0.1@evil.example',
      '%00',
      'a'.repeat(300),
    ])
      expect(await wrongAmong(withHeaders(`Host: ${host}`), isRefused)).toEqual([])
  })

  test('headers of any size are answered or refused', async () => {
    const allowed = withHeaders(`X-Filler: ${'x'.repeat(50_000)}`)
    expect(await wrongAmong(allowed, (status) => status > 0 && !isOurFault(status))).toEqual([])
    expect(await wrongAmong(withHeaders(`X-Filler: ${'x'.repeat(80_000)}`), isTooLong)).toEqual([])
    const many = (count: number) => withHeaders(...Array.from({ length: count }, (_, index) => `X-${index}: a`))
    expect(await wrongAmong(many(900), (status) => status > 0 && !isOurFault(status))).toEqual([])
    expect(await wrongAmong(many(1_500), isTooLong)).toEqual([])
  })

  test('a flood of anonymous requests causes neither server errors nor memory growth', async () => {
    const flood = (times: number) => {
      const requests = Array.from({ length: times }, () =>
        routes.map((route, index) => ({
          ...route,
          headers: [
            `X-Api-Key: made-up-${index}`,
            `X-Vendor-Api-Secret: made-up-${index}`,
            `Authorization: Bearer made-up-${index}`,
            'Content-Type: application/json',
            ...(hasBody(route) ? ['Content-Length: 2'] : []),
          ],
          ...(hasBody(route) && { body: '{}' }),
        })),
      ).flat()
      return wrongAmong(requests, (status) => status > 0 && !isOurFault(status))
    }
    const times = Math.ceil(sized(6_000, 24_000) / routes.length)
    expect(await flood(2)).toEqual([])
    const before = settledHeap()
    expect(await flood(times)).toEqual([])
    const grown = (settledHeap() - before) / 2 ** 20
    console.log(
      `${times * routes.length} requests of strangers on ${routes.length} routes: heap grew by ${grown.toFixed(1)} MiB`,
    )
    expect(grown).toBeLessThan(64)
  })

  test('the server does not wait for a body that trickles in', async () => {
    const began = performance.now()
    const wires = await Promise.all(
      routes.filter(hasBody).flatMap((route) =>
        ['Content-Length: 1000', 'Transfer-Encoding: chunked'].map(async (framing) => {
          const wire = await Wire.open(app.url)
          wire.send(written({ ...route, headers: [framing, 'Content-Type: application/json'], body: '1' }))
          return wire
        }),
      ),
    )
    const trickle = setInterval(() => {
      for (const wire of wires) if (!wire.isClosed) wire.send('1')
    }, 500)
    await Promise.all(wires.map((wire) => wire.closed()))
    clearInterval(trickle)
    const seconds = (performance.now() - began) / 1_000
    console.log(
      `${wires.length} trickling bodies on all routes: the last connection was ended after ${seconds.toFixed(1)} s`,
    )
    expect(seconds).toBeLessThan(60) // 10 by the limits; 315 without them
  })
})

function settledHeap(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}
