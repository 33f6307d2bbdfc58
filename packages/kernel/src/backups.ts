import type { Readable } from 'node:stream'
import { ownBlobs } from './blobs.ts'
import type { ReadingDb } from './db/db.ts'
import type { JobContext, Work } from './jobs/jobs.ts'
import { jobsIn } from './jobs/queue.ts'
import type { Platform } from './platform.ts'
import { resourcesIn } from './resources.ts'
import type { StartedService } from './service.ts'

/** What a restore is told about the place of what it makes, and what was true of the original. */
export type RestoreMetadata = Readonly<Record<string, string>>

/** One resource as it was at one moment. */
export interface BackupSource {
  /** Ends if it is whole, and fails otherwise. Whoever got it reads it to its end or destroys it. */
  readonly content: Readable
  /** With which a restore makes the same again. */
  readonly metadata: RestoreMetadata
}

export interface RestoreRequest {
  /** Stays the same when a worker was killed and another one tries again: what the first one began is the second one's. */
  readonly id: string
  /** What was backed up: its id, or an ARN that ends in it. Unlike the metadata, no caller has a say in it. */
  readonly from: string
  readonly metadata: RestoreMetadata
  readonly content: Readable
  readonly tags: Readonly<Record<string, string>>
}

/** How resources of one type are backed up: what a service's manifest says to the service that does it. */
export interface Backup<Held = unknown> {
  /** As it is in the registry. */
  readonly type: string
  read(id: string, context: JobContext<Held>): Promise<BackupSource>
  /** Makes one, registers it and answers its id; leaves nothing behind if it fails. */
  restore(request: RestoreRequest, context: JobContext<Held>): Promise<string>
  /** With what one is restored only to be tried: the same, under a name that nothing else has. */
  trial(metadata: RestoreMetadata, id: string): RestoreMetadata
  /** Removes what a restore was only to try. */
  remove(id: string, context: JobContext<Held>): Promise<void>
  /** Which of them, of all tenants, want a backup now by their own settings. */
  due?(db: ReadingDb, now: Date): Promise<readonly DueBackup[]>
  /** How they are kept at every moment, for those who know how that looks: `@icosa/module/continuous`. */
  readonly continuous?: unknown
}

/** A resource that wants a backup unless one was begun since then. */
export interface DueBackup {
  readonly tenant: string
  readonly id: string
  readonly since: Date
  readonly keepDays: number
}

/** The same for a job of another service: its claim and its tenant, and the rest is that of the resource's service. */
export interface BoundBackup extends Backup {
  readonly service: string
  inside(context: JobContext): JobContext
}

/** Of all services on a node, by type. */
export function backupsOf(platform: Platform, services: readonly StartedService[]): [string, BoundBackup][] {
  return services.flatMap((service) =>
    (service.backups ?? []).map((backup): [string, BoundBackup] => {
      const inside = (context: JobContext) => insideOf(platform, service, context)
      return [
        backup.type,
        {
          ...backup,
          service: service.name,
          inside,
          read: (id, context) => backup.read(id, inside(context)),
          restore: (request, context) => backup.restore(request, inside(context)),
          remove: (id, context) => backup.remove(id, inside(context)),
        },
      ]
    }),
  )
}

function insideOf({ queue, clock, blobs }: Platform, { name, held }: StartedService, context: JobContext): JobContext {
  const blobsOf = (owner: string) => ownBlobs(blobs, name, owner)
  return {
    ...context,
    held,
    blobs: { ...blobsOf(context.tenant), of: blobsOf },
    async transaction<T>(work: Work<T>) {
      let touched: Iterable<string> = []
      const result = await context.transaction((db) => {
        const jobs = jobsIn(queue, db, name, context.tenant)
        touched = jobs.touched
        return work(db, jobs, resourcesIn(db, clock, name, context.tenant))
      })
      queue.wake(touched)
      return result
    },
  }
}
