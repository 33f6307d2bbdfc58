import { crc32 } from 'node:zlib'
import { type Db, Failure, type JobContext, type JobsOf, job } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import { type Format, formats, fullsize, pictureFormats } from './formats.ts'
import type { Film } from './programs/films.ts'
import { contentOf, folderOf, removeFile } from './receive.ts'
import * as store from './store.ts'
import type { Variant } from './usages-store.ts'

interface Input {
  /** Key of the original. */
  readonly blob: string
}

type CopyContext = JobContext<ServiceRuntime>

/** Makes the public renditions. */
export const makeCopies = job<Input, ServiceRuntime>('makeCopies', {
  async run({ blob }, context) {
    const { db, tenant, clock } = context
    const file = await store.findByBlob(db, tenant, blob)
    if (file?.status !== 'processing') return
    try {
      const variants = await copiesOf(file, context)
      return (writing) => store.setReady(writing, tenant, blob, variants, clock.now())
    } catch (error) {
      if (!(error instanceof Failure) || error.kind !== 'invalid') throw error
      return (writing) => store.setFailed(writing, tenant, blob, error.message, clock.now())
    }
  },
  failed: ({ blob }, db, error, { tenant, clock }) => store.setFailed(db, tenant, blob, error.message, clock.now()),
})

async function copiesOf(file: store.MediaFile, context: CopyContext): Promise<Variant[]> {
  const { blobs, tenant, runtime, signal } = context
  if (file.type === 'image' && file.contentType !== 'image/heic')
    return pictures(file, await contentOf(blobs, file.blob), pictureFormats, context)
  return runtime.films.open(
    tenant,
    async () => (await blobs.get(file.blob)).body,
    async (film) => {
      if (file.type === 'image') {
        const still = await film.still()
        const { width, height, position } = await runtime.pictures.inspect(tenant, still, signal)
        await note(context, file, { width, height, ...(position && { place: { latLong: position } }) })
        return pictures(file, still, pictureFormats, context)
      }
      return filmCopies(file, film, context)
    },
    signal,
  )
}

async function pictures(
  file: store.MediaFile,
  content: Buffer,
  targets: readonly Format[],
  context: CopyContext,
): Promise<Variant[]> {
  const { blobs, tenant, runtime, signal } = context
  const variants: Variant[] = []
  for (const { label, content: bytes, width, height } of await runtime.pictures.copies(
    tenant,
    content,
    targets,
    signal,
  )) {
    const blob = `${folderOf(file.blob)}${label}`
    await blobs.put(blob, bytes, { contentType: 'image/jpeg' })
    variants.push({ label, contentType: 'image/jpeg', size: bytes.length, crc32: crc32(bytes), width, height, blob })
  }
  return variants
}

const posterFormats = formats.contribution.filter(
  ({ forContentType, contentType }) => forContentType === 'video/*' && contentType === 'image/jpeg',
)

async function filmCopies(file: store.MediaFile, film: Film, context: CopyContext): Promise<Variant[]> {
  const { blobs } = context
  const probe = await film.probe()
  const { duration, width, height, position, hasVideo } = probe
  const isFilm = hasVideo && file.type === 'video'
  const dimensions = isFilm ? { width, height } : {}
  await note(context, file, { duration, ...dimensions, ...(position && { place: { latLong: position } }) })
  const posters = isFilm ? await pictures(file, await film.poster(probe), posterFormats, context) : []
  const report = progressOf(context, file)
  const { body, done } = film.rendition({ ...probe, hasVideo: isFilm }, report)
  let sum = 0
  const checksummed = async function* () {
    for await (const piece of body) {
      sum = crc32(piece, sum)
      yield piece as Uint8Array
    }
  }
  const blob = `${folderOf(file.blob)}${fullsize}`
  const contentType = isFilm ? 'video/mp4' : 'audio/mp4'
  const [{ size }] = await Promise.all([blobs.put(blob, checksummed(), { contentType }), done])
  return [...posters, { label: fullsize, contentType, size, crc32: sum >>> 0, blob, ...boxed(dimensions) }]
}

/** Size of a rendition within 1280 by 720, in even numbers as FFmpeg makes it. */
function boxed({ width, height }: { width?: number; height?: number }): { width?: number; height?: number } {
  if (!width || !height) return {}
  const scale = Math.min(1, 1_280 / width, 720 / height)
  const even = (length: number) => 2 * Math.round((length * scale) / 2)
  return { width: even(width), height: even(height) }
}

const note = ({ transaction, tenant }: CopyContext, { blob }: store.MediaFile, reading: store.Reading) =>
  transaction((db) => store.setReading(db, tenant, blob, reading))

/** Stores the progress at most once a second. */
function progressOf(
  { transaction, tenant, clock, log }: CopyContext,
  { blob }: store.MediaFile,
): (fraction: number) => void {
  let lastMs = 0
  return (fraction) => {
    const now = performance.now()
    if (now - lastMs < 1_000) return
    lastMs = now
    transaction((db) => store.setProgress(db, tenant, blob, 'converting', fraction, clock.now())).catch((error) =>
      log.warn({ err: error }, 'the progress of a film was not stored'),
    )
  }
}

/** Deletes unreferenced files. */
export const removeBlobs = job<Input>('removeMediaBlobs', {
  retries: 20,
  run: async ({ blob }, { blobs }) => removeFile(blobs, blob),
})

/** Deletes the files of a deleted contribution that are not used elsewhere. */
export async function removeMediaOf(db: Db, jobs: JobsOf, tenant: string, contribution: string): Promise<void> {
  for (const id of await store.takeUsages(db, tenant, contribution)) {
    const blob = await store.remove(db, tenant, id)
    if (blob !== undefined) await jobs.enqueue(removeBlobs, { blob }, { tenant })
  }
}

const unusedDays = 7
/** How long the job may have been down. */
const lookBackDays = 60
const batch = 200

/** Deletes files that have been unused for a week. */
export const deleteUnused = job<object>('forgetUnusedMedia', {
  async run(_, { db, transaction, clock, signal }) {
    const daysAgo = (days: number) => new Date(clock.now().getTime() - days * 86_400_000)
    const time = { from: daysAgo(lookBackDays), before: daysAgo(unusedDays) }
    while (!signal.aborted) {
      const files = await store.unused(db, time, batch)
      for (const { tenant, id } of files)
        await transaction(async (writing, jobs) => {
          const blob = await store.remove(writing, tenant, id)
          if (blob !== undefined) await jobs.enqueue(removeBlobs, { blob }, { tenant })
        })
      if (files.length < batch) return
    }
  },
})
