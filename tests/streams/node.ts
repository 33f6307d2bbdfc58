/** An API node in a separate process, to measure its memory alone: `node node.ts '{"databaseUrl":...,"store":...}'`. */
import { type BlobStore, blobStore } from '@icosa/blobs'
import { startNode } from '@icosa/kernel'
import { example, testNode } from '@icosa/testing'

const { databaseUrl, store }: { databaseUrl: string; store: BlobStore } = JSON.parse(process.argv[2] ?? '{}')
const { worker: _, ...options } = testNode([example], databaseUrl, '')
const node = await startNode({ ...options, clock: 'system', blobs: blobStore(store) })
process.send?.(node.url)
process.once('disconnect', () => process.exit()) // no orphans, however the parent ended
