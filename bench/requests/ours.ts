/** The same read through the whole stack, as `icosa serve` runs it. */
import { brailleTranslation } from '@icosa/braille-translation'
import { startNode } from '@icosa/kernel'
import { createLog } from '@icosa/telemetry'
import { example, testNode } from '@icosa/testing'

const [, , databaseUrl = '', blobs = ''] = process.argv
const { worker: _, ...options } = testNode([example, brailleTranslation], databaseUrl, blobs)
const node = await startNode({ ...options, log: createLog({ level: 'info' }), clock: 'system', checkReplies: false })
process.send?.(node.url)
process.once('disconnect', () => process.exit()) // no orphans, however the parent ended
