import { setTimeout as sleep } from 'node:timers/promises'
import { type Cell, readingOf, sendTo, startCell } from '../../services/event-detection/src/testing/load.ts'
import { steady, swing } from '../../services/event-detection/src/testing/models.ts'
import { countOf } from '../../services/event-detection/src/testing/stored-store.ts'
import { type Figure, latencies, median, quantile } from '../figures.ts'

const messages = 100_000
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)

/** Throughput of one worker that evaluates a full mailbox, and latency of a single message from sender to state. */
export async function evaluation(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const keys of [1, 1_000, 100_000])
    for (const [name, model] of Object.entries({ 'few transitions': steady, 'a transition each': swing })) {
      await using cell = await startCell(model)
      const subject = `messages evaluated, ${keys.toLocaleString('en')} ${keys === 1 ? 'key' : 'keys'}, ${name}`
      figures.push({ name: subject, value: await rateOf(cell, keys), unit: '/s' })
    }
  return [...figures, ...latencies('one message, from its sender to the state', await latency())]
}

async function rateOf(cell: Cell, keys: number): Promise<number> {
  const all = Array.from({ length: messages }, (_, index) => `k${index % keys}`)
  const rates: number[] = []
  for (let round = 0; round <= rounds; round++) {
    await sendTo(cell, all)
    const began = performance.now()
    await cell.app.jobs.drain()
    if (round > 0) rates.push((messages * 1000) / (performance.now() - began)) // the first round creates the detectors
  }
  return median(rates)
}

/** With a worker that is notified, as in production. */
async function latency() {
  await using cell = await startCell(steady, 8, true)
  const { database } = cell.app.platform
  const waits: number[] = []
  for (let number = 1; number <= 300; number++) {
    const sent = performance.now()
    await cell.ingest('acme', [readingOf(number, 'one')])
    // The first message sets the count to 0.
    while ((await countOf(database, 'one')) < number - 1) await sleep(1)
    if (number > 20) waits.push(performance.now() - sent)
    await sleep(5)
  }
  return { p50: median(waits), p99: quantile(waits, 0.99) }
}
