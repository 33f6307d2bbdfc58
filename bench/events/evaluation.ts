import { setTimeout as sleep } from 'node:timers/promises'
import { type Cell, readingOf, sendTo, startCell } from '../../services/event-detection/src/testing/load.ts'
import { steady, swing } from '../../services/event-detection/src/testing/models.ts'
import { countOf } from '../../services/event-detection/src/testing/stored-store.ts'
import { median } from '../figures.ts'

const messages = 100_000
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)

/** From the mailbox to states, transitions and an empty mailbox, by one worker; and a single message, from sender to state. */
export async function evaluation(): Promise<boolean> {
  console.log(`\nmessages evaluated by one worker, ${messages} waiting, median of rounds\n`)
  console.log('keys     few transitions  a transition each')
  for (const keys of [1, 1_000, 100_000]) {
    const rates: string[] = []
    for (const model of [steady, swing]) {
      await using cell = await startCell(model)
      rates.push(`${(await rateOf(cell, keys)).toFixed(0)}/s`)
    }
    console.log(`${String(keys).padEnd(7)}  ${rates[0]?.padStart(15)}  ${rates[1]?.padStart(17)}`)
  }
  const { p50, p99 } = await latency()
  console.log(
    `\none message at a time, from its sender to its detector's state: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
  )
  return true
}

async function rateOf(cell: Cell, keys: number): Promise<number> {
  const all = Array.from({ length: messages }, (_, index) => `k${index % keys}`)
  const rates: number[] = []
  for (let round = 0; round <= rounds; round++) {
    await sendTo(cell, all)
    const began = performance.now()
    await cell.app.jobs.drain()
    if (round > 0) rates.push((messages * 1000) / (performance.now() - began)) // the first makes the detectors
  }
  return median(rates)
}

/** With a worker that is woken, as it is in production. */
async function latency() {
  await using cell = await startCell(steady, 8, true)
  const { database } = cell.app.platform
  const waits: number[] = []
  for (let number = 1; number <= 300; number++) {
    const sent = performance.now()
    await cell.ingest('acme', [readingOf(number, 'one')])
    // The first one sets the count to 0.
    while ((await countOf(database, 'one')) < number - 1) await sleep(1)
    if (number > 20) waits.push(performance.now() - sent)
    await sleep(5)
  }
  const sorted = waits.toSorted((a, b) => a - b)
  return { p50: sorted[Math.floor(sorted.length * 0.5)] ?? 0, p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0 }
}
