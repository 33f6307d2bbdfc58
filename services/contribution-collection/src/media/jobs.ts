import { crc32 } from 'node:zlib'
import { type Db, Failure, type JobContext, type JobsOf, job } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import { type Format, formats, fullsize, pictureFormats } from './formats.ts'
import type { Film } from './programs/films.ts'
import { contentOf, folderOf, removeFile } from './receive.ts'
import * as store from './store.ts'
import type { Variant } from './usages-store.ts'

interface Input {
  /** Of the original. */
  readonly blob: string
}

type Made = JobContext<ServiceRuntime>

/** Makes the copies that everybody may see. */
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

async function copiesOf(file: store.MediaFile, context: Made): Promise<Variant[]> {
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
  wanted: readonly Format[],
  context: Made,
): Promise<Variant[]> {
  const { blobs, tenant, runtime, signal } = context
  const variants: Variant[] = []
  for (const { label, content: bytes, width, height } of await runtime.pictures.copies(
    tenant,
    content,
    wanted,
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

async function filmCopies(file: store.MediaFile, film: Film, context: Made): Promise<Variant[]> {
  const { blobs } = context
  const probe = await film.probe()
  const { duration, width, height, position, hasVideo } = probe
  const isFilm = hasVideo && file.type === 'video'
  const shown = isFilm ? { width, height } : {}
  await note(context, file, { duration, ...shown, ...(position && { place: { latLong: position } }) })
  const posters = isFilm ? await pictures(file, await film.poster(probe), posterFormats, context) : []
  const report = progressOf(context, file)
  const { body, done } = film.rendition({ ...probe, hasVideo: isFilm }, report)
  let sum = 0
  const summed = async function* () {
    for await (const piece of body) {
      sum = crc32(piece, sum)
      yield piece as Uint8Array
    }
  }
  const blob = `${folderOf(file.blob)}${fullsize}`
  const contentType = isFilm ? 'video/mp4' : 'audio/mp4'
  const [{ size }] = await Promise.all([blobs.put(blob, summed(), { contentType }), done])
  return [...posters, { label: fullsize, contentType, size, crc32: sum >>> 0, blob, ...boxed(shown) }]
}

/** The size of a copy that fits 1280 by 720, as FFmpeg makes it: even numbers. */
function boxed({ width, height }: { width?: number; height?: number }): { width?: number; height?: number } {
  if (!width || !height) return {}
  const scale = Math.min(1, 1_280 / width, 720 / height)
  const even = (length: number) => 2 * Math.round((length * scale) / 2)
  return { width: even(width), height: even(height) }
}

const note = ({ transaction, tenant }: Made, { blob }: store.MediaFile, reading: store.Reading) =>
  transaction((db) => store.setReading(db, tenant, blob, reading))

/** Once a second at most. */
function progressOf({ transaction, tenant, clock, log }: Made, { blob }: store.MediaFile): (fraction: number) => void {
  let lastMs = 0
  return (fraction) => {
    const now = performance.now()
    if (now - lastMs < 1_000) return
    lastMs = now
    transaction((db) => store.setProgress(db, tenant, blob, 'converting', fraction, clock.now())).catch((error) =>
      log.warn({ err: error }, 'the progress of a film was not kept'),
    )
  }
}

/** What nobody refers to any more. */
export const removeBlobs = job<Input>('removeMediaBlobs', {
  retries: 20,
  run: async ({ blob }, { blobs }) => removeFile(blobs, blob),
})

/** For a contribution that is deleted: files that stand nowhere else go, with their copies. */
export async function removeMediaOf(db: Db, jobs: JobsOf, tenant: string, contribution: string): Promise<void> {
  for (const id of await store.takeUsages(db, tenant, contribution)) {
    const blob = await store.remove(db, tenant, id)
    if (blob !== undefined) await jobs.enqueue(removeBlobs, { blob }, { tenant })
  }
}

const unusedDays = 7
/** For so long nobody needs to have looked. */
const lookBackDays = 60
const batch = 200

/** Files that somebody sent a week ago and that stand nowhere. */
export const forgetUnused = job<object>('forgetUnusedMedia', {
  async run(_, { db, transaction, clock, signal }) {
    const daysAgo = (days: number) => new Date(clock.now().getTime() - days * 86_400_000)
    const time = { from: daysAgo(lookBackDays), before: daysAgo(unusedDays) }
    while (!signal.aborted) {
      const all = await store.unused(db, time, batch)
      for (const { tenant, id } of all)
        await transaction(async (writing, jobs) => {
          const blob = await store.remove(writing, tenant, id)
          if (blob !== undefined) await jobs.enqueue(removeBlobs, { blob }, { tenant })
        })
      if (all.length < batch) return
    }
  },
})
