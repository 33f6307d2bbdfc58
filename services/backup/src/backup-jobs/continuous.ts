import { randomUUID } from 'node:crypto'
import { Failure, type JobContext, type JobsOf, job } from '@icosa/kernel'
import { continuousOf, maxContinuousDays } from '../recovery-points/continuous.ts'
import * as points from '../recovery-points/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { after } from '../shapes/time.ts'
import type { BackupJobRow } from './store.ts'

/** What a backup by a continuous rule has come to. */
export interface Begun extends Pick<points.NewPoint, 'id' | 'metadata' | 'attempt' | 'snapshot' | 'bytes'> {
  readonly isNew: boolean
  readonly keepDays: number
  /** One of a resource that is gone, in whose place there is another: it stays for as long as it was to be kept. */
  readonly replaced: string | undefined
}

/**
 * Begins to keep a resource at every moment, or goes on with it. Undefined if another rule does so in another vault: a resource
 * has one continuous recovery point, and this is then to be one of a moment.
 */
export async function beginContinuous(
  row: BackupJobRow,
  context: JobContext<ServiceRuntime>,
): Promise<Begun | undefined> {
  const { tenant, db, runtime } = context
  const port = continuousOf(runtime, row.resourceType)
  const there = await points.findContinuous(db, tenant, row.resourceArn)
  if (there && there.vault !== row.vault) return undefined
  const keepDays = row.lifecycle.DeleteAfterDays ?? maxContinuousDays
  const begin = (id: string) => port.begin({ id, resource: row.resourceId, keepDays }, context)
  const nothing = { attempt: randomUUID(), snapshot: '', bytes: 0, keepDays }
  const known = there && (await begin(there.id))
  if (there && known) return { ...nothing, id: there.id, metadata: known, isNew: false, replaced: undefined }
  const metadata = await begin(row.pointId)
  if (!metadata) throw new Failure('conflict', 'The resource was replaced while it was being backed up.')
  return { ...nothing, id: row.pointId, metadata, isNew: true, replaced: there?.id }
}

/** Of a backup that did not come to be: there is no recovery point that anybody could delete. */
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

/** As long as the rule fires it goes on, and then for as long as anything is kept. */
export const continuousEnd = ({ continuousUntil, createdAt }: BackupJobRow, keepDays: number): Date =>
  after(continuousUntil ?? createdAt, keepDays)
