import type { Database } from '@icosa/kernel'
import { listPartitions, type Partition, partitioned, rewritePartition } from './partitions-store.ts'

export interface ArchiveOptions {
  /** Without one, partitions stay where they are. */
  readonly tablespace?: string | undefined
  readonly onProgress?: (done: number, all: number, partition: Partition) => void
}

export const everyPartition = async (database: Database) =>
  (await Promise.all(partitioned.map((table) => listPartitions(database, table)))).flat()

/** Clusters closed partitions by account, and moves them to the tablespace, if any. Returns their number. */
export async function archive(database: Database, { tablespace, onProgress }: ArchiveOptions = {}): Promise<number> {
  const isElsewhere = (partition: Partition) => tablespace !== undefined && partition.tablespace !== tablespace
  const all = await everyPartition(database)
  const closed = all.filter((partition) => partition.isClosed && (isElsewhere(partition) || !partition.isSorted))
  for (const [nth, partition] of closed.entries()) {
    await database.transaction((db) => rewritePartition(db, partition, tablespace))
    onProgress?.(nth + 1, closed.length, partition)
  }
  return closed.length
}
