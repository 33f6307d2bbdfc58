import { buffer } from 'node:stream/consumers'
import { type Backup, Failure, type JobContext, notFound, tagOf } from '@icosa/kernel'
import { addRows, contentOf, jsonOf, type Line, linesIn, linesOf, placeIn } from '@icosa/module/rows'
import * as backups from './backups-store.ts'
import { deleteFunction } from './deploy/jobs.ts'
import * as revisions from './deploy/store.ts'
import { addressOf, functionIdOf, revisionId } from './functions/address.ts'
import * as store from './functions/store.ts'
import { entryOf, nameOf } from './functions/view.ts'
import { resourceType } from './names.ts'
import type { ServiceRuntime } from './runtime.ts'
import { artifactKey, sourceKey } from './source/keys.ts'

/** Pseudo-table for source and artifact. */
const blobTable = 'blob'
interface SavedBlob {
  readonly key: string
  readonly contentType: string
  readonly base64: string
}

/** Backs up configuration, source and artifact: a restored function serves without another build. */
export const functionBackup: Backup<ServiceRuntime> = {
  type: resourceType,

  async read(id, { db, tenant, blobs }) {
    const row = await findFunction(id, db, tenant)
    if (row.state === 'DEPLOYING' || row.state === 'DELETING')
      throw new Failure('conflict', `The function '${row.function}' is ${row.state}: wait for its operation to end.`)
    const lines = await linesOf(db, backups.rowsOf(row))
    const revision = row.revision === null ? undefined : await revisions.find(db, tenant, row.revision)
    if (revision)
      for (const key of [sourceKey(revision.source), artifactKey(revision.artifact)]) {
        const { info, body } = await blobs.get(key)
        const saved: SavedBlob = { key, contentType: info.contentType, base64: (await buffer(body)).toString('base64') }
        lines.push({ table: blobTable, json: JSON.stringify(saved) })
      }
    return { content: contentOf(lines), metadata: store.placeOf(row) }
  },

  async restore({ id, metadata, content, tags }, context) {
    const { tenant, transaction } = context
    const { project, location, function: name } = placeIn(metadata, ['project', 'location', 'function'])
    const place = { project, location, function: functionIdOf({ project, location }, name, undefined) }
    const lines = await linesIn(content)
    await putBlobs(lines, context)
    const row = await transaction(async (db, _, resources) => {
      const existing = await store.findLocked(db, tenant, place)
      if (existing?.operation === id) return existing // by a worker that was killed before it completed the job
      if (existing) throw new Failure('alreadyExists', `The function '${nameOf(place)}' already exists.`)
      const [revisionJson] = jsonOf(lines, backups.revisionTable)
      const revision = revisionJson === undefined ? null : revisionId(name, JSON.parse(revisionJson).number)
      const columns = {
        ...backups.functionColumns(tenant, place),
        address: addressOf({ tenant, tag: await tagOf(db, context.clock, tenant) }, place),
        operation: id,
        revision,
      }
      const saved = jsonOf(lines, backups.functionTable).map((json) => withLabels(json, tags))
      await addRows(db, backups.functionTable, saved, columns)
      await addRows(db, backups.revisionTable, jsonOf(lines, backups.revisionTable), { tenant, id: revision, ...place })
      const restored = (await store.findLocked(db, tenant, place)) ?? notFound('function', nameOf(place))
      await resources.put(entryOf(restored))
      return restored
    })
    await putBlobs(lines, context) // a sweep may have deleted them meanwhile
    return nameOf(row)
  },

  trial: (metadata, id) => ({ ...metadata, function: `restored-${id}` }),

  async remove(id, { db, tenant, clock, transaction }) {
    const row = await findFunction(id, db, tenant)
    await transaction(async (last, jobs) => {
      await store.beginDeletion(last, row, row.operation, clock.now())
      await jobs.enqueue(deleteFunction, { tenant, ...store.placeOf(row) })
    })
  },
}

/** Labels are the tags of a function: sets those of the restore request. */
function withLabels(json: string, labels: Readonly<Record<string, string>>): string {
  const row = JSON.parse(json)
  return JSON.stringify({ ...row, desired: { ...row.desired, labels } })
}

async function putBlobs(lines: readonly Line[], { blobs }: JobContext<ServiceRuntime>): Promise<void> {
  for (const json of jsonOf(lines, blobTable)) {
    const { key, contentType, base64 }: SavedBlob = JSON.parse(json)
    if (!(await blobs.head(key))) await blobs.put(key, Buffer.from(base64, 'base64'), { contentType })
  }
}

async function findFunction(id: string, db: JobContext['db'], tenant: string): Promise<store.FunctionRow> {
  const [, project = '', location = '', name = ''] =
    /^projects\/([^/]+)\/locations\/([^/]+)\/functions\/([^/]+)$/.exec(id) ?? []
  return (await store.find(db, tenant, { project, location, function: name })) ?? notFound('function', id)
}
