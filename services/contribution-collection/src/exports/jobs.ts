import { randomUUID } from 'node:crypto'
import { type Db, Failure, type JobContext, type JobsOf, job } from '@icosa/kernel'
import { shownContributions } from '../contributions/view.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { SearchContext } from '../search/conditions-store.ts'
import { questionOf } from '../search/question.ts'
import { count, list } from '../search/store.ts'
import { exportItemOf } from './item.ts'
import * as store from './store.ts'
import { directoryRecord, endRecords, fileHeader } from './zip/records.ts'
import { type Checkpoint, type ExportItem, initialCheckpoint, ZipWriter } from './zip/writer.ts'

interface Input {
  readonly id: string
}

type Running = JobContext<ServiceRuntime>

/**
 * Size of a blob, which is in memory until it is stored, and is rewritten after a worker was killed. With the excess of its
 * last piece it is below 8 MiB, so that S3 stores it in one request.
 */
const partBytes = 7 * 2 ** 20
/** Small, since V8 enlarges the young generation when many objects survive. */
const pageSize = 10
const retentionDays = 7

const exportFolder = (id: string): string => `exports/${id}/`
const expiresAfter = (at: Date) => new Date(at.getTime() + retentionDays * 86_400_000)

/** Writes contributions and their files to a zip in parts, resuming at the last checkpoint. */
export const writeExport = job<Input, ServiceRuntime>('writeExport', {
  retries: 10,
  async run({ id }, context) {
    const { db, tenant, clock } = context
    const row = await store.find(db, tenant, id)
    if (row?.status !== 'running') return
    let state = row.checkpoint ?? initialCheckpoint
    if (state.stage === 'contributions') state = await writeContributions(row, state, context)
    if (state.stage === 'text') state = await writeText(row, state, context)
    const end = await writeDirectory(row, state, context)
    return (writing) => store.finish(writing, tenant, id, end, clock.now(), expiresAfter(clock.now()))
  },
  failed: ({ id }, db, error, { tenant, clock }) =>
    store.fail(db, tenant, id, error.message, clock.now(), expiresAfter(clock.now())),
})

async function writeContributions(row: store.ExportRow, from: Checkpoint, context: Running): Promise<Checkpoint> {
  const { blobs, signal } = context
  const { total, next } = await reader(row, context)
  const writer = new ZipWriter(from, blobs, next)
  const bytes = writer.bytes()
  for (let isOver = false; !isOver; ) {
    const blob = partBlob(row)
    let size = 0
    const part = async function* () {
      while (size < partBytes) {
        signal.throwIfAborted()
        const { value, done } = await bytes.next()
        isOver = done === true
        if (isOver) return
        size += (value as Buffer).length
        yield value as Buffer
      }
    }
    await blobs.put(blob, part(), { contentType: 'application/zip' })
    writer.freePieces()
    const stage = isOver ? (row.request.combined ? 'text' : 'directory') : 'contributions'
    writer.state = { ...writer.state, stage }
    const { contributions } = writer.state
    const fraction = total === 0 ? 1 : Math.min(0.99, contributions / total)
    await storePart(row, { blob, size, ...writer.takePart() }, writer.state, context, fraction)
  }
  return writer.state
}

/** Yields contributions one by one, reading them in pages. */
async function reader({ request }: store.ExportRow, { db, tenant, blobs, runtime, clock }: Running) {
  const { viewer } = request
  const question = questionOf(request.filter)
  const searchContext: SearchContext = { tenant, viewer, now: clock.now(), geography: runtime.geography }
  let page: ExportItem[] = []
  const next = async (after: Checkpoint['after']): Promise<ExportItem | undefined> => {
    if (page.length === 0) {
      const position = after ? { createdAt: new Date(after.createdAt), id: after.id } : undefined
      const rows = await list(db, question, searchContext, { after: position, limit: pageSize })
      const ids = rows.map(({ id }) => id)
      const contributions = await shownContributions(
        { db, tenant, viewer, now: searchContext.now, publicUrl: runtime.publicUrl },
        rows,
      )
      const files = Map.groupBy(await store.filesOf(db, tenant, viewer, ids), ({ contribution }) => contribution)
      page = []
      for (const contribution of contributions)
        page.push(await exportItemOf(request, contribution, files.get(contribution.id) ?? [], blobs))
    }
    return page.shift()
  }
  return { total: await count(db, question, searchContext), next }
}

/** Writes the combined text file from the texts of the parts. */
async function writeText(row: store.ExportRow, state: Checkpoint, context: Running): Promise<Checkpoint> {
  const { blobs, db, tenant } = context
  const { textSize: size, textSum: crc32 } = state
  const file = { name: 'contributions.txt', size, crc32, modified: row.startedAt }
  const header = fileHeader(file)
  const content = async function* () {
    yield header
    yield* store.inParts(db, tenant, row.id, 'text')
  }
  const blob = partBlob(row)
  const stored = await blobs.put(blob, content(), { contentType: 'application/zip' })
  if (stored.size !== header.length + size) throw new Failure('internal', 'The combined text is incomplete.')
  const after: Checkpoint = { ...state, size: state.size + stored.size, files: state.files + 1, stage: 'directory' }
  const directory = directoryRecord(file, state.size)
  const part = { blob, size: stored.size, directory, text: Buffer.alloc(0), contributions: [] }
  await storePart(row, part, after, context, 0.99)
  return after
}

/** Writes the central directory as a whole, without a checkpoint. */
async function writeDirectory(row: store.ExportRow, state: Checkpoint, context: Running): Promise<store.Outcome> {
  const { blobs, db, tenant, transaction } = context
  let size = 0
  const content = async function* () {
    for await (const records of store.inParts(db, tenant, row.id, 'directory')) {
      size += records.length
      yield records
    }
    yield endRecords({ files: state.files, size, offset: state.size })
  }
  const blob = partBlob(row)
  const stored = await blobs.put(blob, content(), { contentType: 'application/zip' })
  const part = { blob, size: stored.size, directory: Buffer.alloc(0), text: Buffer.alloc(0), contributions: [] }
  // Replaces the part of an attempt that was killed before it finished.
  await transaction((writing) => store.replaceLastPart(writing, tenant, row.id, part))
  return { contributions: state.contributions, media: state.media, size: state.size + stored.size }
}

/** Unique, since a worker that lost its lease may still write. */
const partBlob = ({ id }: store.ExportRow) => `${exportFolder(id)}${randomUUID()}`

async function storePart(
  { id }: store.ExportRow,
  part: store.NewPart,
  state: Checkpoint,
  { transaction, tenant }: Running,
  fraction: number,
): Promise<void> {
  const step = { contributions: 'writing contributions', text: 'writing the text', directory: 'writing the directory' }
  await transaction(async (db) => {
    await store.insertPart(db, tenant, id, part, state)
    await store.setStep(db, tenant, id, step[state.stage], fraction)
  })
}

/** Deletes an export, and its blobs in the background. */
async function removeExport(db: Db, jobs: JobsOf, tenant: string, id: string): Promise<void> {
  await jobs.cancel(writeExport, id, { tenant })
  if (await store.remove(db, tenant, id)) await jobs.enqueue(removeExportBlobs, { id }, { tenant })
}

/** Deletes the exports that contain a deleted contribution. */
export async function removeExportsOf(db: Db, jobs: JobsOf, tenant: string, contribution: string): Promise<void> {
  for (const { id } of await store.exportsWith(db, tenant, contribution)) await removeExport(db, jobs, tenant, id)
}

export const removeExportBlobs = job<Input>('removeExportBlobs', {
  retries: 20,
  async run({ id }, { blobs }) {
    for (;;) {
      const { items } = await blobs.list(exportFolder(id), { limit: 1_000 })
      if (items.length === 0) return
      await Promise.all(items.map(({ key }) => blobs.delete(key)))
    }
  },
})

const batch = 100

/** Deletes exports whose URLs have expired. */
export const expireExports = job<object>('expireExports', {
  async run(_, { db, transaction, clock, signal }) {
    while (!signal.aborted) {
      const now = clock.now()
      const exports = await store.expired(db, now, new Date(now.getTime() - 2 * retentionDays * 86_400_000), batch)
      for (const { tenant, id } of exports)
        await transaction((writing, jobs) => removeExport(writing, jobs, tenant, id))
      if (exports.length < batch) return
    }
  },
})
