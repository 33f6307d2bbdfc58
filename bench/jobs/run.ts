/**
 * Latency of a job from its commit to its run, on an idle worker and behind another tenant's backlog, and jobs per
 * second of one worker. BENCH_BACKLOG is the number of the other tenant's jobs (20,000).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Job, job } from '@icosa/kernel'
import { example, latencyOf, startTestApp } from '@icosa/testing'
import { latencies, record } from '../figures.ts'

const backlog = Number(process.env.BENCH_BACKLOG ?? 20_000)
const probes = 300
const burst = 5_000
const pauseMs = 20
const backlogName = `beside ${backlog.toLocaleString('en')} jobs of another tenant, ${pauseMs} ms each`

const listeners = new Map<number, () => void>()
const ring = job<number>('ring', { run: async (number) => void listeners.get(number)?.() })
const pause = job<number>('pause', { run: async () => void (await sleep(pauseMs)) })
const services = [{ ...example, jobs: [ring, pause] as Job<never>[] }]
await using app = await startTestApp({ services, worker: { concurrency: 16, background: true } })
const { database, queue } = app.platform

async function enqueue(tenant: string, { name }: Job<number>, inputs: readonly number[]): Promise<void> {
  await database.transaction(async (db) => {
    await queue.send(
      db,
      'example',
      inputs.map((input) => ({ job: name, tenant, input })),
    )
  })
  queue.wake(['example'])
}

let next = 0
const started = () => {
  const number = next++
  return { number, ran: new Promise<void>((resolve) => listeners.set(number, resolve)) }
}
const probe = async () => {
  const { number, ran } = started()
  await enqueue('probe', ring, [number])
  await ran
}

await latencyOf(50, probe)
const idle = await latencyOf(probes, probe)

const all = Array.from({ length: burst }, started)
const began = performance.now()
await enqueue(
  'probe',
  ring,
  all.map(({ number }) => number),
)
await Promise.all(all.map(({ ran }) => ran))
const perSecond = (burst / (performance.now() - began)) * 1_000

await enqueue(
  'flooder',
  pause,
  Array.from({ length: backlog }, (_, input) => input),
)
const flooded = await latencyOf(probes, probe)
const { count } = await queueLength()
if (count === 0) throw new Error('The backlog was gone before the last probe: raise BENCH_BACKLOG.')

record([
  ...latencies('enqueued to started, idle worker', idle),
  ...latencies(`enqueued to started, ${backlogName}`, flooded),
  { name: `p50 ${backlogName}`, value: flooded.p50 / idle.p50, unit: '×', comparedWith: 'that of an idle worker' },
  { name: 'empty jobs completed by one worker', value: perSecond, unit: '/s' },
])

/** Waiting jobs of the other tenant. */
async function queueLength(): Promise<{ readonly count: number }> {
  const [row] = await database.script(`
    select count(*)::int as count from icosa.jobs where not is_running`)
  return row as { count: number }
}
