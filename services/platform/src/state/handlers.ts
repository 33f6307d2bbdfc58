import { implement, ok, withPreparation } from '@icosa/kernel'
import { required } from '../development.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { state as contract } from './contract.ts'
import { deleteBlobs } from './jobs.ts'
import { resetState } from './store.ts'

export const state = implement<typeof contract, ServiceRuntime>(contract, {
  async resetState({ body }, { db, jobs }) {
    const { rows, blobPrefixes } = await resetState(db, body)
    for (const prefix of blobPrefixes) await jobs.enqueue(deleteBlobs, { prefix })
    return ok({ rows })
  },

  settleJobs: withPreparation(
    async ({ body: { timeoutMs } }, { runtime }) => required(runtime.controls).settle(AbortSignal.timeout(timeoutMs)),
    async (_input, _context, settled) => ok({ settled }),
  ),
})
