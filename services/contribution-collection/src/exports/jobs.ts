import { randomUUID } from 'node:crypto'
import { type Db, Failure, type JobContext, type JobsOf, job } from '@icosa/kernel'
import { shownContributions } from '../contributions/view.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { Asked } from '../search/conditions-store.ts'
import { questionOf } from '../search/question.ts'
import { count, list } from '../search/store.ts'
import { chapterOf } from './chapter.ts'
import * as store from './store.ts'
import { directoryRecord, endRecords, fileHeader } from './zip/records.ts'
import { beginning, type Chapter, type Checkpoint, Writing } from './zip/writing.ts'

interface Input {
  readonly id: string
}

type Running = JobContext<ServiceRuntime>

/**
 * How much lies in one blob, is in memory until it is there, and may have to be written again when a worker is killed. With
 * the piece that goes beyond it, less than the 8 MiB that S3 takes in one request.
 */
const partBytes = 7 * 2 ** 20
/** Few: what waits for long outlives its youth, and V8 sooner takes more memory for young objects. */
const pageSize = 10
const keptDays = 7

const exportFolder = (id: string): string => `exports/${id}/`
const expiresAfter = (at: Date) => new Date(at.getTime() + keptDays * 86_400_000)

/** Writes contributions and their files into a zip, part by part, and goes on where the last worker stopped. */
export const writeExport = job<Input, ServiceRuntime>('writeExport', {
  retries: 10,
  async run({ id }, context) {
    const { db, tenant, clock } = context
    const row = await store.find(db, tenant, id)
    if (row?.status !== 'running') return
    let state = row.checkpoint ?? beginning
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
  const writing = new Writing(from, blobs, next)
  const bytes = writing.bytes()
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
    writing.giveBack()
    const stage = isOver ? (row.request.combined ? 'text' : 'directory') : 'contributions'
    writing.state = { ...writing.state, stage }
    const { contributions } = writing.state
    const fraction = total === 0 ? 1 : Math.min(0.99, contributions / total)
    await keepPart(row, { blob, size, ...writing.takePart() }, writing.state, context, fraction)
  }
  return writing.state
}

/** Contributions one by one, read by the page. */
async function reader({ request }: store.ExportRow, { db, tenant, blobs, runtime, clock }: Running) {
  const { viewer } = request
  const question = questionOf(request.filter)
  const asked: Asked = { tenant, viewer, now: clock.now(), geography: runtime.geography }
  let page: Chapter[] = []
  const next = async (after: Checkpoint['after']): Promise<Chapter | undefined> => {
    if (page.length === 0) {
      const position = after ? { createdAt: new Date(after.createdAt), id: after.id } : undefined
      const rows = await list(db, question, asked, { after: position, limit: pageSize })
      const ids = rows.map(({ id }) => id)
      const shown = await shownContributions({ db, tenant, viewer, now: asked.now, publicUrl: runtime.publicUrl }, rows)
      const files = Map.groupBy(await store.filesOf(db, tenant, viewer, ids), ({ contribution }) => contribution)
      page = []
      for (const one of shown) page.push(await chapterOf(request, one, files.get(one.id) ?? [], blobs))
    }
    return page.shift()
  }
  return { total: await count(db, question, asked), next }
}

/** The one text of all contributions, from what the parts have of it. */
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
  const put = await blobs.put(blob, content(), { contentType: 'application/zip' })
  if (put.size !== header.length + size) throw new Failure('internal', 'The text of all contributions is not complete.')
  const after: Checkpoint = { ...state, size: state.size + put.size, files: state.files + 1, stage: 'directory' }
  const directory = directoryRecord(file, state.size)
  const part = { blob, size: put.size, directory, text: Buffer.alloc(0), contributions: [] }
  await keepPart(row, part, after, context, 0.99)
  return after
}

/** What stands at the end of a zip. Nothing is kept of it before it is whole. */
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
  const put = await blobs.put(blob, content(), { contentType: 'application/zip' })
  const part = { blob, size: put.size, directory: Buffer.alloc(0), text: Buffer.alloc(0), contributions: [] }
  // Were it kept before the job ends, one that is started again would write it twice.
  await transaction((writing) => store.replaceLastPart(writing, tenant, row.id, part))
  return { contributions: state.contributions, media: state.media, size: state.size + put.size }
}

/** Never one that was there: a worker that was given up may still write. */
const partBlob = ({ id }: store.ExportRow) => `${exportFolder(id)}${randomUUID()}`

async function keepPart(
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

/** With all that it has in the blobs; whoever has its address finds nothing any more. */
async function removeExport(db: Db, jobs: JobsOf, tenant: string, id: string): Promise<void> {
  await jobs.cancel(writeExport, id, { tenant })
  if (await store.remove(db, tenant, id)) await jobs.enqueue(removeExportBlobs, { id }, { tenant })
}

/** For a contribution that is deleted: zips that hold it go, too. */
export async function removeExportsOf(db: Db, jobs: JobsOf, tenant: string, contribution: string): Promise<void> {
  for (const { id } of await store.holding(db, tenant, contribution)) await removeExport(db, jobs, tenant, id)
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

/** Of which nobody can have the address any more. */
export const expireExports = job<object>('expireExports', {
  async run(_, { db, transaction, clock, signal }) {
    while (!signal.aborted) {
      const now = clock.now()
      const all = await store.expired(db, now, new Date(now.getTime() - 2 * keptDays * 86_400_000), batch)
      for (const { tenant, id } of all) await transaction((writing, jobs) => removeExport(writing, jobs, tenant, id))
      if (all.length < batch) return
    }
  },
})
