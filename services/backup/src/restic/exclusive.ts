import { type Database, lockName } from '@icosa/kernel'

/** Runs work on one node of the cell at a time, by name. */
export type Exclusively = <T>(name: string, work: () => Promise<T>) => Promise<T>

/**
 * Holds a lock in a transaction of its own, and thus a connection for as long as the work lasts: only for rare work of a
 * second or two.
 */
export const exclusivelyIn =
  (database: Database): Exclusively =>
  async (name, work) => {
    const [locked, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const transaction = database.transaction(async (db) => {
      await lockName(db, name)
      locked.resolve()
      await done.promise
    })
    transaction.catch(locked.reject)
    await locked.promise
    try {
      return await work()
    } finally {
      done.resolve()
      await transaction
    }
  }
