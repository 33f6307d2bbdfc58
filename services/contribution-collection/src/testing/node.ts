import { startNode } from '@icosa/kernel'
import { testNode } from '@icosa/testing'
import { contributionCollection } from '../index.ts'

// A node in a process of its own, to be killed. Its arguments: a database, a folder for blobs, one for the sandbox, and
// whether it answers requests (`api`) or works (`worker`). It says where it listens.
const [, , databaseUrl = '', folder = '', state = '', role = ''] = process.argv
const { api, ...options } = testNode([contributionCollection({ state, runtime: 'bwrap' })], databaseUrl, folder)
const works = { concurrency: 4, background: true }
const { url } = await startNode(role === 'api' && api ? { ...options, api } : { ...options, worker: works })
process.send?.(url ?? '')
process.once('disconnect', () => process.exit()) // no orphans, however the parent ended
