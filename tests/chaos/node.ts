/** A node in a separate process, for tests that kill it: `node node.ts '{"databaseUrl":...,"api":true}'`. */
import { type NodeOptions, startNode, type WorkerOptions } from '@icosa/kernel'
import { createLog } from '@icosa/telemetry'
import { testNode } from '@icosa/testing'
import { tagsIn } from '../../apps/server/src/tenants/named.ts'
import { burning } from './burn.ts'

export interface ChaosNode {
  readonly databaseUrl: string
  readonly blobs: string
  readonly port?: number
  readonly api?: boolean
  readonly worker?: boolean
  readonly clock?: NodeOptions['clock']
  /** Also serves metrics. */
  readonly metrics?: boolean
  readonly drainMs?: number
  readonly concurrency?: number
  readonly logLevel?: string
  readonly heartbeat?: WorkerOptions['heartbeat']
  readonly leaseMs?: WorkerOptions['leaseMs']
  /** Runs banking instead of the example service. */
  readonly bank?: boolean
  /** Behind the routers of a cell. */
  readonly routed?: boolean
  /** How long a `burn` job burns CPU on this node. */
  readonly burnMs?: number
}

const {
  databaseUrl,
  blobs,
  port = 0,
  api,
  worker,
  clock = 'virtual',
  drainMs = 0,
  concurrency = 100,
  logLevel = process.env.LOG_LEVEL ?? 'error',
  heartbeat,
  leaseMs,
  bank,
  burnMs = 0,
  metrics,
  routed,
}: ChaosNode = JSON.parse(process.argv[2] ?? '{}')
const services = bank ? [(await import('@icosa/banking')).banking({ rates: 'none' })] : [burning(burnMs)]
const { api: _, worker: __, ...options } = testNode(services, databaseUrl, blobs)
const node = await startNode({
  ...options,
  clock,
  log: createLog({ level: logLevel }),
  drainMs,
  ...(routed && { trustedProxies: 1, tagIn: tagsIn(services) }),
  ...(metrics && { metrics: { host: '127.0.0.1', port: 0 } }),
  ...(api && { api: { host: '127.0.0.1', port } }),
  ...(worker && { worker: { concurrency, heartbeat, leaseMs } }),
})
process.send?.({ url: node.url, metricsUrl: node.metricsUrl })
process.once('SIGTERM', async () => {
  await node.stop()
  process.exit()
})
process.once('disconnect', () => process.exit()) // no orphans, however the parent ended
