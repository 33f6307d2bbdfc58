/** A node with API and worker that serves functions; its parent process moves the clock. */
import { startFunctions } from '../../services/functions/src/testing/app.ts'

const [, , sandbox = 'runsc', folder = ''] = process.argv
const app = await startFunctions(
  { sandbox: sandbox as 'runsc', folder },
  { worker: { concurrency: 4, background: true }, checkReplies: false },
)
process.on('message', async (byMs: number) => {
  await app.clock.advance(byMs)
  process.send?.({ advanced: byMs })
})
process.once('disconnect', async () => {
  await app[Symbol.asyncDispose]()
  process.exit() // no orphans
})
process.send?.({ url: app.url, keys: await Promise.all(Array.from({ length: 10 }, (_, n) => app.key(`tenant-${n}`))) })
