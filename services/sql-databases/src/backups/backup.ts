import { randomUUID } from 'node:crypto'
import { type Backup, Failure, type JobContext, notFound, type RestoreRequest } from '@icosa/kernel'
import { newPassword } from '@icosa/tokens/passwords/scram'
import { busy } from '../databases/begin.ts'
import { alreadyExists } from '../databases/locked.ts'
import { databaseId, readDatabaseId } from '../databases/scope.ts'
import type { DatabaseRow, Work } from '../databases/store.ts'
import * as store from '../databases/store.ts'
import { type as databaseType, entryOf } from '../databases/view.ts'
import { removeAll } from '../host/removal.ts'
import type { DatabaseJobs } from '../provisioning/jobs.ts'
import { passwordPlace } from '../provisioning/passwords.ts'
import { tooMany } from '../provisioning/shares.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { createServer, lockServer } from '../servers/existing.ts'
import type { SqlSettings } from '../settings.ts'
import { continuousBackup } from '../wal-archive/continuous.ts'
import { readContent, writeContent } from './content.ts'
import { configurationIn, metadataOf, placeIn } from './metadata.ts'

/** Dumps a database with pg_dump, and loads it into a new one. */
export function databaseBackup(jobs: DatabaseJobs, settings: SqlSettings): Backup<ServiceRuntime> {
  return {
    type: databaseType,

    async read(id, context) {
      const row = await getDatabase(id, context)
      if (row.status === 'Paused')
        throw new Failure('conflict', `The database '${row.databaseName}' is paused: resume it to back it up.`)
      if (row.status !== 'Online') busy(row)
      return { content: await readContent(row, context, settings.programs), metadata: metadataOf(row) }
    },

    async restore(request, context) {
      const row = await prepare(request, context, settings)
      const work = { id: row.id, work: row.work }
      try {
        const finish = await jobs.create.run(work, context)
        await writeContent(row, request.content, context, settings.programs)
        if (finish) await context.transaction(finish)
        return databaseId(row)
      } catch (error) {
        if (!context.signal.aborted) await removeLater(row, context)
        throw error
      }
    },

    trial: (metadata, id) => ({ ...metadata, databaseName: `restored-${id}` }),
    remove: async (id, context) => removeLater(await getDatabase(id, context), context),
    continuous: continuousBackup(getDatabase, settings),
  }

  /** Enqueues the job that removes any other database. */
  async function removeLater({ id }: DatabaseRow, context: JobContext<ServiceRuntime>): Promise<void> {
    const work: Work = { id, work: randomUUID() }
    await context.transaction(async (db, queue) => {
      if (await store.begin(db, work, 'Shutdown', work.work)) await queue.enqueue(jobs.remove, work)
    })
  }
}

async function getDatabase(id: string, { db, tenant }: JobContext<ServiceRuntime>): Promise<DatabaseRow> {
  const scope = readDatabaseId(id, 'InvalidResourceId')
  return (await store.find(db, tenant, scope)) ?? notFound('database', scope.databaseName)
}

/** Inserts a row without a database on the SQL host: one that a killed worker left is removed. */
async function prepare(request: RestoreRequest, context: JobContext<ServiceRuntime>, settings: SqlSettings) {
  const { row, isNew } = await insertOnce(request, context, settings)
  const host = context.runtime.host()
  if (!isNew) await host.alone([row.physical], (admin) => removeAll(host, admin, row.physical))
  return row
}

async function insertOnce(
  { id, metadata, tags }: RestoreRequest,
  context: JobContext<ServiceRuntime>,
  settings: SqlSettings,
) {
  const { tenant, clock } = context
  const vault = await context.tenantVault()
  const scope = placeIn(metadata)
  const configuration = configurationIn(metadata)
  return context.transaction(async (db, _, resources) => {
    const creation = { db, clock, resources, caller: { tenant } }
    await createServer(creation, scope, { location: configuration.location, tags: {} })
    await lockServer(creation, scope)
    const existing = await store.findLocked(db, tenant, scope)
    if (existing?.id === id) return { row: existing, isNew: false }
    if (existing) alreadyExists(existing)
    const maxDatabases = settings.tenant.connections
    if ((await store.countOfTenant(db, tenant)) >= maxDatabases) tooMany(maxDatabases)
    const { prefix } = await store.installation(db)
    const row = await store.insert(db, {
      ...scope,
      ...configuration,
      tenant,
      id,
      tags,
      physical: prefix + id.replaceAll('-', ''),
      password: vault.seal(newPassword(), passwordPlace(id)),
      status: 'Restoring',
      work: randomUUID(),
      operation: id,
      pool: null,
      source: null,
      sample: null,
      restoreSource: null,
      restoreTime: null,
      createdAt: clock.now(),
    })
    await resources.put(entryOf(row))
    return { row, isNew: true }
  })
}
