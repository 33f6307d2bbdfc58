import { randomUUID } from 'node:crypto'
import { type Platform, writeBehind } from '@icosa/kernel'
import * as store from './log-store.ts'
import type { Answering } from './published-store.ts'

export interface QueryLog {
  /** Counts a query, and logs the entry, if there is one. */
  record(answering: Answering, entry?: { readonly query: string; readonly answer: unknown }): void
  close(): Promise<void>
}

/** Queries waiting to be written; further ones are only counted. */
const maxWaiting = 5_000

/** Write-behind: a prediction itself writes nothing. */
export function openQueryLog({ database, clock, log }: Pick<Platform, 'database' | 'clock' | 'log'>): QueryLog {
  let hits = new Map<string, store.Hits>()
  let rows: store.NewLoggedQuery[] = []
  const behind = writeBehind({
    everyMs: 500,
    async write() {
      const [counted, logged] = [[...hits.values()], rows]
      hits = new Map()
      rows = []
      if (counted.length > 0) await database.transaction((db) => store.addHits(db, counted))
      if (logged.length > 0) await store.insert(database, logged)
    },
    onError: (error) => log.warn({ err: error }, 'queries could not be logged'),
  })

  return {
    record({ tenant, app, version, versionId }, entry) {
      hits.set(version, { tenant, app, version, hits: (hits.get(version)?.hits ?? 0) + 1 })
      if (entry && rows.length < maxWaiting)
        rows.push({ tenant, app, id: randomUUID(), versionId, createdAt: clock.now(), ...entry })
      behind.soon()
    },
    close: () => behind.flush(),
  }
}
