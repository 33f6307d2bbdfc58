import type { Readable } from 'node:stream'
import type { BoundBackup, JobContext, ReadingDb, RestoreMetadata } from '@icosa/kernel'

/** Inclusive at both ends. */
export interface Window {
  readonly from: Date
  readonly to: Date
}

export interface ContinuousRequest {
  readonly id: string
  readonly resource: string
  readonly keepDays: number
}

/** Continuous backup (point-in-time recovery) of resources of one type: `continuous` of a `Backup`. */
export interface ContinuousBackup<ServiceRuntime = unknown> {
  /** Why it is not available here, with advice. */
  readonly refusal: string | undefined
  /**
   * Starts continuous backup with this retention in days, until `end`; `id` is the caller's name for it. Repeating it
   * with the same ID changes the retention. Returns false if the ID belongs to a deleted resource that this one
   * replaced.
   */
  begin(request: ContinuousRequest, context: JobContext<ServiceRuntime>): Promise<RestoreMetadata | false>
  /** Restorable period; undefined if there is none. */
  window(db: ReadingDb, tenant: string, id: string, now: Date): Promise<Window | undefined>
  /** Reads the resource as of a time, even if it has been deleted since, in the format of `read`. */
  readAt(id: string, at: Date, context: JobContext<ServiceRuntime>): Promise<Readable>
  end(id: string, context: JobContext<ServiceRuntime>): Promise<void>
}

/** Binds it to a job of another service; undefined if the type has snapshots only. */
export function continuousIn(backup: BoundBackup | undefined): ContinuousBackup | undefined {
  if (!backup?.continuous) return undefined
  const { refusal, window, begin, readAt, end } = backup.continuous as ContinuousBackup
  return {
    refusal,
    window,
    begin: (request, context) => begin(request, backup.inside(context)),
    readAt: (id, at, context) => readAt(id, at, backup.inside(context)),
    end: (id, context) => end(id, backup.inside(context)),
  }
}
