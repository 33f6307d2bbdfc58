import { expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { startCollector } from '../testing/collector.ts'
import { openExporter } from './exporter.ts'
import { createTraces } from './traces.ts'

const log = createLog({ level: 'fatal' })
/** More than any machine needs, however busy. */
const timeoutMs = 60_000

function recording(url: string) {
  const exporter = openExporter({ url, serviceName: 'tested' }, log)
  const traces = createTraces({ sampled: 1, record: exporter.add })
  const add = (times: number) => {
    for (let n = 0; n < times; n++)
      traces.end(traces.begin('request', {}), {
        name: `n${n}`,
        startedAt: performance.now(),
        attributes: {},
        hasFailed: false,
      })
  }
  return { exporter, add }
}

test('spans are sent in batches, and the rest when the node stops', async () => {
  await using collector = await startCollector()
  const { exporter, add } = recording(collector.url)
  add(1_300)
  await exporter.close(timeoutMs)
  expect(new Set(collector.spans.map(({ spanId }) => spanId)).size).toBe(1_300)
  expect(collector.headers.length).toBeLessThanOrEqual(4)
  expect([exporter.sent(), exporter.lost()]).toEqual([1_300, 0])
})

test('during an outage of the collector spans are buffered up to a limit, beyond it counted, and sent afterwards', async () => {
  await using collector = await startCollector()
  const { exporter, add } = recording(collector.url)
  collector.answer(503)
  add(10_000)
  await expect.poll(() => collector.headers.length).toBeGreaterThan(0)
  expect(exporter.lost()).toBe(10_000 - 4_096)
  collector.answer(200)
  await expect.poll(() => exporter.sent(), { timeout: 60_000 }).toBe(4_096)
  expect(collector.spans).toHaveLength(4_096)
  await exporter.close(timeoutMs)
})

test('refused spans are not retried, and a missing collector delays nothing', async () => {
  await using collector = await startCollector()
  collector.answer(400)
  const refused = recording(collector.url)
  refused.add(3)
  await refused.exporter.close(timeoutMs)
  expect([refused.exporter.sent(), refused.exporter.lost(), collector.headers.length]).toEqual([0, 3, 1])
  const unreachable = recording('http://127.0.0.1:9')
  unreachable.add(3)
  await unreachable.exporter.close(timeoutMs)
  expect([unreachable.exporter.sent(), unreachable.exporter.lost()]).toEqual([0, 3])
})
