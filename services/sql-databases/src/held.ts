import { type OnStop, type Platform, semaphore } from '@icosa/kernel'
import { type Receiver, startReceiver } from './archive/receiver.ts'
import { openSqlHost, type SqlHost } from './host/host.ts'
import { type Folders, foldersIn } from './recovery/recover.ts'
import type { SqlSettings } from './settings.ts'

/** What a node holds for SQL databases. */
export interface Held {
  /** The SQL host, with the places that the node has on it; refuses where there is none. */
  readonly host: () => SqlHost
  /** Receives the log of the SQL host, where that is archived and a job has asked for it. */
  readonly receiver: Receiver | undefined
  /** For copies of the SQL host. */
  readonly folders: Folders
  /** One copy of the SQL host is made at a time. */
  readonly copying: ReturnType<typeof semaphore>
}

export const startWith =
  (settings: SqlSettings) =>
  (platform: Platform, onStop: OnStop): Held => {
    const receiver = settings.archiveUrl === undefined ? undefined : startReceiver(platform, settings.archiveUrl)
    if (receiver) onStop(() => receiver.stop())
    return { host: openSqlHost(settings), receiver, folders: foldersIn(settings), copying: semaphore(1) }
  }
