import { startNode } from '@icosa/kernel'
import { testNode } from '@icosa/testing'
import { defaultSettings, languageAuthoring } from '../index.ts'

// A worker in a process of its own, to be killed. Its arguments: a database and a folder for blobs.
const [, , databaseUrl = '', folder = ''] = process.argv
const { api: _, ...options } = testNode([languageAuthoring(defaultSettings)], databaseUrl, folder)
await startNode({ ...options, worker: { concurrency: 4, background: true } })
process.send?.('ready')
process.once('disconnect', () => process.exit()) // no orphans, however the parent ended
