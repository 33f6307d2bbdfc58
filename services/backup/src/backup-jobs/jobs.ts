import { randomUUID } from 'node:crypto'
import { type Db, Failure, type Job, type JobContext, type JobsOf, job } from '@icosa/kernel'
import { startCopy } from '../copy-jobs/handlers.ts'
import type { CopyPoint } from '../copy-jobs/jobs.ts'
import { tell } from '../notices/deliver.ts'
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
import { type Begun, beginContinuous, continuousEnd, endLater } from './continuous.ts'
import * as store from './store.ts'

export interface JobId {
  readonly id: string
}

export interface BackupJobs {
  readonly backUp: Job<JobId, ServiceRuntime>
}

/**
 * A recovery point is there once all of it is in the repository, and not before. A worker that is killed may leave part of a
 * stream there, under the name of its attempt, which nothing refers to: maintenance forgets it.
 */
export function backupJobsOf(region: string, copyPoint: CopyPoint): BackupJobs {
  async function copied(db: Db, jobs: JobsOf, row: store.BackupJobRow, point: points.NewPoint, at: Date) {
    for (const { DestinationBackupVaultArn: arn, Lifecycle: lifecycle = {} } of row.copies) {
      const vault = nameIn({ tenant: row.tenant, region }, 'backup-vault', 'vault', arn)
      await startCopy(db, jobs, copyPoint, point, { vault, roleArn: row.roleArn, lifecycle, at })
    }
  }

  /** The recovery point goes on for a while, or there is a new one. */
  async function keptContinuously(
    row: store.BackupJobRow,
    { isNew, keepDays, replaced, ...begun }: Begun,
    resourceTags: TagMap,
    { last, jobs, at }: { readonly last: Db; readonly jobs: JobsOf; readonly at: Date },
  ): Promise<void> {
    const { tenant } = row
    const vault = (await vaults.lock(last, tenant, row.vault)) ?? gone(row.vault)
    const lifecycle = { ...row.lifecycle, DeleteAfterDays: keepDays }
    checkRetention(vault, lifecycle)
    if (!(await ended(last, jobs, row, { state: 'COMPLETED', bytes: 0, at }))) return
    const kept = { ...lifecycleColumns(lifecycle, row.createdAt), deleteAt: continuousEnd(row, keepDays) }
    const point = { ...pointOf(row, at), ...begun, ...kept, resourceTags, continuous: true }
    if (replaced !== undefined) await points.setPassed(last, tenant, replaced)
    if (isNew) {
      await points.insert(last, point)
      await vaults.countPoints(last, tenant, row.vault, 1)
    } else await points.setGoingOn(last, point)
    await copied(last, jobs, row, point, at)
  }

  const backUp = job<JobId, ServiceRuntime>('backUp', {
    async run({ id }, context) {
      const { tenant, clock, db } = context
      const row = await store.find(db, tenant, id)
      if (!row || row.completedAt !== null) return undefined
      if (row.state === 'CREATED' && clock.now() > row.startBy)
        return (last, jobs) =>
          ended(last, jobs, row, { state: 'EXPIRED', message: 'It could not begin in time.', at: clock.now() })
      const isNew = row.state === 'CREATED'
      if (!(await context.transaction((last, jobs) => begun(last, jobs, row, isNew, clock.now())))) return undefined
      const there = await resourceOf(db, { tenant, region }, row.resourceArn)
      const resourceTags = there?.tags ?? {}
      const kept = row.continuousUntil === null ? undefined : await beginContinuous(row, context)
      if (kept) return (last, jobs) => keptContinuously(row, kept, resourceTags, { last, jobs, at: clock.now() })
      const saved = { ...(await save(row, context)), resourceTags }
      return async (last, jobs) => {
        const at = clock.now()
        const vault = (await vaults.lock(last, tenant, row.vault)) ?? gone(row.vault)
        checkRetention(vault, row.lifecycle)
        if (!(await ended(last, jobs, row, { state: 'COMPLETED', bytes: saved.bytes, at }))) return
        const point = { ...pointOf(row, at), ...saved }
        await points.insert(last, point)
        if (row.state === 'RUNNING') await tidyUp(jobs, row.vault) // an attempt before this one was cut off
        await vaults.countPoints(last, tenant, row.vault, 1)
        await copied(last, jobs, row, point, at)
      }
    },
    async failed({ id }, db, error, { tenant, clock, jobs }) {
      const row = await store.find(db, tenant, id)
      if (!row) return
      await ended(db, jobs, row, { state: 'FAILED', message: messageOf(error), at: clock.now() })
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

/** False if it had ended before. */
async function ended(db: Db, jobs: JobsOf, row: store.BackupJobRow, ending: store.Ending): Promise<boolean> {
  const { tenant, vault, id, resourceArn } = row
  if (!(await store.end(db, tenant, id, ending))) return false
  const message = `The backup of ${resourceArn} is ${ending.state}.`
  await tell(db, jobs, { tenant, vault, id, at: ending.at, events: outcomes[ending.state], message })
  return true
}

async function begun(db: Db, jobs: JobsOf, row: store.BackupJobRow, isNew: boolean, at: Date): Promise<boolean> {
  const { tenant, vault, id, resourceArn } = row
  if (!(await store.setRunning(db, tenant, id))) return false
  const message = `The backup of ${resourceArn} has begun.`
  if (isNew) await tell(db, jobs, { tenant, vault, id, at, events: ['BACKUP_JOB_STARTED'], message })
  return true
}

async function save(row: store.BackupJobRow, context: JobContext<ServiceRuntime>) {
  const { db, runtime, vault: seal, tenant, clock, signal } = context
  const backup = runtime.backups.get(row.resourceType)
  if (!backup) throw new Failure('unavailable', `No service of this node backs up ${row.resourceType}.`)
  const vault = (await vaults.find(db, tenant, row.vault)) ?? gone(row.vault)
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
  const repository = await writableRepositoryOf(vault, seal, db)
  const { snapshot, bytes } = await runtime.restic
    .backup(repository, { name: attempt, tags, content, signal: within })
    .catch((error) => {
      if (late.aborted && !signal.aborted) throw new Failure('conflict', 'It took longer than its completion window.')
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

function gone(name: string): never {
  throw new Failure('notFound', `The vault '${name}' is gone.`)
}
