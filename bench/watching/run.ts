/** Latency of reads and writes at 500 requests a second, with and without a stream of live requests, alternately. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempDisposableSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { operating } from '@icosa/platform'
import { example, startTestApp } from '@icosa/testing'
import { Agent, request } from 'undici'
import { type Latency, latencyIn } from '../../packages/testing/src/latency.ts'
import { median, record } from '../figures.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 7)
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const perSecond = Number(process.env.BENCH_RATE ?? 500)
const goal = 1.2

using folder = mkdtempDisposableSync(join(tmpdir(), 'watching-'))
await using app = await startTestApp({ services: [example, operating], checkReplies: false })
const headers = { 'x-api-key': await app.key('bench'), 'content-type': 'application/json' }
const agent = new Agent({ connections: 50 })
const body = JSON.stringify({ title: 'A note', text: 'A text of some words. '.repeat(20) })
const send = async (method: 'GET' | 'POST', path: string) => {
  const began = performance.now()
  const answer = await request(`${app.url}/example/notes${path}`, {
    dispatcher: agent,
    method,
    headers,
    body: method === 'POST' ? body : null,
  })
  const text = await answer.body.text()
  if (answer.statusCode >= 300) throw new Error(`it answered ${answer.statusCode}`)
  return { text, ms: performance.now() - began }
}
const { id } = JSON.parse((await send('POST', '')).text) as { id: string }

interface Sample extends Latency {
  readonly cpuUs: number
}

/** Sends at a fixed rate, whatever the latency: one write for nine reads. */
async function latency(): Promise<Sample> {
  const count = perSecond * seconds
  const [began, cpu] = [performance.now(), process.cpuUsage()]
  const pending: Promise<number>[] = []
  while (pending.length < count) {
    const due = Math.min(count, Math.ceil(((performance.now() - began) / 1_000) * perSecond))
    while (pending.length < due)
      pending.push((pending.length % 10 === 0 ? send('POST', '') : send('GET', `/${id}`)).then(({ ms }) => ms))
    await sleep(2)
  }
  const took = await Promise.all(pending)
  const { user, system } = process.cpuUsage(cpu)
  return { ...latencyIn(took), cpuUs: (user + system) / count }
}

/** Reads the stream in a process of its own. Returns the number of events when it is closed. */
async function watch(): Promise<() => Promise<number>> {
  const file = join(folder.path, 'events')
  const reader = spawn('curl', [
    ...['-sN', '-o', file, '-H', 'accept: text/event-stream', '-H', `x-api-key: ${headers['x-api-key']}`],
    `${app.url}/platform/requests`,
  ])
  while (!existsSync(file)) await sleep(20)
  return async () => {
    await sleep(500) // the last batch
    reader.kill()
    await once(reader, 'close')
    const text = readFileSync(file, 'latin1')
    rmSync(file)
    const skipped = [...text.matchAll(/data: \{"count":(\d+)\}/g)].reduce((sum, [, count]) => sum + Number(count), 0)
    return text.split('event: request').length - 1 + skipped
  }
}

await latency()
const samples: { readonly alone: Sample; readonly watched: Sample }[] = []
async function latencyWatched(): Promise<Sample> {
  const close = await watch()
  const sample = await latency()
  const events = await close()
  if (events < perSecond * seconds * 0.9) throw new Error(`The stream had only ${events} events.`)
  return sample
}

for (let round = 0; round < rounds; round++) {
  const before = round % 2 === 0 ? await latency() : undefined // in turn, as later samples tend to be slower
  const watched = await latencyWatched()
  samples.push({ alone: before ?? (await latency()), watched })
}
const of = (read: (sample: (typeof samples)[number]) => number) => median(samples.map(read))
const name = `${perSecond} requests a second while a stream of them is read`
const alone = `${perSecond} requests a second without a stream`
const ratio = of((sample) => sample.watched.p99 / sample.alone.p99)
record([
  { name, statistic: 'p99', value: ratio, unit: '×', comparedWith: 'no stream', goal: { atMost: goal } },
  { name, statistic: 'p99', value: of(({ watched }) => watched.p99), unit: 'ms' },
  { name: alone, statistic: 'p99', value: of((sample) => sample.alone.p99), unit: 'ms' },
  { name: `${name}, CPU with client`, value: of(({ watched }) => watched.cpuUs), unit: 'µs' },
  { name: `${alone}, CPU with client`, value: of((sample) => sample.alone.cpuUs), unit: 'µs' },
])
await agent.close()
