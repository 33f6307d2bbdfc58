import { type Send, startSending } from '@icosa/delivery'
import type { BoundBackup, OnStop, Platform, Preparation, SubscriptionRule } from '@icosa/kernel'
import { exclusivelyIn } from './restic/exclusive.ts'
import { openRestic, type Restic } from './restic/restic.ts'
import type { BackupSettings } from './settings.ts'

export interface ServiceRuntime {
  readonly restic: Restic
  /** How resources are read and restored, by type. */
  readonly backups: ReadonlyMap<string, BoundBackup>
  readonly send: Send
  /** Who assigns subscriptions to tenants: resources are only restored into their tenant's. */
  readonly subscriptions: SubscriptionRule
  /** Where notices are sent; undefined: to the log. */
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

/** Rejects a job that no worker could run, instead of only recording it as failed. */
export const demandRestic = (_: unknown, { runtime }: Preparation<ServiceRuntime>): Promise<void> =>
  runtime.restic.demandInstalled()
