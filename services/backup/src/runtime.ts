import { type Send, startSending } from '@icosa/delivery'
import type { BoundBackup, OnStop, Platform, Preparation, SubscriptionRule } from '@icosa/kernel'
import { exclusivelyIn } from './restic/exclusive.ts'
import { openRestic, type Restic } from './restic/restic.ts'
import type { BackupSettings } from './settings.ts'

/** What a node holds for backups. */
export interface ServiceRuntime {
  readonly restic: Restic
  /** How resources are read and made again, by their types. */
  readonly backups: ReadonlyMap<string, BoundBackup>
  readonly send: Send
  /** Who gives subscriptions to tenants: resources are restored into those of their tenant alone. */
  readonly subscriptions: SubscriptionRule
  /** Where notices go; undefined: into the log. */
  readonly eventsUrl: string | undefined
}

export const startWith =
  (settings: BackupSettings) =>
  (platform: Platform, onStop: OnStop): ServiceRuntime => ({
    restic: openRestic(settings, exclusivelyIn(platform.database)),
    backups: platform.backups,
    subscriptions: platform.subscriptions.rule,
    send: startSending(platform, onStop).send,
    eventsUrl: settings.eventsUrl,
  })

/** A job that nobody could do is refused, and not only recorded as failed. */
export const demandRestic = (_: unknown, { runtime }: Preparation<ServiceRuntime>): Promise<void> =>
  runtime.restic.demandInstalled()
