import { startNode } from '@icosa/kernel'
import { testNode } from '@icosa/testing'
import { defaultSettings, languageAuthoring } from '../index.ts'

// A worker process to be killed by a test. Arguments: database URL, folder for blobs.
const [, , databaseUrl = '', folder = ''] = process.argv
const { api: _, ...options } = testNode([languageAuthoring(defaultSettings)], databaseUrl, folder)
await startNode({ ...options, worker: { concurrency: 4, background: true } })
process.send?.('ready')
process.once('disconnect', () => process.exit()) // no orphans, even if the parent is killed
