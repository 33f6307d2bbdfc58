import { fork } from 'node:child_process'
import { once } from 'node:events'
import { openTelemetry } from '@icosa/telemetry'
import { children } from '@icosa/testing'
import { expect, test } from 'vitest'
import { startCollector, valuesOf } from '../../packages/telemetry/src/testing/collector.ts'
import { at, callersOf, nightly, request, start } from '../../services/job-scheduler/src/testing/app.ts'
import { startReceiver } from '../../services/job-scheduler/src/testing/receiver.ts'

test('a request to one process, its job in another and the message it sends form one trace', async () => {
  await using collector = await startCollector()
  await using receiver = await startReceiver()
  await using running = children()
  const parentSpan = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
  const telemetry = openTelemetry({ collector: { url: collector.url, serviceName: 'api' } })
  const app = await start({ telemetry, clock: 'virtual' })
  const worker = running.add(
    fork(new URL('worker.ts', import.meta.url), [app.databaseUrl, '/nonexistent', collector.url]),
  )
  await once(worker, 'message')
  const { collections, jobs } = await callersOf(app)
  await collections.createOrUpdate({ params: nightly, body: {} })
  const properties = { startTime: '2099-01-01T00:00:00Z', action: request(receiver.url) }
  await jobs.createOrUpdate({ params: at('traced'), body: { properties } })
  const { subscriptionId, resourceGroupName, jobCollectionName, jobName } = at('traced')
  const path = `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroupName}/providers/Vendor.Scheduler/jobCollections/${jobCollectionName}/jobs/${jobName}/run`
  const answer = await fetch(`${app.url}/job-scheduler${path}?api-version=2016-03-01`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await app.key('acme')}`,
      traceparent: `00-${parentSpan.traceId}-${parentSpan.spanId}-01`,
      tracestate: 'vendor=1',
    },
  })
  expect(answer.status).toBe(200)
  await receiver.until(1, 60_000)
  const known = () => collector.spans.filter(({ traceId }) => traceId === parentSpan.traceId)
  await expect.poll(() => known().length).toBe(3)
  worker.send('stop')
  await once(worker, 'exit')
  await app[Symbol.asyncDispose]()

  const all = known()
  const [asked, job, sent, ...others] = all.toSorted((a, b) => [2, 5, 3].indexOf(a.kind) - [2, 5, 3].indexOf(b.kind))
  expect(others).toEqual([])
  expect(asked).toMatchObject({
    name: 'job-scheduler:Jobs_Run',
    parentSpanId: parentSpan.spanId,
    traceState: 'vendor=1',
  })
  expect(job).toMatchObject({ name: 'job-scheduler:deliver', parentSpanId: asked?.spanId, traceState: 'vendor=1' })
  expect(sent).toMatchObject({ name: 'send', parentSpanId: job?.spanId })
  expect(all.map(({ resource }) => resource['service.name']).sort()).toEqual(['api', 'worker', 'worker'])
  expect(valuesOf(sent?.attributes ?? [])).toEqual({ 'server.address': new URL(receiver.url).host })
  expect(receiver.received[0]?.headers).toMatchObject({
    traceparent: `00-${parentSpan.traceId}-${sent?.spanId}-01`,
    tracestate: 'vendor=1',
  })
})
