import { deleteBlobs as deleteUnder, job } from '@icosa/kernel'

/** Blobs lie outside the database, so they are deleted after the rows that knew of them. */
export const deleteBlobs = job<{ readonly prefix: string }>('deleteBlobs', {
  run: ({ prefix }, { blobs }) => deleteUnder(blobs, prefix),
})
