import { job } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import { deleteBlobs as deleteUnder } from './blobs.ts'

/** Blobs lie outside the database, so they are deleted after the rows that knew of them. */
export const deleteBlobs = job<{ readonly prefix: string }, ServiceRuntime>('deleteBlobs', {
  async run({ prefix }, { runtime }) {
    await deleteUnder(runtime.blobs, prefix)
  },
})
