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
import { createServer, holdServer } from '../servers/existing.ts'
import type { SqlSettings } from '../settings.ts'
import { continuousBackup } from '../wal-archive/continuous.ts'
import { readContent, writeContent } from './content.ts'
import { configurationIn, metadataOf, placeIn } from './metadata.ts'

/** A database is dumped as PostgreSQL's own program does it, and loaded into a new one. */
export function databaseBackup(jobs: DatabaseJobs, settings: SqlSettings): Backup<ServiceRuntime> {
  return {
    type: databaseType,

    async read(id, context) {
      const row = await found(id, context)
      if (row.status === 'Paused')
        throw new Failure('conflict', `The database '${row.databaseName}' is paused: resume it to back it up.`)
      if (row.status !== 'Online') busy(row)
      return { content: await readContent(row, context, settings.programs), metadata: metadataOf(row) }
    },

    async restore(request, context) {
      const row = await prepared(request, context, settings)
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
    remove: async (id, context) => removeLater(await found(id, context), context),
    continuous: continuousBackup(found, settings),
  }

  /** By the job that removes any other database. */
  async function removeLater({ id }: DatabaseRow, context: JobContext<ServiceRuntime>): Promise<void> {
    const work: Work = { id, work: randomUUID() }
    await context.transaction(async (db, queue) => {
      if (await store.begin(db, work, 'Shutdown', work.work)) await queue.enqueue(jobs.remove, work)
    })
  }
}

async function found(id: string, { db, tenant }: JobContext<ServiceRuntime>): Promise<DatabaseRow> {
  const scope = readDatabaseId(id, 'InvalidResourceId')
  return (await store.find(db, tenant, scope)) ?? notFound('database', scope.databaseName)
}

/** A row, and nothing on the SQL host: what a worker that was killed had begun there goes first. */
async function prepared(request: RestoreRequest, context: JobContext<ServiceRuntime>, settings: SqlSettings) {
  const { row, isNew } = await insertOnce(request, context, settings)
  const host = context.runtime.host()
  if (!isNew) await host.alone([row.physical], (admin) => removeAll(host, admin, row.physical))
  return row
}

function insertOnce(
  { id, metadata, tags }: RestoreRequest,
  context: JobContext<ServiceRuntime>,
  settings: SqlSettings,
) {
  const { tenant, clock, vault } = context
  const scope = placeIn(metadata)
  const configuration = configurationIn(metadata)
  return context.transaction(async (db, _, resources) => {
    const making = { db, clock, resources, caller: { tenant } }
    await createServer(making, scope, { location: configuration.location, tags: {} })
    await holdServer(making, scope)
    const there = await store.findLocked(db, tenant, scope)
    if (there?.id === id) return { row: there, isNew: false }
    if (there) alreadyExists(there)
    const places = settings.tenant.connections
    if ((await store.countOfTenant(db, tenant)) >= places) tooMany(places)
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
      createdAt: clock.now(),
    })
    await resources.put(entryOf(row))
    return { row, isNew: true }
  })
}
