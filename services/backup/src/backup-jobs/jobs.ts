import { randomUUID } from 'node:crypto'
import { type Db, Failure, type Job, type JobContext, type JobsOf, job } from '@icosa/kernel'
import { startCopy } from '../copy-jobs/handlers.ts'
import type { CopyPoint } from '../copy-jobs/jobs.ts'
import { notify } from '../notices/deliver.ts'
import { lifecycleColumns } from '../recovery-points/lifecycle.ts'
import { tidyUp } from '../recovery-points/maintenance.ts'
import * as points from '../recovery-points/store.ts'
import { resourceOf } from '../resources/registry-store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { nameIn } from '../shapes/arns.ts'
import { messageOf } from '../shapes/message.ts'
import type { TagMap } from '../shapes/tags.ts'
import { checkRetention } from '../vaults/lock.ts'
import { writableRepositoryOf } from '../vaults/repository.ts'
import * as vaults from '../vaults/store.ts'
import { beginContinuous, type ContinuousStart, continuousEnd, endLater } from './continuous.ts'
import * as store from './store.ts'

export interface JobId {
  readonly id: string
}

export interface BackupJobs {
  readonly backUp: Job<JobId, ServiceRuntime>
}

/**
 * A recovery point exists once all of its data is in the repository. A killed worker may leave part of a stream there, under
 * the name of its attempt, to which nothing refers: maintenance deletes it.
 */
export function backupJobsOf(region: string, copyPoint: CopyPoint): BackupJobs {
  async function startCopies(db: Db, jobs: JobsOf, row: store.BackupJobRow, point: points.NewPoint, at: Date) {
    for (const { DestinationBackupVaultArn: arn, Lifecycle: lifecycle = {} } of row.copies) {
      const vault = nameIn({ tenant: row.tenant, region }, 'backup-vault', 'vault', arn)
      await startCopy(db, jobs, copyPoint, point, { vault, roleArn: row.roleArn, lifecycle, at })
    }
  }

  /** Extends the recovery point of a continuous backup, or creates it. */
  async function finishContinuous(
    row: store.BackupJobRow,
    { isNew, keepDays, replaced, ...start }: ContinuousStart,
    resourceTags: TagMap,
    { last, jobs, at }: { readonly last: Db; readonly jobs: JobsOf; readonly at: Date },
  ): Promise<void> {
    const { tenant } = row
    const vault = (await vaults.lock(last, tenant, row.vault)) ?? missingVault(row.vault)
    const lifecycle = { ...row.lifecycle, DeleteAfterDays: keepDays }
    checkRetention(vault, lifecycle)
    if (!(await endJob(last, jobs, row, { state: 'COMPLETED', bytes: 0, at }))) return
    const columns = { ...lifecycleColumns(lifecycle, row.createdAt), deleteAt: continuousEnd(row, keepDays) }
    const point = { ...pointOf(row, at), ...start, ...columns, resourceTags, continuous: true }
    if (replaced !== undefined) await points.closeContinuous(last, tenant, replaced)
    if (isNew) {
      await points.insert(last, point)
      await vaults.countPoints(last, tenant, row.vault, 1)
    } else await points.extendContinuous(last, point)
    await startCopies(last, jobs, row, point, at)
  }

  const backUp = job<JobId, ServiceRuntime>('backUp', {
    async run({ id }, context) {
      const { tenant, clock, db } = context
      const row = await store.find(db, tenant, id)
      if (!row || row.completedAt !== null) return undefined
      if (row.state === 'CREATED' && clock.now() > row.startBy)
        return (last, jobs) =>
          endJob(last, jobs, row, { state: 'EXPIRED', message: 'The job missed its start window.', at: clock.now() })
      const isNew = row.state === 'CREATED'
      if (!(await context.transaction((last, jobs) => startJob(last, jobs, row, isNew, clock.now())))) return undefined
      const resource = await resourceOf(db, { tenant, region }, row.resourceArn)
      const resourceTags = resource?.tags ?? {}
      const start = row.continuousUntil === null ? undefined : await beginContinuous(row, context)
      if (start) return (last, jobs) => finishContinuous(row, start, resourceTags, { last, jobs, at: clock.now() })
      const snapshot = { ...(await save(row, context)), resourceTags }
      return async (last, jobs) => {
        const at = clock.now()
        const vault = (await vaults.lock(last, tenant, row.vault)) ?? missingVault(row.vault)
        checkRetention(vault, row.lifecycle)
        if (!(await endJob(last, jobs, row, { state: 'COMPLETED', bytes: snapshot.bytes, at }))) return
        const point = { ...pointOf(row, at), ...snapshot }
        await points.insert(last, point)
        if (row.state === 'RUNNING') await tidyUp(jobs, row.vault) // an earlier attempt was interrupted
        await vaults.countPoints(last, tenant, row.vault, 1)
        await startCopies(last, jobs, row, point, at)
      }
    },
    async failed({ id }, db, error, { tenant, clock, jobs }) {
      const row = await store.find(db, tenant, id)
      if (!row) return
      await endJob(db, jobs, row, { state: 'FAILED', message: messageOf(error), at: clock.now() })
      await endLater(jobs, row)
      if (row.state === 'RUNNING') await tidyUp(jobs, row.vault)
    },
  })
  return { backUp }
}

const outcomes = {
  COMPLETED: ['BACKUP_JOB_COMPLETED', 'BACKUP_JOB_SUCCESSFUL'],
  FAILED: ['BACKUP_JOB_COMPLETED', 'BACKUP_JOB_FAILED'],
  EXPIRED: ['BACKUP_JOB_COMPLETED', 'BACKUP_JOB_EXPIRED'],
  ABORTED: ['BACKUP_JOB_COMPLETED'],
} as const

/** Returns false if it had already ended. */
async function endJob(db: Db, jobs: JobsOf, row: store.BackupJobRow, ending: store.Ending): Promise<boolean> {
  const { tenant, vault, id, resourceArn } = row
  if (!(await store.end(db, tenant, id, ending))) return false
  const message = `The backup of ${resourceArn} is ${ending.state}.`
  await notify(db, jobs, { tenant, vault, id, at: ending.at, events: outcomes[ending.state], message })
  return true
}

async function startJob(db: Db, jobs: JobsOf, row: store.BackupJobRow, isNew: boolean, at: Date): Promise<boolean> {
  const { tenant, vault, id, resourceArn } = row
  if (!(await store.setRunning(db, tenant, id))) return false
  const message = `The backup of ${resourceArn} has started.`
  if (isNew) await notify(db, jobs, { tenant, vault, id, at, events: ['BACKUP_JOB_STARTED'], message })
  return true
}

async function save(row: store.BackupJobRow, context: JobContext<ServiceRuntime>) {
  const { db, runtime, tenantVault, tenant, clock, signal } = context
  const backup = runtime.backups.get(row.resourceType)
  if (!backup) throw new Failure('unavailable', `No service of this node backs up ${row.resourceType}.`)
  const vault = (await vaults.find(db, tenant, row.vault)) ?? missingVault(row.vault)
  const attempt = randomUUID()
  const late = AbortSignal.timeout(Math.min(Math.max(row.completeBy.getTime() - clock.now().getTime(), 1), 2 ** 31 - 1))
  const within = AbortSignal.any([signal, late])
  let metadata = {}
  const content = async () => {
    const source = await backup.read(row.resourceId, { ...context, signal: within })
    metadata = source.metadata
    return source.content
  }
  const tags = [`point=${row.pointId}`, `job=${row.id}`, `resource=${row.resourceArn}`]
  const repository = await writableRepositoryOf(vault, await tenantVault(), db)
  const { snapshot, bytes } = await runtime.restic
    .backup(repository, { name: attempt, tags, content, signal: within })
    .catch((error) => {
      if (late.aborted && !signal.aborted) throw new Failure('conflict', 'The job exceeded its completion window.')
      throw error
    })
  return { attempt, snapshot, bytes, metadata }
}

const pointOf = (row: store.BackupJobRow, at: Date) => ({
  tenant: row.tenant,
  id: row.pointId,
  vault: row.vault,
  resourceArn: row.resourceArn,
  resourceType: row.resourceType,
  resourceName: row.resourceName,
  tags: row.tags,
  roleArn: row.roleArn,
  createdBy: row.createdBy,
  sourceVault: null,
  continuous: false,
  createdAt: row.createdAt,
  completedAt: at,
  ...lifecycleColumns(row.lifecycle, row.createdAt),
})

function missingVault(name: string): never {
  throw new Failure('notFound', `The vault '${name}' no longer exists.`)
}
