import { job } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import { deleteBlobs as deleteUnder } from './blobs.ts'

/** Blobs are outside the database, so they are deleted after the rows that refer to them. */
export const deleteBlobs = job<{ readonly prefix: string }, ServiceRuntime>('deleteBlobs', {
  async run({ prefix }, { runtime }) {
    await deleteUnder(runtime.blobs, prefix)
  },
})
