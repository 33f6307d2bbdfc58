import { randomUUID } from 'node:crypto'
import { Failure, type JobContext, type JobsOf, job } from '@icosa/kernel'
import { continuousOf, maxContinuousDays } from '../recovery-points/continuous.ts'
import * as points from '../recovery-points/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { after } from '../shapes/time.ts'
import type { BackupJobRow } from './store.ts'

/** Result of starting or continuing a continuous backup. */
export interface ContinuousStart extends Pick<points.NewPoint, 'id' | 'metadata' | 'attempt' | 'snapshot' | 'bytes'> {
  readonly isNew: boolean
  readonly keepDays: number
  /** The recovery point of a deleted resource of the same name, which stays until its retention ends. */
  readonly replaced: string | undefined
}

/**
 * Starts or continues the continuous backup of a resource. Undefined if a rule for another vault already does so: a resource
 * has one continuous recovery point, and the job then makes a snapshot.
 */
export async function beginContinuous(
  row: BackupJobRow,
  context: JobContext<ServiceRuntime>,
): Promise<ContinuousStart | undefined> {
  const { tenant, db, runtime } = context
  const port = continuousOf(runtime, row.resourceType)
  const existing = await points.findContinuous(db, tenant, row.resourceArn)
  if (existing && existing.vault !== row.vault) return undefined
  const keepDays = row.lifecycle.DeleteAfterDays ?? maxContinuousDays
  const begin = (id: string) => port.begin({ id, resource: row.resourceId, keepDays }, context)
  const empty = { attempt: randomUUID(), snapshot: '', bytes: 0, keepDays }
  const existingMetadata = existing && (await begin(existing.id))
  if (existing && existingMetadata)
    return { ...empty, id: existing.id, metadata: existingMetadata, isNew: false, replaced: undefined }
  const metadata = await begin(row.pointId)
  if (!metadata) throw new Failure('conflict', 'The resource was replaced while it was being backed up.')
  return { ...empty, id: row.pointId, metadata, isNew: true, replaced: existing?.id }
}

/** Ends the continuous backup of a failed or stopped job, which has no recovery point by which it could be deleted. */
export const endUnbegun = job<{ readonly id: string; readonly type: string }, ServiceRuntime>('endUnbegun', {
  retries: 8,
  async run({ id, type }, context) {
    const { tenant, db, runtime } = context
    if (!(await points.find(db, tenant, id))) await runtime.backups.get(type)?.continuous?.end(id, context)
  },
})

export async function endLater(jobs: JobsOf, { pointId, resourceType, continuousUntil }: BackupJobRow): Promise<void> {
  if (continuousUntil !== null) await jobs.enqueue(endUnbegun, { id: pointId, type: resourceType }, { key: pointId })
}

/** A continuous recovery point expires when its rule no longer fires and the retention has passed. */
export const continuousEnd = ({ continuousUntil, createdAt }: BackupJobRow, keepDays: number): Date =>
  after(continuousUntil ?? createdAt, keepDays)
