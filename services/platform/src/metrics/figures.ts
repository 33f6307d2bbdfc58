import { monitorEventLoopDelay } from 'node:perf_hooks'
import { cacheFigures, type OnStop, type Platform } from '@icosa/kernel'
import type { Audit } from '../audit/audit.ts'
import { type LimitedBytes, limitedBytes } from '../limits/bytes/store.ts'
import { lately } from './lately.ts'
import { queueFigures, type ScheduleFigures, scheduleFigures, signingKeyAge, topTenants } from './store.ts'

const topCount = 10
const shownLimits = 100

/** What a node knows beside its requests: its process, and how much work waits for whom. */
export function openFigures({ metrics, database, clock, log }: Platform, onStop: OnStop, audit: Audit): void {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  const gauge = (name: string, help: string, read: () => number) => metrics.gauge(name, help, read)
  gauge('icosa_process_resident_bytes', 'Memory of the process.', () => process.memoryUsage.rss())
  gauge('icosa_process_heap_bytes', 'Used memory of the JavaScript heap.', () => process.memoryUsage().heapUsed)
  metrics.counter('icosa_process_cpu_seconds_total', 'Time of the processor that the process took.', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
  gauge('icosa_process_event_loop_delay_seconds', 'How late timers were, 99 of 100, since it was last read.', () => {
    const seconds = delay.percentile(99) / 1e9
    delay.reset()
    return Number.isFinite(seconds) ? seconds : 0
  })
  metrics.counter('icosa_audit_lost_total', 'Records of the audit log that this node could not write.', audit.lost)

  const ofCaches = (read: (cache: ReturnType<typeof cacheFigures>[number]) => number) => () =>
    cacheFigures().map((one) => ({ labels: { cache: one.name }, value: read(one) }))
  metrics.counter(
    'icosa_cache_hits_total',
    'How often a cache had what was looked for.',
    ofCaches(({ hits }) => hits),
  )
  metrics.counter(
    'icosa_cache_misses_total',
    'How often it had to be found elsewhere.',
    ofCaches(({ misses }) => misses),
  )
  metrics.gauge(
    'icosa_cache_entries',
    'What caches hold now.',
    ofCaches(({ entries }) => entries),
  )
  metrics.counter(
    'icosa_cache_evictions_total',
    'What was forgotten to make room.',
    ofCaches(({ evictions }) => evictions),
  )

  const known = lately(
    async () => ({
      queues: await queueFigures(database.reading),
      top: await topTenants(database.reading, topCount),
      schedules: await scheduleFigures(database.reading),
      keyAge: await signingKeyAge(database.reading, clock.now()),
    }),
    { queues: [], top: [], schedules: [], keyAge: undefined },
    (err) => log.warn({ err }, 'figures of queues were not read'),
  )
  metrics.gauge('icosa_queue_jobs', 'Jobs by queue, lane and state, in the whole cell.', () =>
    known().queues.map(({ queue, lane, state, jobs }) => ({ labels: { queue, lane, state }, value: jobs })),
  )
  metrics.gauge('icosa_queue_oldest_seconds', 'For how long the oldest job waits, by queue and lane.', () =>
    known()
      .queues.filter(({ state }) => state === 'waiting')
      .map(({ queue, lane, oldestSeconds }) => ({ labels: { queue, lane }, value: oldestSeconds })),
  )
  metrics.gauge('icosa_tenant_jobs', 'Jobs that wait or run, of the tenants with the most.', () =>
    known().top.map(({ tenant, jobs }) => ({ labels: { tenant }, value: jobs })),
  )
  const ofSchedules = (read: (one: ScheduleFigures) => number) => () =>
    known().schedules.map((one) => ({ labels: { schedule: one.schedule }, value: read(one) }))
  metrics.gauge(
    'icosa_schedule_last_run_seconds',
    'When a schedule last ran or had nothing to do, in seconds of the Unix epoch.',
    ofSchedules(({ lastRunSeconds }) => lastRunSeconds),
  )
  metrics.gauge(
    'icosa_schedule_period_seconds',
    'How often a schedule runs.',
    ofSchedules(({ everySeconds }) => everySeconds),
  )
  metrics.gauge('icosa_signing_key_age_seconds', 'Age of the newest keys that sign tokens.', () => {
    const { keyAge } = known()
    return keyAge === undefined ? [] : keyAge
  })
  const limited = lately(
    () => limitedBytes(database.reading, shownLimits),
    [],
    (err) => log.warn({ err }, 'figures of blobs were not read'),
  )
  const ofLimited = (read: (one: LimitedBytes) => number) => () =>
    limited().map((one) => ({ labels: { tenant: one.tenant, service: one.service }, value: read(one) }))
  const help = 'Bytes of blobs of tenants that have a limit'
  metrics.gauge(
    'icosa_blob_bytes',
    `${help}.`,
    ofLimited(({ bytes }) => bytes),
  )
  metrics.gauge(
    'icosa_blob_bytes_limit',
    `${help}: how many they may have.`,
    ofLimited(({ allowed }) => allowed),
  )
  onStop(() => delay.disable())
}
