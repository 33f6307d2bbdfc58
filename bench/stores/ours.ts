/** A node with the stores, as `icosa serve` runs it. */
import { configurationStores } from '@icosa/configuration-stores'
import { createLog, startNode } from '@icosa/kernel'
import { testNode } from '@icosa/testing'

const [, , databaseUrl = '', blobs = ''] = process.argv
const { worker: _, ...options } = testNode([configurationStores()], databaseUrl, blobs)
const node = await startNode({ ...options, log: createLog({ level: 'info' }), clock: 'system', checkReplies: false })
process.send?.(node.url)
process.once('disconnect', () => process.exit()) // no orphans, however the parent ended
