import { startNode } from '@icosa/kernel'
import { testNode } from '@icosa/testing'
import { eventDetection } from '../index.ts'

// A worker in its own process, to be killed. Arguments: database, folder, concurrency.
const [, , databaseUrl = '', folder = '', concurrency = '8'] = process.argv
const { api: _, ...options } = testNode([eventDetection()], databaseUrl, folder)
await startNode({ ...options, worker: { concurrency: Number(concurrency), background: true } })
process.send?.('ready')
process.once('disconnect', () => process.exit()) // no orphans, however the parent ended
