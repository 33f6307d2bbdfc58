import { openSqlHost, type SqlHost } from './host/host.ts'
import type { SqlSettings } from './settings.ts'

/** What a node holds for SQL databases. */
export interface Held {
  /** The SQL host, with the places that the node has on it; refuses where there is none. */
  readonly host: () => SqlHost
}

export const startWith = (settings: SqlSettings) => (): Held => ({ host: openSqlHost(settings) })
