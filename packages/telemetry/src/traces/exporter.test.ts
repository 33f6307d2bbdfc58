import { expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { startCollector } from '../testing/collector.ts'
import { openExporter } from './exporter.ts'
import { createTraces } from './traces.ts'

const log = createLog({ level: 'fatal' })
/** More than any machine needs, however busy. */
const patienceMs = 60_000

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

test('many spans go in batches, and what is left when the node stops goes then', async () => {
  await using collector = await startCollector()
  const { exporter, add } = recording(collector.url)
  add(1_300)
  await exporter.close(patienceMs)
  expect(new Set(collector.spans.map(({ spanId }) => spanId)).size).toBe(1_300)
  expect(collector.headers.length).toBeLessThanOrEqual(4)
  expect([exporter.sent(), exporter.lost()]).toEqual([1_300, 0])
})

test('while the collector is away so many are kept and the others counted; when it is back, those that were kept arrive', async () => {
  await using collector = await startCollector()
  const { exporter, add } = recording(collector.url)
  collector.answer(503)
  add(10_000)
  await expect.poll(() => collector.headers.length).toBeGreaterThan(0)
  expect(exporter.lost()).toBe(10_000 - 4_096)
  collector.answer(200)
  await expect.poll(() => exporter.sent(), { timeout: 60_000 }).toBe(4_096)
  expect(collector.spans).toHaveLength(4_096)
  await exporter.close(patienceMs)
})

test('what a collector refuses for good is not sent again, and one that is not there holds up nobody', async () => {
  await using collector = await startCollector()
  collector.answer(400)
  const refused = recording(collector.url)
  refused.add(3)
  await refused.exporter.close(patienceMs)
  expect([refused.exporter.sent(), refused.exporter.lost(), collector.headers.length]).toEqual([0, 3, 1])
  const nowhere = recording('http://127.0.0.1:9')
  nowhere.add(3)
  await nowhere.exporter.close(patienceMs)
  expect([nowhere.exporter.sent(), nowhere.exporter.lost()]).toEqual([0, 3])
})
