import { createHash } from 'node:crypto'
import type { ObservedExchange } from '@icosa/kernel'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Settings } from '../diagnostics/contract.ts'
import { exchange } from '../testing/exchange.ts'
import { decide, isSampled } from './decide.ts'
import { linesFor } from './line.ts'

const traceIds = Array.from({ length: 10_000 }, (_, index) => createHash('md5').update(`trace ${index}`).digest('hex'))
const traced = (id: string) => exchange({ request: { headers: { traceparent: `00-${id}-00f067aa0ba902b7-01` } } })
const settingsWith = (more: Partial<Settings>): Settings => ({ loggerId: 'node', ...more })
const lineFor = (settings: Settings, of: ObservedExchange) => linesFor([{ name: 'local', settings }], of, {})[0]
const quarter = settingsWith({ sampling: { samplingType: 'fixed', percentage: 25 } })

/** Three standard deviations of a binomial distribution. */
const threeSigma = (count: number, share: number) => 3 * Math.sqrt(count * share * (1 - share))

test('25 % of 10,000 traces are sampled, within three standard deviations', () => {
  const sampled = traceIds.filter((id) => decide(quarter, traced(id)).because === 'sampled')
  console.log(`25 % of 10,000 traces: ${sampled.length}`)
  expect(Math.abs(sampled.length - 2_500)).toBeLessThan(threeSigma(10_000, 0.25))
})

test('sequential ids are sampled evenly, at every rate', () => {
  for (const percentage of [1, 10, 50, 90, 99.5]) {
    const count = Array.from({ length: 10_000 }, (_, index) => `k3x9qa-${index}`).filter((id) =>
      isSampled(id, percentage),
    ).length
    const share = percentage / 100
    expect(Math.abs(count - 10_000 * share), `${percentage} %`).toBeLessThan(threeSigma(10_000, share))
  }
})

test('sampling is deterministic, and a larger sample contains the smaller', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(100), fc.nat(100), (id, a, b) => {
      const [less, more] = a < b ? [a, b] : [b, a]
      if (isSampled(id, less)) expect(isSampled(id, more)).toBe(true)
      expect([isSampled(id, 0), isSampled(id, 100)]).toEqual([false, true])
    }),
  )
  // Nodes of all versions must agree: golden values.
  const first = traceIds.slice(0, 12)
  expect(first.flatMap((id, index) => (isSampled(id, 25) ? [index] : []))).toEqual([6, 8, 11])
})

test('requests of a trace are decided alike, whichever header identifies it', () => {
  const [id = ''] = traceIds
  const correlation = (more: Partial<Settings>, headers: Record<string, string>) =>
    decide(settingsWith(more), exchange({ request: { headers } })).correlationId
  const w3c = { traceparent: `00-${id}-00f067aa0ba902b7-01` }
  expect(correlation({}, w3c)).toBe(id)
  expect(correlation({ httpCorrelationProtocol: 'W3C' }, { traceparent: `00-${id}-b7ad6b7169203331-00` })).toBe(id)
  expect(correlation({ httpCorrelationProtocol: 'None' }, w3c)).toBe('node-1')
  expect(correlation({ httpCorrelationProtocol: 'Legacy' }, { 'request-id': '|root.1.a_2.' })).toBe('root')
  expect(correlation({ httpCorrelationProtocol: 'Legacy' }, { 'request-id': 'flat' })).toBe('flat')
  expect(correlation({ httpCorrelationProtocol: 'Legacy' }, w3c)).toBe('node-1')
  for (const traceparent of ['', 'nonsense', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, `00-${id}`])
    expect(correlation({}, { traceparent })).toBe('node-1')
})

test('alwaysLog logs all errors, and verbosity error logs only errors', () => {
  const never = { percentage: 0 }
  const because = (more: Partial<Settings>, status: number) => decide(settingsWith(more), exchange({ status })).because
  expect(because({ sampling: never }, 500)).toBeUndefined()
  expect(because({ sampling: never, alwaysLog: 'allErrors' }, 500)).toBe('error')
  expect(because({ sampling: never, alwaysLog: 'allErrors' }, 404)).toBe('error')
  expect(because({ sampling: never, alwaysLog: 'allErrors' }, 399)).toBeUndefined()
  expect(because({ verbosity: 'error' }, 200)).toBeUndefined()
  expect(because({ verbosity: 'error' }, 400)).toBe('sampled')
  expect(because({ verbosity: 'information' }, 200)).toBe('sampled')
  expect(because({}, 200)).toBe('sampled')
})

test('a line contains the configured headers and bytes of the bodies', () => {
  const request = {
    headers: { accept: 'text/html', 'user-agent': 'curl', 'content-type': 'application/json; charset=utf-8' },
    body: Buffer.from('{"text":"naïve"}'),
  }
  const response = { headers: { 'content-type': 'image/png' }, body: new Uint8Array([137, 80, 78, 71, 13, 10]) }
  const settings = settingsWith({
    frontend: {
      request: { headers: ['Accept', 'ACCEPT', 'X-Absent'], body: { bytes: 12 } },
      response: { body: { bytes: 4 } },
    },
    backend: { request: { headers: ['User-Agent'] }, response: { headers: ['X-Absent'], body: { bytes: 0 } } },
  })
  expect(lineFor(settings, exchange({ request, response }))).toEqual({
    diagnostic: 'local',
    loggerId: 'node',
    because: 'sampled',
    requestId: 'node-1',
    correlationId: 'node-1',
    operation: 'translateText',
    status: 200,
    durationUs: 1500,
    frontend: {
      // The limit splits the two bytes of ï, which is dropped.
      request: { headers: { accept: 'text/html' }, body: '{"text":"na', bodyBytes: 17 },
      response: { body: 'iVBORw==', bodyBytes: 6 },
    },
    backend: { request: { headers: { 'user-agent': 'curl' } } },
  })
})

test('a logged body never exceeds its limit', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.nat(80), fc.boolean(), (text, bytes, asBytes) => {
      const body = asBytes ? Buffer.from(text) : text
      const settings = settingsWith({ frontend: { response: { body: { bytes } } } })
      const headers = { 'content-type': 'text/plain' }
      const logged = lineFor(settings, exchange({ response: { headers, body } }))?.frontend?.response
      if (bytes === 0 || text === '') {
        expect(logged).toBeUndefined()
        return
      }
      expect(text.startsWith(logged?.body ?? 'nothing')).toBe(true)
      expect(Buffer.byteLength(logged?.body ?? '')).toBeLessThanOrEqual(bytes)
      expect(Buffer.byteLength(logged?.body ?? '')).toBeGreaterThan(Math.min(bytes, Buffer.byteLength(text)) - 4)
      expect(logged?.bodyBytes).toBe(Buffer.byteLength(text))
    }),
  )
})

test('credentials, forms and masked headers are not logged; the client address only if configured', () => {
  const headers = { authorization: 'Bearer a', cookie: 'b', 'x-vendor-api-secret': 'c', 'x-plain': 'd', 'x-other': 'e' }
  const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
  const masked = {
    headers: Object.keys(headers),
    body: { bytes: 100 },
    dataMasking: {
      headers: [
        { value: 'X-Plain', mode: 'Mask' as const },
        { value: 'X-Other', mode: 'Hide' as const },
      ],
    },
  }
  const observed = exchange({ request: { headers: form, body: 'password=p' } })
  const line = lineFor(settingsWith({ frontend: { request: masked } }), observed)
  expect(line?.frontend?.request).toEqual({
    headers: { authorization: '***', cookie: '***', 'x-vendor-api-secret': '***', 'x-plain': '***' },
  })
  expect(line).not.toHaveProperty('clientIp')
  const detailed = lineFor(settingsWith({ logClientIp: true, operationNameFormat: 'Url' }), observed)
  expect(detailed).toMatchObject({ clientIp: '192.0.2.7', operation: 'GET /braille-translation/translate' })
})
