/** A node with or without traces: `node node.ts <database> <blobs> none|passed|recorded <collector>`. */
import { startNode, type Traces } from '@icosa/kernel'
import { createLog, openTelemetry } from '@icosa/telemetry'
import { example, testNode } from '@icosa/testing'

const [, , databaseUrl = '', blobs = '', mode = 'none', url = ''] = process.argv
const { worker: _, ...options } = testNode([example], databaseUrl, blobs)
const telemetry = openTelemetry(mode === 'recorded' ? { collector: { url, serviceName: 'bench' } } : {})
const nothing = { traceId: '', spanId: '', isRecorded: false }
const none: Traces = {
  begin: () => nothing,
  within: (_trace, work) => work(),
  carried: () => undefined,
  sending: (_name, _to, work) => work({}),
  end: () => {},
  observe: () => {},
}
const node = await startNode({
  ...options,
  telemetry: (log) => (mode === 'none' ? { ...telemetry(log), traces: none } : telemetry(log)),
  log: createLog({ level: 'info' }),
  clock: 'system',
  checkReplies: false,
})
process.send?.(node.url)
process.once('disconnect', () => process.exit()) // no orphans, however the parent ended
