import type { BoundBackup, Platform } from '@icosa/kernel'
import { openRestic, type Restic } from './restic/restic.ts'
import type { BackupSettings } from './settings.ts'

/** What a node holds for backups. */
export interface Held {
  readonly restic: Restic
  /** How resources are read and made again, by their types. */
  readonly backups: ReadonlyMap<string, BoundBackup>
}

export const startWith =
  (settings: BackupSettings) =>
  ({ backups }: Platform): Held => ({ restic: openRestic(settings), backups })
