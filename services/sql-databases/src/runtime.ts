import { type FairSemaphore, fairSemaphore, type OnStop, type Platform, semaphore } from '@icosa/kernel'
import { openStatements, type Statements } from '@icosa/statements'
import { openSqlHost, type SqlHost } from './host/host.ts'
import { type Folders, foldersIn } from './recovery/recover.ts'
import type { SqlSettings } from './settings.ts'
import { type Receiver, startReceiver } from './wal-archive/receiver.ts'

export interface ServiceRuntime {
  /** The SQL host, with a limited number of connections; throws if none is configured. */
  readonly host: () => SqlHost
  /** WAL receiver, started by a job where archiving is configured. */
  readonly receiver: Receiver | undefined
  /** Temporary folders for copies of the SQL host. */
  readonly folders: Folders
  /** Limits concurrent base backups to one. */
  readonly copying: ReturnType<typeof semaphore>
  /** Limits concurrent restores from the archive, each of which needs a copy of the host. */
  readonly restoring: FairSemaphore
  readonly statements: Statements
}

const maxRestores = 2

export const startWith =
  (settings: SqlSettings) =>
  (platform: Platform, onStop: OnStop): ServiceRuntime => {
    const receiver = settings.archiveUrl === undefined ? undefined : startReceiver(platform, settings.archiveUrl)
    if (receiver) onStop(() => receiver.stop())
    const statements = openStatements()
    return {
      host: openSqlHost(settings),
      receiver,
      folders: foldersIn(settings),
      copying: semaphore(1),
      restoring: fairSemaphore(maxRestores),
      statements,
    }
  }
