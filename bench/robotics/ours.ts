/** A node with the service, as `icosa serve` runs it. */
import { startNode } from '@icosa/kernel'
import { createLog } from '@icosa/telemetry'
import { testNode } from '@icosa/testing'
import { roboticsStatistics } from '../../services/robotics-statistics/src/index.ts'

const [, , databaseUrl = '', blobs = ''] = process.argv
const { worker: _, ...options } = testNode([roboticsStatistics], databaseUrl, blobs)
const node = await startNode({ ...options, log: createLog({ level: 'info' }), clock: 'system', checkReplies: false })
process.send?.(node.url)
process.once('disconnect', () => process.exit()) // no orphans, however the parent ended
