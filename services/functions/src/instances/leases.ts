import { randomUUID } from 'node:crypto'
import type { Database } from '@icosa/kernel'
import type { Revision } from '../revision.ts'
import * as store from './store.ts'

/** Leases of this node's instances: rows that expire unless renewed, by which the cell counts instances of a revision. */
export interface Leases {
  /** Returns undefined if the cell is at the maximum; other nodes then see that this one waits. */
  acquire(revision: Revision, max: number): Promise<string | undefined>
  release(revision: Revision, id: string): Promise<void>
  /** Returns whether the instance may end without going below the minimum; if so, it no longer counts. */
  markEnding(revision: Revision, id: string): Promise<boolean>
  /** Number of instances in the cell that are not about to end. */
  countActive(revision: Revision): Promise<number>
  /** Returns the ids of lost leases, whose places other nodes may have taken. */
  renew(): Promise<string[]>
  /** Deletes leases of nodes that were killed. */
  sweep(): Promise<void>
  /** False if the revision serves. */
  retire(revision: Pick<Revision, 'tenant' | 'id'>): Promise<boolean>
  /** Returns which of this node's revisions are retired, and for which another node waits for a lease. */
  changes(revisions: readonly Revision[]): Promise<{ readonly retired: Set<string>; readonly contended: Set<string> }>
}

/** Without a database, a lease is left to expire. */
const ignore = () => {}

export function openLeases(database: Pick<Database, 'transaction' | 'run' | 'many' | 'one'>, node: string): Leases {
  const leases = new Map<string, store.LeaseKey>()
  const db = database as Database
  return {
    async acquire(revision, max) {
      const id = randomUUID()
      if (!(await database.transaction((db) => store.acquire(db, revision, id, node, max), revision.tenant)))
        return undefined
      leases.set(id, { tenant: revision.tenant, revision: revision.id, id })
      return id
    },
    async release({ tenant, id: revision }, id) {
      leases.delete(id)
      await store.release(db, { tenant, revision, id }).catch(ignore)
    },
    markEnding: ({ tenant, id: revision, minInstances }, id) =>
      database.transaction((db) => store.markEnding(db, { tenant, revision, id }, minInstances), tenant),
    countActive: (revision) => store.countActive(db, revision),
    async renew() {
      if (leases.size === 0) return []
      const expected = [...leases.values()]
      const renewed = await store.renew(db, expected)
      // A lease released in the meantime is not lost.
      return expected.flatMap(({ id }) => (renewed.has(id) || !leases.has(id) ? [] : id))
    },
    sweep: () => store.sweep(db),
    retire: (revision) => database.transaction((db) => store.retire(db, revision), revision.tenant),
    async changes(revisions) {
      const retired = await store.retiredAmong(
        db,
        revisions.map(({ id }) => id),
      )
      return { retired, contended: await store.contendedAmong(db, revisions, node) }
    },
  }
}
