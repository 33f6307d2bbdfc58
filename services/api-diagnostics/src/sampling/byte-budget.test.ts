import { createLog } from '@icosa/telemetry'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Settings } from '../diagnostics/contract.ts'
import { activeLimit } from '../observer/observer.ts'
import { exchange } from '../testing/exchange.ts'
import { clipped, maxBytes, writtenBytes } from './byte-budget.ts'
import { type ActiveDiagnostic, linesFor } from './line.ts'

const kilobyte = 1_024

/** Bytes that lines take in the log, as it really writes them. */
function written(all: readonly ActiveDiagnostic[], of: ReturnType<typeof exchange>): number {
  const texts: string[] = []
  const log = createLog({ level: 'info', destination: { write: (line) => texts.push(line) } })
  for (const line of linesFor(all, of, { tenant: 'a'.repeat(100), service: 'configuration-stores' }))
    log.info(line, 'diagnostic')
  return Buffer.byteLength(texts.join(''))
}

/** Characters that JSON writes as six, as two and as one, and some of several bytes. */
const hostile = fc.constantFrom('\u0001', '\u001f', '"', '\\', '\ud800', 'é', '漢', '😀', '\n', 'x')
const long = (least: number, most: number) =>
  fc.tuple(hostile, fc.integer({ min: least, max: most })).map(([one, times]) => one.repeat(times))
const names = Array.from({ length: 120 }, (_, index) => `x-${index}`)

const message = fc.record({
  headers: fc.shuffledSubarray(names, { minLength: 0, maxLength: 100 }),
  body: fc.record({ bytes: fc.constantFrom(0, 1, 100, 8192) }),
})
const side = fc.record({ request: message, response: message })
const activeDiagnostic = fc.record({
  name: long(1, 80),
  settings: fc.record({
    loggerId: long(1, 2048),
    alwaysLog: fc.constant('allErrors' as const),
    frontend: side,
    backend: side,
    httpCorrelationProtocol: fc.constantFrom('None' as const, 'Legacy' as const, 'W3C' as const),
    logClientIp: fc.boolean(),
    operationNameFormat: fc.constantFrom('Name' as const, 'Url' as const),
  }),
})

const sent = fc
  .record({
    one: hostile,
    count: fc.integer({ min: 0, max: 120 }),
    path: long(1, 2000),
    total: fc.constantFrom(0, 300, 9 * kilobyte),
  })
  .chain(({ one, count, path, total }) =>
    fc.record({
      path: fc.constant(`/${path}`),
      headers: fc.constant(Object.fromEntries(names.slice(0, count).map((name) => [name, one.repeat(total / 150)]))),
      body: fc.constantFrom(Buffer.alloc(total, 1), Buffer.from(one.repeat(total / 2)), one.repeat(total / 4)),
      type: fc.constantFrom('application/json', 'image/png'),
    }),
  )

test('whatever is sent and whatever is asked for, what is written stays small beside it', () => {
  let worst = 0
  fc.assert(
    fc.property(
      fc.array(activeDiagnostic, { minLength: 1, maxLength: activeLimit }),
      sent,
      sent,
      fc.constantFrom(200, 201, 400, 404, 412, 500),
      (all, came, went, status) => {
        const request = { headers: { ...came.headers, 'content-type': came.type }, body: came.body }
        const response = { headers: { ...went.headers, 'content-type': went.type }, body: went.body }
        const of = exchange({ path: came.path, status, request, response })
        const sizes = [request, response].map(
          ({ headers, body }) => Object.entries(headers).flat().join('').length + Buffer.byteLength(body),
        )
        const moved = sizes.reduce((sum, size) => sum + size, came.path.length)
        const bytes = written(all, of)
        worst = Math.max(worst, bytes)
        expect(bytes).toBeLessThanOrEqual(2 * moved + 4 * kilobyte)
        expect(bytes).toBeLessThanOrEqual(maxBytes)
      },
    ),
    { numRuns: 300, seed: 376 },
  )
  console.log(`at most ${worst} bytes were written about one request`)
  expect(worst, 'it was really tried').toBeGreaterThan(12 * kilobyte)
})

test('a request of 9 KB that ten diagnostics want to have twice is written once, and says that it is not all', () => {
  const all = { headers: ['user-agent'], body: { bytes: 8192 } }
  const both = { request: all, response: all }
  const settings: Settings = { loggerId: 'node', alwaysLog: 'allErrors', frontend: both, backend: both }
  const acts = Array.from({ length: activeLimit }, (_, index) => ({ name: `d${index}`, settings }))
  const request = { headers: { 'content-type': 'application/json' }, body: Buffer.alloc(9 * kilobyte, 'y') }
  const of = exchange({ status: 400, request, response: { body: '{"error":{}}' } })
  const lines = linesFor(acts, of, {})
  expect(lines).toHaveLength(activeLimit)
  expect(lines[0]).toMatchObject({ frontend: { request: { body: 'y'.repeat(8192), bodyBytes: 9 * kilobyte } } })
  expect(lines.map(({ truncated = false }) => truncated)).toContain(true)
  expect(written(acts, of)).toBeLessThanOrEqual(maxBytes)
})

test('of what was sent away unread only the head is written', () => {
  const all = { headers: ['accept'], body: { bytes: 100 } }
  const settings: Settings = { loggerId: 'node', alwaysLog: 'allErrors', frontend: { request: all, response: all } }
  const told = (status: number) => {
    const request = { headers: { accept: 'x' }, body: 'text' }
    return linesFor([{ name: 'local', settings }], exchange({ status, request, response: { body: 'no' } }), {})[0]
  }
  for (const status of [401, 403, 413, 429, 503]) expect(told(status)).not.toHaveProperty('frontend')
  for (const status of [200, 400, 404, 409, 500]) expect(told(status)).toHaveProperty('frontend')
})

test('a text is cut between characters, and never longer than its bytes', () => {
  fc.assert(
    fc.property(fc.array(hostile, { maxLength: 40 }), fc.nat(120), (characters, bytes) => {
      const text = characters.join('')
      const part = clipped(text, bytes)
      expect(text.startsWith(part)).toBe(true)
      expect(writtenBytes(part)).toBeLessThanOrEqual(bytes)
      expect(writtenBytes(text) <= bytes ? part : '', 'what fits is whole').toBe(
        writtenBytes(text) <= bytes ? text : '',
      )
      expect(Math.min(writtenBytes(text), bytes) - writtenBytes(part), 'no more is lost than a character').toBeLessThan(
        12,
      )
    }),
  )
})
