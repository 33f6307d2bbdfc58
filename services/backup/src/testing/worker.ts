/** A worker in a process of its own, for the test that kills it: `node worker.ts '{"databaseUrl":...}'`. */
import { startNode } from '@icosa/kernel'
import { createLog } from '@icosa/telemetry'
import { testNode } from '@icosa/testing'
import { testService } from './service.ts'

export interface WorkerOptions {
  readonly databaseUrl: string
  readonly folder: string
}

const { databaseUrl, folder }: WorkerOptions = JSON.parse(process.argv[2] ?? '{}')
const { api: _, ...options } = testNode([testService(folder)], databaseUrl, folder)
await startNode({
  ...options,
  log: createLog({ level: process.env.LOG_LEVEL ?? 'fatal' }),
  maxConnections: 6,
  worker: { concurrency: 16 },
})
process.send?.('ready')
process.once('disconnect', () => process.exit()) // no orphans, however the parent ended
