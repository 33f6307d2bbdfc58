import { type OnStop, type Platform, semaphore } from '@icosa/kernel'
import { openSqlHost, type SqlHost } from './host/host.ts'
import { type Folders, foldersIn } from './recovery/recover.ts'
import type { SqlSettings } from './settings.ts'
import { type Receiver, startReceiver } from './wal-archive/receiver.ts'

/** What a node holds for SQL databases. */
export interface ServiceRuntime {
  /** The SQL host, with the places that the node has on it; refuses where there is none. */
  readonly host: () => SqlHost
  /** WAL receiver, started by a job where archiving is configured. */
  readonly receiver: Receiver | undefined
  /** For copies of the SQL host. */
  readonly folders: Folders
  /** One copy of the SQL host is made at a time. */
  readonly copying: ReturnType<typeof semaphore>
}

export const startWith =
  (settings: SqlSettings) =>
  (platform: Platform, onStop: OnStop): ServiceRuntime => {
    const receiver = settings.archiveUrl === undefined ? undefined : startReceiver(platform, settings.archiveUrl)
    if (receiver) onStop(() => receiver.stop())
    return { host: openSqlHost(settings), receiver, folders: foldersIn(settings), copying: semaphore(1) }
  }
