/** A worker in a process of its own, for the test that kills it: `node continuous-worker.ts '{"databaseUrl":...}'`. */
import { join } from 'node:path'
import { startNode } from '@icosa/kernel'
import { createLog } from '@icosa/telemetry'
import { testNode } from '@icosa/testing'
import { type ContinuousOptions, continuousServices } from './continuous-services.ts'

const options: ContinuousOptions & { readonly databaseUrl: string } = JSON.parse(process.argv[2] ?? '{}')
const services = continuousServices(options)
const { api: _, ...node } = testNode(services, options.databaseUrl, join(options.folder, 'blobs'))
await startNode({
  ...node,
  log: createLog({ level: process.env.LOG_LEVEL ?? 'fatal' }),
  maxConnections: 6,
  worker: { concurrency: 16 },
})
process.send?.('ready')
process.once('disconnect', () => process.exit()) // no orphans, however the parent ended
