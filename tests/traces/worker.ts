/** A worker in a separate process that exports traces to a collector: `node worker.ts <database> <folder> <collector>`. */
import { jobScheduler } from '@icosa/job-scheduler'
import { startNode } from '@icosa/kernel'
import { openTelemetry } from '@icosa/telemetry'
import { testNode } from '@icosa/testing'

const [, , databaseUrl = '', folder = '', url = ''] = process.argv
const { api: _, ...options } = testNode([jobScheduler()], databaseUrl, folder)
const node = await startNode({
  ...options,
  telemetry: openTelemetry({ collector: { url, serviceName: 'worker' } }),
  worker: { concurrency: 8, background: true },
})
process.send?.('ready')
process.once('message', async () => {
  await node.stop()
  process.exit()
})
process.once('disconnect', () => process.exit()) // no orphans, however the parent ended
