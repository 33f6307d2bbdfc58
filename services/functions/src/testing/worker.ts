/** A worker in its own process, for tests that kill it: `node worker.ts '{"databaseUrl":...,"blobs":...}'`. */
import { startNode } from '@icosa/kernel'
import { testNode } from '@icosa/testing'
import { functionsService } from '../index.ts'
import { testSettings } from './app.ts'

const { databaseUrl, blobs }: Record<string, string> = JSON.parse(process.argv[2] ?? '{}')
const { api: _, ...options } = testNode([functionsService(testSettings())], databaseUrl as string, blobs as string)
await startNode({ ...options, worker: { concurrency: 16 } })
process.send?.('ready')
process.once('disconnect', () => process.exit()) // no orphans, however the parent ended
