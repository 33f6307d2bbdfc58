import { job } from '@icosa/kernel'
import type { Held } from '../held.ts'
import { deleteBlobs as deleteUnder } from './blobs.ts'

/** Blobs lie outside the database, so they are deleted after the rows that knew of them. */
export const deleteBlobs = job<{ readonly prefix: string }, Held>('deleteBlobs', {
  async run({ prefix }, { held }) {
    await deleteUnder(held.blobs, prefix)
  },
})
