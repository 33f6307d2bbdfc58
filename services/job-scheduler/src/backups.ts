import { randomUUID } from 'node:crypto'
import type { Sending } from '@icosa/delivery'
import { parseResourceId } from '@icosa/dialects/arm/ids'
import { type Backup, Failure, type JobContext, notFound, paramsReader, type Vault } from '@icosa/kernel'
import {
  addRows,
  bytesIn,
  contentOf,
  hexOf,
  jsonOf,
  type Line,
  linesIn,
  linesOf,
  placeIn,
  withRows,
} from '@icosa/module/rows'
import * as backups from './backups-store.ts'
import { names } from './collections/contract.ts'
import { removeJobs } from './collections/jobs.ts'
import * as store from './collections/store.ts'
import { collectionId, collectionType, entryOf } from './collections/view.ts'
import { openSecrets, type Secrets, sealSecrets } from './secrets/secrets.ts'

interface JobRow {
  readonly id: string
  readonly name_key: string
  readonly secrets: string | null
}
interface SavedJob extends Omit<JobRow, 'id' | 'secrets'> {
  readonly secrets: Secrets
}
interface SavedStatus {
  readonly name_key: string
}

const readNames = paramsReader(names)

/** A collection with its jobs. Occurrences missed since the backup are skipped. */
export const collectionBackup: Backup<Sending> = {
  type: collectionType,

  async read(id, { db, tenant, tenantVault }) {
    const row = await demandCollection(id, db, tenant)
    const vault = await tenantVault()
    const lines = withRows<JobRow>(
      await linesOf(db, backups.rowsOf(row)),
      backups.jobTable,
      ({ id: job, ...rest }) => ({
        ...rest,
        secrets: openSecrets(vault, { tenant, id: job }, rest.secrets === null ? null : bytesIn(rest.secrets)),
      }),
    )
    const { subscriptionId, resourceGroupName, jobCollectionName } = row
    return { content: contentOf(lines), metadata: { subscriptionId, resourceGroupName, jobCollectionName } }
  },

  async restore({ id, metadata, content, tags }, { tenant, tenantVault, clock, transaction }) {
    const address = readNames(placeIn(metadata, ['subscriptionId', 'resourceGroupName', 'jobCollectionName']))
    const lines = withIds(await linesIn(content), tenant, await tenantVault())
    const row = await transaction(async (db, _, resources) => {
      const existing = await store.lockById(db, { tenant, id })
      if (existing) return existing // restored by a worker that was killed before reporting it
      if (await store.lock(db, tenant, address))
        throw new Failure('alreadyExists', `The job collection '${address.jobCollectionName}' already exists.`)
      const columns = { ...backups.ownColumns(tenant, id, address), tags }
      await addRows(db, backups.collectionTable, jsonOf(lines, backups.collectionTable), columns)
      await addRows(db, backups.jobTable, jsonOf(lines, backups.jobTable), { tenant, collection_id: id })
      await addRows(db, backups.statusTable, jsonOf(lines, backups.statusTable), { tenant })
      await backups.resume(db, tenant, id, clock.now())
      const restored =
        (await store.lockById(db, { tenant, id })) ?? notFound('job collection', address.jobCollectionName)
      await resources.put(entryOf(restored))
      return restored
    })
    return collectionId(row)
  },

  trial: (metadata, id) => ({ ...metadata, jobCollectionName: `restored-${id}` }),

  async remove(id, { db, tenant, transaction }) {
    const row = await demandCollection(id, db, tenant)
    await transaction(async (last, jobs, resources) => {
      await store.remove(last, row)
      await resources.remove(collectionId(row))
      await jobs.enqueue(removeJobs, { tenant, id: row.id })
    })
  },
}

/** Gives jobs and their statuses new IDs: the original jobs may still exist. */
function withIds(lines: readonly Line[], tenant: string, vault: Vault): Line[] {
  const ids = new Map(
    jsonOf(lines, backups.jobTable).map((json) => [(JSON.parse(json) as SavedJob).name_key, randomUUID()]),
  )
  const idOf = (name: string) => ids.get(name) ?? notFound('job', name)
  const jobs = withRows<SavedJob>(lines, backups.jobTable, (job) => {
    const id = idOf(job.name_key)
    const sealed = sealSecrets(vault, { tenant, id }, job.secrets)
    return { ...job, id, secrets: sealed && hexOf(sealed) }
  })
  return withRows<SavedStatus>(jobs, backups.statusTable, ({ name_key, ...status }) => ({
    ...status,
    job_id: idOf(name_key),
  }))
}

async function demandCollection(id: string, db: JobContext['db'], tenant: string): Promise<store.Row> {
  const { subscriptionId = '', resourceGroupName = '', segments } = parseResourceId(id) ?? {}
  const [, jobCollectionName = ''] = segments ?? []
  const row = await store.find(db, tenant, { subscriptionId, resourceGroupName, jobCollectionName })
  return row ?? notFound('job collection', id)
}
