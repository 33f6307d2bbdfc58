import type { EndedSpan } from '@icosa/kernel'
import { example, startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { openTelemetry } from '../open.ts'
import { startCollector, valuesOf } from '../testing/collector.ts'
import { parentIn, stateIn } from './parent.ts'
import { createTraces } from './traces.ts'

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

test('parses a W3C traceparent, and nothing else', () => {
  const [, traceId, spanId] = traceparent.split('-')
  expect(parentIn(traceparent)).toEqual({ traceId, spanId, isSampled: true })
  expect(parentIn(traceparent.replace(/01$/, '00'))).toMatchObject({ isSampled: false })
  expect(parentIn(`cc${traceparent.slice(2)}-more`), 'a version to come').toMatchObject({ traceId })
  const invalid = [
    ...[
      '',
      'nonsense',
      `${traceparent}-more`,
      `ff${traceparent.slice(2)}`,
      traceparent.toUpperCase(),
      ` ${traceparent}`,
    ],
    ...[
      traceparent.replace(/4bf9\w+/, '0'.repeat(32)),
      traceparent.replace('00f067aa0ba902b7', '0'.repeat(16)),
      undefined,
      [traceparent],
    ],
  ]
  expect(invalid.flatMap((header) => parentIn(header) ?? [])).toEqual([])
  expect(stateIn('vendor=1,other=2')).toBe('vendor=1,other=2')
  expect([stateIn('a'.repeat(513)), stateIn('a=\r\nb'), stateIn(undefined)]).toEqual([undefined, undefined, undefined])
})

test('samples traces that begin here at the configured rate, others as their sender decided', () => {
  const share = (sampled: number) => {
    const traces = createTraces({ sampled, record: () => {} })
    const spans = Array.from({ length: 4_000 }, () => traces.begin('request', {}))
    return spans.filter(({ isRecorded }) => isRecorded).length / spans.length
  }
  expect([share(0), share(1)]).toEqual([0, 1])
  expect(share(0.25)).toBeCloseTo(0.25, 1)
  const none = createTraces({ sampled: 0, record: () => {} })
  expect(none.begin('request', { traceparent }).isRecorded).toBe(true)
  const all = createTraces({ sampled: 1, record: () => {} })
  expect(all.begin('request', { traceparent: traceparent.replace(/01$/, '00') }).isRecorded).toBe(false)
  expect(createTraces({ sampled: 0 }).begin('request', { traceparent }).isRecorded).toBe(false)
})

test('a job enqueued by a job gets its own trace with a link; one enqueued by a request does not', async () => {
  const ended: EndedSpan[] = []
  const traces = createTraces({ sampled: 1, record: (span) => ended.push(span) })
  const request = traces.begin('request', { traceparent, tracestate: 'vendor=1' })
  const carried = traces.within(request, () => traces.carried(true))
  expect(carried).toEqual({ traceparent: `00-${request.traceId}-${request.spanId}-01`, tracestate: 'vendor=1' })
  const job = traces.begin('job', carried ?? {})
  expect(traces.within(job, () => traces.carried(false))).toMatchObject({ tracestate: 'vendor=1' })
  const later = traces.begin('job', traces.within(job, () => traces.carried(true)) ?? {})
  expect(later.traceId).not.toBe(job.traceId)
  expect(later).toMatchObject({ enqueuedBy: `00-${job.traceId}-${job.spanId}-01`, parentId: undefined })
  expect(traces.carried(false)).toBeUndefined()
  await expect(
    traces.within(job, () => traces.sending('send', {}, () => Promise.reject(new Error('lost')))),
  ).rejects.toThrow('lost')
  expect(ended).toMatchObject([{ name: 'send', hasFailed: true, part: { parentId: job.spanId, state: 'vendor=1' } }])
})

test('a request and its job share a trace, also in the log, and refusals have spans', async () => {
  await using collector = await startCollector()
  const lines: string[] = []
  const log = createLog({ level: 'info', destination: { write: (line) => lines.push(line) } })
  const telemetry = openTelemetry({
    collector: { url: `${collector.url}/`, serviceName: 'tested', headers: { 'api-key': 'k' } },
  })
  {
    await using app = await startTestApp({ services: [example], telemetry, log })
    const headers = { 'x-api-key': await app.key('ada'), 'content-type': 'application/json', traceparent }
    const creation = await fetch(`${app.url}/example/notes`, {
      method: 'POST',
      headers,
      body: '{"title":"t","text":""}',
    })
    const { id } = (await creation.json()) as { id: string }
    await fetch(`${app.url}/example/notes/${id}/publish`, { method: 'POST', headers })
    await fetch(`${app.url}/example/notes/unknown`, { headers: { 'x-api-key': headers['x-api-key'] } })
    await fetch(`${app.url}/example/notes`, { headers: { traceparent } })
    await app.jobs.drain()
    await expect.poll(() => collector.spans.length).toBe(5)
  }
  const { spans } = collector
  expect(spans.map(({ name, kind }) => `${name} ${kind}`).sort()).toEqual([
    'example:createNote 2',
    'example:getNote 2',
    'example:listNotes 2',
    'example:publishNote 2',
    'example:publishNote 5', // the job of the same name
  ])
  const [request, job] = spans.filter(({ name }) => name === 'example:publishNote').sort((a, b) => a.kind - b.kind)
  expect(request).toMatchObject({ traceId: traceparent.split('-')[1], parentSpanId: traceparent.split('-')[2] })
  expect(job).toMatchObject({ traceId: request?.traceId, parentSpanId: request?.spanId })
  expect(BigInt(job?.endTimeUnixNano ?? 0)).toBeGreaterThan(BigInt(request?.startTimeUnixNano ?? 0))
  expect(valuesOf(request?.attributes ?? [])).toMatchObject({ 'http.request.method': 'POST', 'icosa.tenant': 'ada' })
  expect(request?.resource).toMatchObject({ 'service.name': 'tested' })
  expect(collector.headers[0]).toMatchObject({ 'api-key': 'k' })
  const unknown = spans.find(({ name }) => name === 'example:getNote')
  expect(valuesOf(unknown?.attributes ?? [])).toMatchObject({ 'http.response.status_code': 404 })
  expect(unknown?.traceId, 'its own trace').not.toBe(request?.traceId)
  const requests = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
  expect(requests.map(({ traceId }) => traceId)).toEqual(expect.arrayContaining([request?.traceId, unknown?.traceId]))
})
