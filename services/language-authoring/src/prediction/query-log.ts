import { randomUUID } from 'node:crypto'
import { type Platform, writeBehind } from '@icosa/kernel'
import * as store from './log-store.ts'
import type { Answering } from './published-store.ts'

export interface QueryLog {
  /** Counts a question, and keeps it where the caller lets it be kept. */
  note(answering: Answering, kept?: { readonly query: string; readonly answer: unknown }): void
  close(): Promise<void>
}

/** So many questions wait to be written at most; further ones are counted only. */
const maxWaiting = 5_000

/** Questions are written together, a moment later: a prediction writes nothing itself. */
export function openQueryLog({ database, clock, log }: Pick<Platform, 'database' | 'clock' | 'log'>): QueryLog {
  let hits = new Map<string, store.Hits>()
  let rows: store.NewLogged[] = []
  const behind = writeBehind({
    everyMs: 500,
    async write() {
      const [counted, logged] = [[...hits.values()], rows]
      hits = new Map()
      rows = []
      if (counted.length > 0) await database.transaction((db) => store.addHits(db, counted))
      if (logged.length > 0) await store.insert(database, logged)
    },
    onError: (error) => log.warn({ err: error }, 'questions could not be logged'),
  })

  return {
    note({ tenant, app, version, versionId }, kept) {
      hits.set(version, { tenant, app, version, hits: (hits.get(version)?.hits ?? 0) + 1 })
      if (kept && rows.length < maxWaiting)
        rows.push({ tenant, app, id: randomUUID(), versionId, createdAt: clock.now(), ...kept })
      behind.soon()
    },
    close: () => behind.flush(),
  }
}
