import { randomUUID } from 'node:crypto'
import type { JobContext } from '@icosa/kernel'
import { galleryKey } from '../collections/jobs.ts'
import { openDescriptor, persistedDescriptors } from '../descriptors/sealing.ts'
import * as faces from '../persisted-faces/store.ts'
import { encoded, galleryKeyOf, recordBytes, sealed } from './gallery.ts'
import type { TrainedGallery } from './store.ts'

/** About a megabyte. */
const pageSize = 2_000

/** Writes all faces of a point in time to a new gallery. */
export async function learn(context: JobContext, uid: string, until: Date): Promise<TrainedGallery> {
  const { blobs } = context
  const vault = await context.tenantVault()
  const gallery = galleryKey(uid, randomUUID())
  let bytes = 0
  const counted = async function* () {
    for await (const piece of pieces(context, uid, until)) {
      bytes += piece.length
      yield piece
    }
  }
  await blobs.put(gallery, sealed(galleryKeyOf(vault), gallery, counted()))
  return { gallery, faces: bytes / recordBytes }
}

async function* pieces(
  { db, tenant, tenantVault, signal }: JobContext,
  uid: string,
  until: Date,
): AsyncGenerator<Buffer> {
  const vault = await tenantVault()
  let after: faces.SealedFace | undefined
  do {
    signal.throwIfAborted()
    const page = await faces.sealedPage(db, tenant, uid, { after, until, count: pageSize })
    if (page.length > 0)
      yield encoded(
        page.map(({ id, person, descriptor }) => ({
          id,
          person,
          descriptor: openDescriptor(vault, persistedDescriptors, { tenant, id }, descriptor),
        })),
      )
    after = page.length === pageSize ? page.at(-1) : undefined
  } while (after)
}
