import { startNode } from '@icosa/kernel'
import { testNode } from '@icosa/testing'
import { jobScheduler } from '../index.ts'

// A worker process to be killed. Arguments: a database and a folder.
const [, , databaseUrl = '', folder = ''] = process.argv
const { api: _, ...options } = testNode([jobScheduler()], databaseUrl, folder)
await startNode({ ...options, worker: { concurrency: 8, background: true } })
process.send?.('ready')
