import { startNode } from '@icosa/kernel'
import { testNode } from '@icosa/testing'
import { contributionCollection } from '../../index.ts'

// A worker in a process of its own, to be killed. Its arguments: a database and a folder.
const [, , databaseUrl = '', folder = ''] = process.argv
const { api: _, ...options } = testNode([contributionCollection()], databaseUrl, folder)
await startNode({ ...options, worker: { concurrency: 2, background: true } })
let peak = 0
setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss())
}, 50).unref()
process.send?.('ready')
// Whoever writes to it learns how much memory it had at most since it stood, in MiB: to strip the types of its sources
// took some before.
process.on('message', () => process.send?.(peak / 2 ** 20))
process.once('disconnect', () => process.exit()) // no orphans, however the parent ended
