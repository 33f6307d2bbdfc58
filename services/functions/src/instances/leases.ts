import { randomUUID } from 'node:crypto'
import type { Database } from '@icosa/kernel'
import type { Revision } from '../revision.ts'
import * as store from './store.ts'

/** The instances of this node, as the whole cell counts them. */
export interface Leases {
  /** Undefined if there are as many as there may be; then the others are told that somebody waits. */
  take(revision: Revision, max: number): Promise<string | undefined>
  /** Once it is gone. */
  release(revision: Revision, id: string): Promise<void>
  /** Whether an instance may end because enough others stay. */
  leave(revision: Revision, id: string): Promise<boolean>
  staying(revision: Revision): Promise<number>
  /** Answers which are lost: others may have taken their place. */
  renew(): Promise<string[]>
  /** Deletes those of nodes that were killed. */
  sweep(): Promise<void>
  retire(revisionId: string): Promise<void>
  /** Of revisions of this node: which were retired, and for which instances another node waits. */
  news(revisions: readonly Revision[]): Promise<{ readonly retired: Set<string>; readonly awaited: Set<string> }>
}

/** The rest is left to expiry, when there is no database to say it to. */
const forget = () => {}

export function openLeases(database: Pick<Database, 'transaction' | 'run' | 'many' | 'one'>, node: string): Leases {
  const held = new Map<string, store.LeaseKey>()
  const db = database as Database
  return {
    async take(revision, max) {
      const id = randomUUID()
      if (!(await database.transaction((db) => store.take(db, revision, id, node, max)))) return undefined
      held.set(id, { tenant: revision.tenant, revision: revision.id, id })
      return id
    },
    async release({ tenant, id: revision }, id) {
      held.delete(id)
      await store.release(db, { tenant, revision, id }).catch(forget)
    },
    leave: ({ tenant, id: revision, minInstances }, id) =>
      database.transaction((db) => store.leave(db, { tenant, revision, id }, minInstances)),
    staying: (revision) => store.staying(db, revision),
    async renew() {
      if (held.size === 0) return []
      const asked = [...held.values()]
      const still = await store.renew(db, asked)
      // One that was released in the meantime is not lost.
      return asked.flatMap(({ id }) => (still.has(id) || !held.has(id) ? [] : id))
    },
    sweep: () => store.sweep(db),
    retire: (revisionId) => store.retire(db, revisionId),
    async news(revisions) {
      const retired = await store.retiredAmong(
        db,
        revisions.map(({ id }) => id),
      )
      return { retired, awaited: await store.awaitedAmong(db, revisions, node) }
    },
  }
}
