import { implement, ok, resetState } from '@icosa/kernel'
import { state as contract } from './contract.ts'
import { deleteBlobs } from './jobs.ts'

export const state = implement(contract, {
  async resetState({ body }, { db, jobs }) {
    const { rows, blobPrefixes } = await resetState(db, body)
    for (const prefix of blobPrefixes) await jobs.enqueue(deleteBlobs, { prefix })
    return ok({ rows })
  },
})
