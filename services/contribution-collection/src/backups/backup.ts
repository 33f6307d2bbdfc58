import { Readable } from 'node:stream'
import { type Backup, type Db, Failure, type JobContext, type JobsOf, notFound } from '@icosa/kernel'
import { addRows, bytesIn, jsonOf, type Line, linesOf, placeIn, withRows } from '@icosa/module/rows'
import * as assignments from '../assignments/store.ts'
import { emptyAssignment } from '../deletion/jobs.ts'
import { makeCopies } from '../media/jobs.ts'
import { folderOf } from '../media/receive.ts'
import * as media from '../media/store.ts'
import { serviceName } from '../names.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { contentOf, linesIn, type MediaLine, mediaIn, putFiles, removeFolders } from './files.ts'
import { framed } from './framing.ts'
import * as store from './store.ts'

interface Row {
  readonly id: number
}
interface Part {
  readonly id?: number
  readonly contribution: number
}
interface Response extends Part {
  readonly form: number
}

const assignmentType = `${serviceName}/assignments`
const registryId = (id: string) => `/${assignmentType}/${id}`
const idIn = (id: string) => id.split('/').at(-1) ?? ''
const rowsIn = <T>(lines: readonly Line[], table: string): T[] => jsonOf(lines, table).map((json) => JSON.parse(json))

/**
 * An assignment with its contributions and their files. It is restored under its old ids, unless one of them is in use: then
 * all rows get new ones. Authors keep their ids.
 */
export const assignmentBackup: Backup<ServiceRuntime> = {
  type: assignmentType,

  async read(id, { db, tenant, blobs }) {
    const { id: assignment, urlWords } = (await assignments.find(db, tenant, idIn(id))) ?? notFound('assignment', id)
    const lines = await linesOf(db, store.rowsOf(tenant, assignment))
    return { content: Readable.from(contentOf(lines, blobs), { objectMode: false }), metadata: { urlWords } }
  },

  async restore({ id, metadata, content, tags }, context) {
    const { db: reading, tenant, blobs, transaction } = context
    const { urlWords } = placeIn(metadata, ['urlWords'])
    const restored = await store.restoredBy(reading, tenant, id)
    if (restored !== undefined) return registryId(restored) // by a worker that was killed before reporting it
    const frames = framed(content)
    const { lines, file } = await linesIn(frames)
    const folders = await foldersFor(lines, id, context)
    try {
      await putFiles(frames, file, blobs, folders)
      const { assignment, unused } = await transaction(async (db, jobs, resources) => {
        const numbered = await withFreeIds(db, tenant, lines)
        const [row] = rowsIn<Row & { readonly owner: string; readonly name: string }>(numbered, store.assignmentTable)
        if (!row) throw new Failure('conflict', 'The data in the vault contains no assignment.')
        if (await store.areWordsTaken(db, tenant, row.owner, urlWords))
          throw new Failure('alreadyExists', `An assignment '${urlWords}' already exists.`)
        const unused = await addMedia(db, jobs, tenant, numbered, folders)
        await addAll(db, tenant, numbered, { url_words: urlWords, restored_by: id })
        const assignment = String(row.id)
        await resources.put({ id: registryId(assignment), type: assignmentType, name: row.name, tags })
        return { assignment, unused }
      })
      await removeFolders(blobs, unused)
      return registryId(assignment)
    } catch (error) {
      await removeFolders(blobs, folders.values())
      throw error
    }
  },

  trial: (metadata, id) => ({ ...metadata, urlWords: `restored-${id}` }),

  async remove(id, { tenant, clock, transaction }) {
    await transaction(async (db, jobs, resources) => {
      await assignments.markDeleted(db, tenant, idIn(id), clock.now())
      await jobs.enqueue(emptyAssignment, { assignment: idIn(id) }, { key: idIn(id) })
      await resources.remove(id)
    })
  },
}

const isSame = (file: media.MediaFile | undefined, { sha256 }: MediaLine) => file?.sha256.equals(bytesIn(sha256))

/** Target folders of missing files; a retry gets the same ones. */
async function foldersFor(
  lines: readonly Line[],
  id: string,
  { db, tenant }: JobContext,
): Promise<Map<string, string>> {
  const folders = new Map<string, string>()
  for (const [nth, line] of mediaIn(lines).entries())
    if (!isSame(await media.find(db, tenant, String(line.id)), line))
      folders.set(folderOf(line.blob), `media/${id}-${nth}/`)
  return folders
}

/** The rows under their own ids if all are free, else under new ones. */
async function withFreeIds(db: Db, tenant: string, lines: readonly Line[]): Promise<readonly Line[]> {
  const idsOf = (table: string) => rowsIn<Row>(lines, table).map(({ id }) => id)
  const tables = [store.assignmentTable, store.contributionTable]
  const sizes = await Promise.all(
    tables.map(async (table) => (await store.idsInUse(db, tenant, table, idsOf(table))).size),
  )
  if (sizes.every((size) => size === 0)) return lines
  let renamed: readonly Line[] = lines
  const contributions = new Map<number, number>()
  for (const table of tables) {
    const ids = idsOf(table)
    const newIds = await store.newIds(db, table, ids.length)
    const newOf = new Map(ids.map((old, nth) => [old, newIds[nth] ?? 0]))
    if (table === store.contributionTable) for (const [old, id] of newOf) contributions.set(old, id)
    renamed = withRows<Row>(renamed, table, (row) => ({ ...row, id: newOf.get(row.id) }))
  }
  for (const table of [...store.partTables, store.responseTable])
    renamed = withRows<Part>(renamed, table, ({ id: _, ...row }) => ({
      ...row,
      contribution: contributions.get(row.contribution),
    }))
  return renamed
}

/** Adds missing files. Returns the folders that are not needed, since the tenant has the same bytes elsewhere. */
async function addMedia(
  db: Db,
  jobs: JobsOf,
  tenant: string,
  lines: readonly Line[],
  folders: ReadonlyMap<string, string>,
): Promise<string[]> {
  const unused: string[] = []
  for (const line of mediaIn(lines).toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1))) {
    await media.lockContent(db, tenant, bytesIn(line.sha256))
    if (isSame(await media.find(db, tenant, String(line.id)), line)) continue
    const folder = folders.get(folderOf(line.blob))
    if (folder === undefined)
      throw new Failure('unavailable', 'A file was deleted during the restore, which will be retried.')
    const same = await media.findByContent(db, tenant, bytesIn(line.sha256))
    const existing = same && (({ blob, variants, status, error }) => ({ blob, variants, status, error }))(same)
    if (same && same.blob !== `${folder}original`) unused.push(folder)
    const json = JSON.stringify(line).replaceAll(folderOf(line.blob), folder)
    await addRows(db, store.mediaTable, [json], { tenant, ...existing })
    const { blob, status } = { ...(JSON.parse(json) as MediaLine), ...existing }
    if (status === 'processing') await jobs.enqueue(makeCopies, { blob }, { key: blob })
  }
  return unused
}

async function addAll(db: Db, tenant: string, lines: readonly Line[], own: object): Promise<void> {
  const [assignment] = rowsIn<Row>(lines, store.assignmentTable)
  await addRows(db, store.assignmentTable, jsonOf(lines, store.assignmentTable), { tenant, ...own })
  const inside = { tenant, assignment: assignment?.id }
  await addRows(db, store.contributionTable, jsonOf(lines, store.contributionTable), inside)
  for (const table of store.partTables) await addRows(db, table, jsonOf(lines, table), { tenant })
  const responses = rowsIn<Response>(lines, store.responseTable)
  const forms = await store.formsAmong(
    db,
    tenant,
    responses.map(({ form }) => form),
  )
  const responseJson = jsonOf(lines, store.responseTable).filter((_, nth) => forms.has(responses[nth]?.form ?? 0))
  await addRows(db, store.responseTable, responseJson, { tenant })
}
