import { constants, setPriority } from 'node:os'
import { moved, serve } from '@icosa/compute/serve'
import type { AppDocument } from '../engine/document.ts'
import { train } from '../engine/index.ts'

// Predictions have priority over training. On Linux this only affects this thread.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

await serve(async () => async (app: AppDocument) => {
  const bytes = await train(app)
  return moved(bytes, [bytes.buffer as ArrayBuffer])
})
