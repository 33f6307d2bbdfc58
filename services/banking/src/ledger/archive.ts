import type { Database } from '@icosa/kernel'
import { listPartitions, type Partition, partitioned, rewritePartition } from './partitions-store.ts'

export interface ArchiveOptions {
  /** They stay where they are without one. */
  readonly tablespace?: string | undefined
  readonly onProgress?: (done: number, all: number, partition: Partition) => void
}

export const everyPartition = async (database: Database) =>
  (await Promise.all(partitioned.map((one) => listPartitions(database, one)))).flat()

/** Sorts closed partitions by account, and moves them to another disk if one is named. Answers how many there were. */
export async function archive(database: Database, { tablespace, onProgress }: ArchiveOptions = {}): Promise<number> {
  const isElsewhere = (one: Partition) => tablespace !== undefined && one.tablespace !== tablespace
  const closed = (await everyPartition(database)).filter((one) => one.isClosed && (isElsewhere(one) || !one.isSorted))
  for (const [nth, partition] of closed.entries()) {
    await database.transaction((db) => rewritePartition(db, partition, tablespace))
    onProgress?.(nth + 1, closed.length, partition)
  }
  return closed.length
}
