import { startNode } from '@icosa/kernel'
import { testNode } from '@icosa/testing'
import { crawlingService } from './app.ts'

// A worker in a process of its own, to be killed. Its arguments: a database, a folder, and how many jobs run at once.
const [, , databaseUrl = '', folder = '', concurrency = '8'] = process.argv
const { api: _, ...options } = testNode([crawlingService()], databaseUrl, folder)
await startNode({ ...options, worker: { concurrency: Number(concurrency), background: true } })
process.send?.('ready')
// Whoever writes to it learns how much memory it had at most so far, in MiB.
process.on('message', () => process.send?.(process.resourceUsage().maxRSS / 1024))
process.once('disconnect', () => process.exit()) // no orphans, however the parent ended
