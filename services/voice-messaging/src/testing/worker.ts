import { startNode } from '@icosa/kernel'
import { testNode } from '@icosa/testing'
import { defaultSettings, voiceMessaging } from '../index.ts'

// A worker in its own process, which a test can kill. Arguments: a database, a folder for blobs, and settings.
const [, , databaseUrl = '', folder = '', settings = '{}'] = process.argv
const service = voiceMessaging({ ...defaultSettings, simulate: true, ...JSON.parse(settings) })
const { api: _, ...options } = testNode([service], databaseUrl, folder)
await startNode({ ...options, worker: { concurrency: 8, background: true } })
process.send?.('ready')
