import type { Readable } from 'node:stream'
import type { BoundBackup, JobContext, ReadingDb, RestoreMetadata } from '@icosa/kernel'

/** From when to when, both included. */
export interface Window {
  readonly from: Date
  readonly to: Date
}

export interface ContinuousRequest {
  readonly id: string
  readonly resource: string
  readonly keepDays: number
}

/** How resources of a type are kept as they were at every moment, not only at that of a backup: `continuous` of a `Backup`. */
export interface ContinuousBackup<Held = unknown> {
  /** Why nobody can have it here, in words that say what to do about it. */
  readonly refusal: string | undefined
  /**
   * Keeps a resource from now on, for so many days back, until `end`; `id` is the caller's name for that. Again with the same
   * id: for other days. False if the id is that of a resource that is gone, in whose place this one is.
   */
  begin(request: ContinuousRequest, context: JobContext<Held>): Promise<RestoreMetadata | false>
  /** Of which times it can be read; undefined if of none. */
  window(db: ReadingDb, tenant: string, id: string, now: Date): Promise<Window | undefined>
  /** The resource as it was then, also if it is gone by now: as `read` would have answered it. */
  readAt(id: string, at: Date, context: JobContext<Held>): Promise<Readable>
  end(id: string, context: JobContext<Held>): Promise<void>
}

/** For a job of another service; undefined if resources of this type are backed up at single moments only. */
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
