import { type Context, implement, type JobsOf, notFound, ok, type Preparation, withPreparation } from '@icosa/kernel'
import { contributor } from '../dialect/caller.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { ensureUser } from '../users/store.ts'
import type { Position } from './content/exif.ts'
import { media as contract } from './contract.ts'
import { fileIn } from './encodings.ts'
import { type Format, formats } from './formats.ts'
import { makeCopies, removeBlobs } from './jobs.ts'
import { contentOf, type Received, receive, removeFile } from './receive.ts'
import * as store from './store.ts'
import { toUsage } from './usages.ts'

/** A received file with its inspected header. */
export interface ReceivedMedia extends Received {
  readonly width: number | null
  readonly height: number | null
  readonly position: Position | undefined
}

/** Stores the bytes before the transaction, and inspects pictures. Refuses those that would need too much memory. */
export async function receiveMedia(
  content: AsyncIterable<Uint8Array>,
  { blobs, runtime, caller, signal }: Pick<Preparation<ServiceRuntime>, 'blobs' | 'runtime' | 'caller' | 'signal'>,
): Promise<ReceivedMedia> {
  const received = await receive(blobs, content)
  const uninspected = { ...received, width: null, height: null, position: undefined }
  // libvips does not open HEIC, which the job reads in a sandbox.
  if (received.type.kind !== 'image' || received.type.contentType === 'image/heic') return uninspected
  try {
    const bytes = await contentOf(blobs, received.blob)
    const { width, height, position } = await runtime.pictures.inspect(caller.tenant, bytes, signal)
    return { ...received, width, height, position }
  } catch (error) {
    await removeFile(blobs, received.blob)
    throw error
  }
}

/** Inserts the row in the transaction. The same bytes are stored once per tenant. */
export async function insertMedia(
  { db, jobs, tenant, at }: { db: Context['db']; jobs: JobsOf; tenant: string; at: Date },
  owner: string,
  received: ReceivedMedia,
): Promise<store.MediaFile> {
  const { type, position, blob, size, sha256, crc32, width, height } = received
  await store.lockContent(db, tenant, sha256)
  const same = await store.findByContent(db, tenant, sha256)
  if (same) {
    await jobs.enqueue(removeBlobs, { blob })
    return store.insertSame(db, tenant, owner, same.id, at)
  }
  const place = position ? { latLong: position } : null
  const { kind, contentType } = type
  const file = { owner, type: kind, contentType, size, sha256, crc32, blob, width, height, place }
  const row = await store.insert(db, tenant, file, at)
  await jobs.enqueue(makeCopies, { blob }, { key: blob })
  return row
}

/** The owner's view, with the recording location. */
const toMedia = ({ id, type, duration, place }: store.MediaFile) => ({
  id,
  type,
  ...(duration !== null && { duration }),
  ...(place && { place }),
})

const toFormat = ({ box: _, ...format }: Format) => format

export const media = implement<typeof contract, ServiceRuntime>(contract, {
  createMedia: withPreparation(
    ({ body }, context) => receiveMedia(fileIn(body.mediaType, body), context),
    async (_, { db, jobs, caller, clock }, received: ReceivedMedia) => {
      const { tenant, user } = contributor(caller)
      const at = clock.now()
      await ensureUser(db, tenant, user, at)
      return ok(toMedia(await insertMedia({ db, jobs, tenant, at }, user, received)))
    },
  ),
  async getMedia({ params: { id } }, { db, caller, runtime }) {
    const { tenant, user, isTenant } = contributor(caller)
    const isAllowed = isTenant || (await store.isReadableBy(db, tenant, id, user))
    const file = (isAllowed ? await store.find(db, tenant, id) : undefined) ?? notFound('file', id)
    const { status, step, progress, error } = file
    return ok({
      ...toMedia(file),
      status,
      ...(step !== null && { step }),
      ...(progress !== null && { progress }),
      ...(error !== null && { message: error }),
      artifacts: toUsage(runtime.publicUrl, tenant, id, file).artifacts,
    })
  },
  listArtifactFormats: async () =>
    ok({
      contribution: formats.contribution.map(toFormat),
      cover: formats.cover.map(toFormat),
      profileImage: formats.profileImage.map(toFormat),
    }),
})
