import { createLog } from '@icosa/telemetry'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Settings } from '../diagnostics/contract.ts'
import { maxActive } from '../observer/observer.ts'
import { exchange } from '../testing/exchange.ts'
import { clipped, maxBytes, writtenBytes } from './byte-budget.ts'
import { type ActiveDiagnostic, linesFor } from './line.ts'

const kilobyte = 1_024

/** Size of the lines as written by the log. */
function logSize(active: readonly ActiveDiagnostic[], of: ReturnType<typeof exchange>): number {
  const texts: string[] = []
  const log = createLog({ level: 'info', destination: { write: (line) => texts.push(line) } })
  for (const line of linesFor(active, of, { tenant: 'a'.repeat(100), service: 'configuration-stores' }))
    log.info(line, 'diagnostic')
  return Buffer.byteLength(texts.join(''))
}

/** Characters that JSON escapes to six, two and one characters, and multi-byte ones. */
const hostile = fc.constantFrom('\u0001', '\u001f', '"', '\\', '\ud800', 'é', '漢', '😀', '\n', 'x')
const long = (min: number, max: number) =>
  fc.tuple(hostile, fc.integer({ min, max })).map(([character, times]) => character.repeat(times))
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

const sentMessage = fc
  .record({
    character: hostile,
    count: fc.integer({ min: 0, max: 120 }),
    path: long(1, 2000),
    total: fc.constantFrom(0, 300, 9 * kilobyte),
  })
  .chain(({ character, count, path, total }) =>
    fc.record({
      path: fc.constant(`/${path}`),
      headers: fc.constant(
        Object.fromEntries(names.slice(0, count).map((name) => [name, character.repeat(total / 150)])),
      ),
      body: fc.constantFrom(
        Buffer.alloc(total, 1),
        Buffer.from(character.repeat(total / 2)),
        character.repeat(total / 4),
      ),
      type: fc.constantFrom('application/json', 'image/png'),
    }),
  )

test('log output is bounded by the size of the exchange, whatever is sent and requested', () => {
  let worst = 0
  fc.assert(
    fc.property(
      fc.array(activeDiagnostic, { minLength: 1, maxLength: maxActive }),
      sentMessage,
      sentMessage,
      fc.constantFrom(200, 201, 400, 404, 412, 500),
      (active, sent, received, status) => {
        const request = { headers: { ...sent.headers, 'content-type': sent.type }, body: sent.body }
        const response = { headers: { ...received.headers, 'content-type': received.type }, body: received.body }
        const of = exchange({ path: sent.path, status, request, response })
        const sizes = [request, response].map(
          ({ headers, body }) => Object.entries(headers).flat().join('').length + Buffer.byteLength(body),
        )
        const transferred = sizes.reduce((sum, size) => sum + size, sent.path.length)
        const bytes = logSize(active, of)
        worst = Math.max(worst, bytes)
        expect(bytes).toBeLessThanOrEqual(2 * transferred + 4 * kilobyte)
        expect(bytes).toBeLessThanOrEqual(maxBytes)
      },
    ),
    { numRuns: 300, seed: 376 },
  )
  console.log(`at most ${worst} bytes were written about one request`)
  expect(worst, 'the limit was approached').toBeGreaterThan(12 * kilobyte)
})

test('a 9 KB request that ten diagnostics log twice is written once and marked as truncated', () => {
  const messageSettings = { headers: ['user-agent'], body: { bytes: 8192 } }
  const both = { request: messageSettings, response: messageSettings }
  const settings: Settings = { loggerId: 'node', alwaysLog: 'allErrors', frontend: both, backend: both }
  const active = Array.from({ length: maxActive }, (_, index) => ({ name: `d${index}`, settings }))
  const request = { headers: { 'content-type': 'application/json' }, body: Buffer.alloc(9 * kilobyte, 'y') }
  const of = exchange({ status: 400, request, response: { body: '{"error":{}}' } })
  const lines = linesFor(active, of, {})
  expect(lines).toHaveLength(maxActive)
  expect(lines[0]).toMatchObject({ frontend: { request: { body: 'y'.repeat(8192), bodyBytes: 9 * kilobyte } } })
  expect(lines.map(({ truncated = false }) => truncated)).toContain(true)
  expect(logSize(active, of)).toBeLessThanOrEqual(maxBytes)
})

test('of requests refused unread only the head is logged', () => {
  const messageSettings = { headers: ['accept'], body: { bytes: 100 } }
  const settings: Settings = {
    loggerId: 'node',
    alwaysLog: 'allErrors',
    frontend: { request: messageSettings, response: messageSettings },
  }
  const lineFor = (status: number) => {
    const request = { headers: { accept: 'x' }, body: 'text' }
    return linesFor([{ name: 'local', settings }], exchange({ status, request, response: { body: 'no' } }), {})[0]
  }
  for (const status of [401, 403, 413, 429, 503]) expect(lineFor(status)).not.toHaveProperty('frontend')
  for (const status of [200, 400, 404, 409, 500]) expect(lineFor(status)).toHaveProperty('frontend')
})

test('a text is cut between characters, to at most the given bytes', () => {
  fc.assert(
    fc.property(fc.array(hostile, { maxLength: 40 }), fc.nat(120), (characters, bytes) => {
      const text = characters.join('')
      const part = clipped(text, bytes)
      expect(text.startsWith(part)).toBe(true)
      expect(writtenBytes(part)).toBeLessThanOrEqual(bytes)
      expect(writtenBytes(text) <= bytes ? part : '', 'a text that fits is complete').toBe(
        writtenBytes(text) <= bytes ? text : '',
      )
      expect(Math.min(writtenBytes(text), bytes) - writtenBytes(part), 'less than a character is lost').toBeLessThan(12)
    }),
  )
})
