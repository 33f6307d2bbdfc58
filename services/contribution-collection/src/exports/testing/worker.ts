import { startNode } from '@icosa/kernel'
import { testNode } from '@icosa/testing'
import { contributionCollection } from '../../index.ts'

// A worker process for tests that kill it. Arguments: database URL and blob folder.
const [, , databaseUrl = '', folder = ''] = process.argv
const { api: _, ...options } = testNode([contributionCollection()], databaseUrl, folder)
await startNode({ ...options, worker: { concurrency: 2, background: true } })
let peak = 0
setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss())
}, 50).unref()
process.send?.('ready')
// Reports its peak memory in MiB since start-up, which needs more to strip types.
process.on('message', () => process.send?.(peak / 2 ** 20))
process.once('disconnect', () => process.exit()) // no orphans, however the parent ended
