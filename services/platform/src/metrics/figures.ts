import { monitorEventLoopDelay } from 'node:perf_hooks'
import { cacheFigures, type Metrics, type OnStop, type Platform } from '@icosa/kernel'
import type { Audit } from '../audit/audit.ts'
import { type LimitedBytes, limitedBytes } from '../limits/bytes/store.ts'
import { lately } from './lately.ts'
import { queueFigures, type ScheduleFigures, scheduleFigures, signingKeyAge, topTenants } from './store.ts'

const topCount = 10
const maxLimits = 100

/** Registers the metrics of process, caches, queues and limits. */
export function openFigures({ metrics, database, clock, log }: Platform, onStop: OnStop, audit: Audit): void {
  addProcessFigures(metrics, onStop)
  addCacheFigures(metrics)
  metrics.counter('icosa_audit_lost_total', 'Audit records that this node could not write.', audit.lost)

  const figures = lately(
    async () => ({
      queues: await queueFigures(database.reading),
      top: await topTenants(database.reading, topCount),
      schedules: await scheduleFigures(database.reading),
      keyAge: await signingKeyAge(database.reading, clock.now()),
    }),
    { queues: [], top: [], schedules: [], keyAge: undefined },
    (err) => log.warn({ err }, 'cannot read queue metrics'),
  )
  metrics.gauge('icosa_queue_jobs', 'Jobs by queue, lane and state, in the whole cell.', () =>
    figures().queues.map(({ queue, lane, state, jobs }) => ({ labels: { queue, lane, state }, value: jobs })),
  )
  metrics.gauge('icosa_queue_oldest_seconds', 'Age of the oldest waiting job, by queue and lane.', () =>
    figures()
      .queues.filter(({ state }) => state === 'waiting')
      .map(({ queue, lane, oldestSeconds }) => ({ labels: { queue, lane }, value: oldestSeconds })),
  )
  metrics.gauge('icosa_tenant_jobs', 'Waiting and running jobs of the tenants with the most.', () =>
    figures().top.map(({ tenant, jobs }) => ({ labels: { tenant }, value: jobs })),
  )
  const ofSchedules = (read: (schedule: ScheduleFigures) => number) => () =>
    figures().schedules.map((figure) => ({ labels: { schedule: figure.schedule }, value: read(figure) }))
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
    const { keyAge } = figures()
    return keyAge === undefined ? [] : keyAge
  })
  const limited = lately(
    () => limitedBytes(database.reading, maxLimits),
    [],
    (err) => log.warn({ err }, 'cannot read blob metrics'),
  )
  const ofLimited = (read: (row: LimitedBytes) => number) => () =>
    limited().map((row) => ({ labels: { tenant: row.tenant, service: row.service }, value: read(row) }))
  const help = 'Blob bytes of tenants with a limit'
  metrics.gauge(
    'icosa_blob_bytes',
    `${help}.`,
    ofLimited(({ bytes }) => bytes),
  )
  metrics.gauge(
    'icosa_blob_bytes_limit',
    `${help}: the limit.`,
    ofLimited(({ allowed }) => allowed),
  )
}

function addProcessFigures(metrics: Metrics, onStop: OnStop): void {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  onStop(() => delay.disable())
  const gauge = (name: string, help: string, read: () => number) => metrics.gauge(name, help, read)
  gauge('icosa_process_resident_bytes', 'Memory of the process.', () => process.memoryUsage.rss())
  gauge('icosa_process_heap_bytes', 'Used memory of the JavaScript heap.', () => process.memoryUsage().heapUsed)
  metrics.counter('icosa_process_cpu_seconds_total', 'CPU time of the process.', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
  gauge(
    'icosa_process_event_loop_delay_seconds',
    '99th percentile of the event loop delay since the last scrape.',
    () => {
      const seconds = delay.percentile(99) / 1e9
      delay.reset()
      return Number.isFinite(seconds) ? seconds : 0
    },
  )
}

function addCacheFigures(metrics: Metrics): void {
  const ofCaches = (read: (cache: ReturnType<typeof cacheFigures>[number]) => number) => () =>
    cacheFigures().map((cache) => ({ labels: { cache: cache.name }, value: read(cache) }))
  metrics.counter(
    'icosa_cache_hits_total',
    'Cache hits.',
    ofCaches(({ hits }) => hits),
  )
  metrics.counter(
    'icosa_cache_misses_total',
    'Cache misses.',
    ofCaches(({ misses }) => misses),
  )
  metrics.gauge(
    'icosa_cache_entries',
    'Entries in the cache.',
    ofCaches(({ entries }) => entries),
  )
  metrics.counter(
    'icosa_cache_evictions_total',
    'Entries evicted to make room.',
    ofCaches(({ evictions }) => evictions),
  )
}
