import { arnOfResource } from '@icosa/dialects/signed/resource-name'
import { type Db, Failure, type Job, type JobContext, type JobsOf, job, notFound } from '@icosa/kernel'
import type { JobId } from '../backup-jobs/jobs.ts'
import { notify } from '../notices/deliver.ts'
import { contentOf } from '../recovery-points/content.ts'
import { withoutTimes } from '../recovery-points/continuous.ts'
import * as points from '../recovery-points/store.ts'
import { resourceOf } from '../resources/registry-store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { messageOf } from '../shapes/message.ts'
import * as store from './store.ts'
import { inSubscription } from './subscription.ts'

export interface RestoreJobs {
  readonly restore: Job<JobId, ServiceRuntime>
  readonly endTrial: Job<JobId, ServiceRuntime>
}

export function restoreJobsOf(region: string): RestoreJobs {
  const restore = job<JobId, ServiceRuntime>('restore', {
    async run({ id }, context) {
      const { tenant, clock, db } = context
      const row = await store.find(db, tenant, id)
      if (!row || row.completedAt !== null) return undefined
      if (!(await context.transaction((last) => store.setRunning(last, tenant, id)))) return undefined
      const resource = await restoreResource(row, context)
      return async (last, jobs) => {
        const at = clock.now()
        const createdResourceArn = arnOfResource({ tenant, region }, resource)
        await store.end(last, tenant, id, { status: 'COMPLETED', createdResourceArn, at })
        await points.setRestored(last, tenant, row.pointId, at)
        await notifyEnd(last, jobs, row, 'COMPLETED', at)
        if (row.testingPlan === null) return
        if (row.validationHours !== null) await store.setValidation(last, tenant, id, 'VALIDATING', null)
        await jobs.enqueue(endTrial, { id }, { at: new Date(at.getTime() + (row.validationHours ?? 0) * 3_600_000) })
      }
    },
    async failed({ id }, db, error, { tenant, clock, jobs }) {
      const at = clock.now()
      await store.end(db, tenant, id, { status: 'FAILED', message: messageOf(error), at })
      const row = await store.find(db, tenant, id)
      if (row) await notifyEnd(db, jobs, row, 'FAILED', at)
    },
  })

  /** Deletes the resource of a restore test: after its validation, or at the end of the validation window. */
  const endTrial = job<JobId, ServiceRuntime>('endTrial', {
    retries: 8,
    async run({ id }, context) {
      const { tenant, db, runtime } = context
      const row = await store.find(db, tenant, id)
      if (row?.deletionStatus === 'SUCCESSFUL') return undefined
      const resource = row?.createdResourceArn && (await resourceOf(db, { tenant, region }, row.createdResourceArn))
      if (resource) await runtime.backups.get(row.resourceType)?.remove(resource.id, context)
      return (last) => store.setDeletion(last, tenant, id, 'SUCCESSFUL')
    },
    async failed({ id }, db, error, { tenant }) {
      await store.setDeletion(db, tenant, id, 'FAILED', messageOf(error))
    },
  })
  return { restore, endTrial }
}

const outcomes = {
  COMPLETED: ['RESTORE_JOB_COMPLETED', 'RESTORE_JOB_SUCCESSFUL'],
  FAILED: ['RESTORE_JOB_COMPLETED', 'RESTORE_JOB_FAILED'],
} as const

async function notifyEnd(
  db: Db,
  jobs: JobsOf,
  row: store.RestoreJobRow,
  status: keyof typeof outcomes,
  at: Date,
): Promise<void> {
  const { tenant, vault, id, resourceArn } = row
  const message = `The restore of ${resourceArn} is ${status}.`
  await notify(db, jobs, { tenant, vault, id, at, events: outcomes[status], message })
}

/** Returns the created resource. */
async function restoreResource(row: store.RestoreJobRow, context: JobContext<ServiceRuntime>) {
  const { db, runtime, tenant } = context
  const backup = runtime.backups.get(row.resourceType)
  if (!backup) throw new Failure('unavailable', `No service of this node restores ${row.resourceType}.`)
  const point = (await points.find(db, tenant, row.pointId)) ?? notFound('recovery point', row.pointId)
  const { RestoreTime: time } = point.continuous ? row.metadata : {}
  const metadata = point.continuous ? withoutTimes(row.metadata) : row.metadata
  const inside = await inSubscription(metadata, context)
  try {
    const content = await contentOf(point, time === undefined ? undefined : new Date(time), context)
    const tags = row.copyTags ? point.resourceTags : {}
    const id = await backup
      .restore({ id: row.id, from: point.resourceArn, metadata, content, tags }, inside)
      .finally(() => content.destroy())
    return { service: backup.service, id }
  } catch (error) {
    throw isDamage(error)
      ? new Failure('conflict', 'The data in the vault is damaged: run icosa backup verify.', { cause: error })
      : error
  }
}

/** restic's messages about damaged data. Retrying would not help. */
const isDamage = (error: unknown) =>
  error instanceof Error && /verification failed|invalid data|does not match|wrong hash/i.test(error.message)
