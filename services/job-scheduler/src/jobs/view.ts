import type { CollectionAddress } from '../collections/address.ts'
import { api } from '../collections/contract.ts'
import { collectionId } from '../collections/view.ts'
import type { JobHistory } from '../history/contract.ts'
import type { Row as HistoryRow } from '../history/store.ts'
import type { Job } from './contract.ts'
import type { JobRow } from './job.ts'
import type { JobInCollection } from './store.ts'
import { following } from './timing.ts'

const type = `${api.namespace}/jobCollections/jobs`

export function toJob(job: JobRow, collection: CollectionAddress, now: Date): Job {
  const { definition, state, startsAt, lastExecutionAt } = job
  const nextExecutionAt = nextOf(job, now)
  return {
    id: `${collectionId(collection)}/jobs/${job.name}`,
    type,
    name: `${collection.jobCollectionName}/${job.name}`,
    properties: {
      startTime: startsAt.toISOString(),
      ...definition,
      state,
      status: {
        executionCount: job.executionCount,
        failureCount: job.failureCount,
        faultedCount: job.faultedCount,
        ...(lastExecutionAt && { lastExecutionTime: lastExecutionAt.toISOString() }),
        ...(nextExecutionAt && { nextExecutionTime: nextExecutionAt.toISOString() }),
      },
    },
  }
}

/** A job in a disabled collection shows the next occurrence of its schedule. */
function nextOf(job: JobRow, now: Date): Date | undefined {
  if (job.state !== 'Enabled' || !job.nextExecutionAt) return undefined
  if (job.collectionEnabled || job.nextExecutionAt > now) return job.nextExecutionAt
  return following(job, now)
}

export function toJobHistory(row: HistoryRow, job: JobInCollection): JobHistory {
  const name = `${row.executionId}-${row.number}`
  return {
    id: `${collectionId(job)}/jobs/${job.name}/history/${name}`,
    type: `${type}/history`,
    name: `${job.jobCollectionName}/${job.name}/${name}`,
    properties: {
      startTime: row.startedAt.toISOString(),
      endTime: row.endedAt.toISOString(),
      expectedExecutionTime: row.expectedAt.toISOString(),
      actionName: row.action,
      status: row.status,
      message: row.message,
      retryCount: row.attempt,
      repeatCount: row.repeatCount,
    },
  }
}
