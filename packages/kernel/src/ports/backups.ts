import type { Readable } from 'node:stream'
import { ownBlobs } from '../blobs.ts'
import type { ReadingDb } from '../db/db.ts'
import type { JobContext, Work } from '../jobs/jobs.ts'
import { jobsIn } from '../jobs/queue.ts'
import type { Platform } from '../platform.ts'
import type { StartedService } from '../service.ts'
import { resourcesIn } from './resources.ts'

/** Where and how to restore a resource, and the original's properties. */
export type RestoreMetadata = Readonly<Record<string, string>>

/** Snapshot of one resource. */
export interface BackupSource {
  /** Ends only if complete, and fails otherwise. The receiver reads it to its end or destroys it. */
  readonly content: Readable
  /** Sufficient to restore an identical resource. */
  readonly metadata: RestoreMetadata
}

export interface RestoreRequest {
  /** Idempotency key: the same when another worker retries, which then takes over what the first one created. */
  readonly id: string
  /** ID of the original, or an ARN that ends in it. Unlike the metadata, callers cannot set it. */
  readonly from: string
  readonly metadata: RestoreMetadata
  readonly content: Readable
  readonly tags: Readonly<Record<string, string>>
}

/** Backs up resources of one type. Declared in a service's manifest, called by the backup service. */
export interface Backup<Runtime = unknown> {
  /** Resource type in the registry. */
  readonly type: string
  read(id: string, context: JobContext<Runtime>): Promise<BackupSource>
  /** Creates and registers a resource, and returns its ID. Leaves nothing behind on failure. */
  restore(request: RestoreRequest, context: JobContext<Runtime>): Promise<string>
  /** Metadata for a restore test: the same under a unique name. */
  trial(metadata: RestoreMetadata, id: string): RestoreMetadata
  /** Deletes the resource created by a restore test. */
  remove(id: string, context: JobContext<Runtime>): Promise<void>
  /** Resources of all tenants that are due for a backup by their own settings. */
  due?(db: ReadingDb, now: Date): Promise<readonly DueBackup[]>
  readonly continuous?: ContinuousBackup<Runtime>
}

/** Inclusive at both ends. */
export interface RestoreWindow {
  readonly from: Date
  readonly to: Date
}

export interface ContinuousRequest {
  readonly id: string
  readonly resource: string
  readonly keepDays: number
}

/** Continuous backup (point-in-time recovery) of resources of one type. */
export interface ContinuousBackup<Runtime = unknown> {
  /** Why it is not available here, with advice. */
  readonly refusal: string | undefined
  /**
   * Starts continuous backup with this retention in days, until `end`; `id` is the caller's name for it. Repeating it
   * with the same ID changes the retention. Returns false if the ID belongs to a deleted resource that this one
   * replaced.
   */
  begin(request: ContinuousRequest, context: JobContext<Runtime>): Promise<RestoreMetadata | false>
  /** Restorable period; undefined if there is none. */
  window(db: ReadingDb, tenant: string, id: string, now: Date): Promise<RestoreWindow | undefined>
  /** Reads the resource as of a time, even if it has been deleted since, in the format of `read`. */
  readAt(id: string, at: Date, context: JobContext<Runtime>): Promise<Readable>
  end(id: string, context: JobContext<Runtime>): Promise<void>
}

/** A resource to back up unless a backup has started after `since`. */
export interface DueBackup {
  readonly tenant: string
  readonly id: string
  readonly since: Date
  readonly keepDays: number
}

/** A `Backup` for jobs of another service: with the job's lease and tenant, and the rest of the resource's service. */
export interface BoundBackup extends Backup {
  readonly service: string
}

/** Backups of all services on a node, by resource type. */
export function backupsOf(platform: Platform, services: readonly StartedService[]): [string, BoundBackup][] {
  return services.flatMap((service) =>
    (service.backups ?? []).map((backup): [string, BoundBackup] => {
      const { continuous } = backup
      const inside = (context: JobContext) => insideOf(platform, service, context)
      return [
        backup.type,
        {
          ...backup,
          service: service.name,
          read: (id, context) => backup.read(id, inside(context)),
          restore: (request, context) => backup.restore(request, inside(context)),
          remove: (id, context) => backup.remove(id, inside(context)),
          ...(continuous && {
            continuous: {
              ...continuous,
              begin: (request, context) => continuous.begin(request, inside(context)),
              readAt: (id, at, context) => continuous.readAt(id, at, inside(context)),
              end: (id, context) => continuous.end(id, inside(context)),
            },
          }),
        },
      ]
    }),
  )
}

function insideOf(
  { queue, clock, blobs }: Platform,
  { name, runtime }: StartedService,
  context: JobContext,
): JobContext {
  const blobsOf = (owner: string) => ownBlobs(blobs, name, owner)
  return {
    ...context,
    runtime,
    blobs: { ...blobsOf(context.tenant), of: blobsOf },
    async transaction<T>(work: Work<T>) {
      let touched: Iterable<string> = []
      const result = await context.transaction((db) => {
        const jobs = jobsIn(queue, db, name, context.tenant)
        touched = jobs.touched
        return work(db, jobs, resourcesIn(db, clock, name, context.tenant, jobs.touched))
      })
      queue.wake(touched)
      return result
    },
  }
}
