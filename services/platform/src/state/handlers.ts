import { implement, ok } from '@icosa/kernel'
import { state as contract } from './contract.ts'
import { deleteBlobs } from './jobs.ts'
import { resetState } from './store.ts'

export const state = implement(contract, {
  async resetState({ body }, { db, jobs }) {
    const { rows, blobPrefixes } = await resetState(db, body)
    for (const prefix of blobPrefixes) await jobs.enqueue(deleteBlobs, { prefix })
    return ok({ rows })
  },
})
