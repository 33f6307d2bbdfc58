import { startNode } from '@icosa/kernel'
import { testNode } from '@icosa/testing'
import { crawlingService } from './app.ts'

// A worker process for tests that kill it. Arguments: database URL, blob folder, concurrency.
const [, , databaseUrl = '', folder = '', concurrency = '8'] = process.argv
const { api: _, ...options } = testNode([crawlingService()], databaseUrl, folder)
await startNode({ ...options, worker: { concurrency: Number(concurrency), background: true } })
process.send?.('ready')
// Reports its peak memory in MiB.
process.on('message', () => process.send?.(process.resourceUsage().maxRSS / 1024))
process.once('disconnect', () => process.exit()) // no orphans, however the parent ended
