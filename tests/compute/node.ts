/** A node with a CPU-bound job, in a separate process: `node node.ts <database> <folder> api|worker|both`. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { openPool, type Pool } from '@icosa/compute'
import { type Job, job, type OnStop, type Platform, serviceWithRuntime, startNode } from '@icosa/kernel'
import { example, testNode } from '@icosa/testing'
import { countPublication, find } from '../../packages/testing/src/example/notes/store.ts'

/** Message from a node to its test. */
export type Report =
  | { readonly url: string }
  | { readonly started: string }
  | { readonly stoppedAfterMs: number }
  | { readonly delayMs: number }

interface ServiceRuntime {
  readonly burner: Pool<number, void>
}

const report = (event: Report) => void process.send?.(event)
const [, , databaseUrl = '', folder = '', role] = process.argv

/** Burns CPU for as many seconds as the note's text states. */
const publishNote: Job<{ noteId: string }, ServiceRuntime> = job('publishNote', {
  async run({ noteId }, { db, tenant, runtime, signal }) {
    const note = await find(db, tenant, noteId)
    let abortedAt = 0
    signal.addEventListener('abort', () => (abortedAt = performance.now()))
    report({ started: noteId })
    try {
      await runtime.burner.run(tenant, Number(note?.text) * 1000, { signal, deadlineMs: 3_600_000 })
    } finally {
      if (abortedAt > 0) report({ stoppedAfterMs: performance.now() - abortedAt })
    }
    return (writing) => countPublication(writing, tenant, noteId)
  },
})

const service = serviceWithRuntime<ServiceRuntime>({
  ...{ name: example.name, title: example.title, moves: example.moves, apis: example.apis },
  retention: { notes: 'their tenants delete them' },
  start(_: Platform, onStop: OnStop) {
    const module = new URL('./burn-thread.ts', import.meta.url)
    const burner = openPool<number, void>({ name: 'burning', module, warmAtStart: 1 })
    onStop(() => burner.close())
    return { burner }
  },
  jobs: [publishNote],
})
const { api, worker: _, ...options } = testNode([service], databaseUrl, folder)
const node = await startNode({
  ...options,
  ...(role !== 'worker' && api && { api }),
  ...(role !== 'api' && { worker: { concurrency: 2 } }),
})
const delay = monitorEventLoopDelay({ resolution: 2 })
delay.enable()
report({ url: node.url ?? '' })
// Answers each message with the event-loop delay since the previous one.
process.on('message', () => {
  report({ delayMs: delay.percentile(99) / 1e6 })
  delay.reset()
})
process.once('disconnect', () => process.exit()) // no orphans, however the parent ended
