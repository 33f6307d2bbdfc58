import { startNode } from '@icosa/kernel'
import { testNode } from '@icosa/testing'
import { contributionCollection } from '../index.ts'

// A node process for tests that kill it. Arguments: database URL, blob folder, sandbox folder, and role (`api` or `worker`).
// Sends its URL to the parent.
const [, , databaseUrl = '', folder = '', state = '', role = ''] = process.argv
const { api, ...options } = testNode([contributionCollection({ state, runtime: 'bwrap' })], databaseUrl, folder)
const worker = { concurrency: 4, background: true }
const { url } = await startNode(role === 'api' && api ? { ...options, api } : { ...options, worker })
process.send?.(url ?? '')
process.once('disconnect', () => process.exit()) // no orphans, however the parent ended
