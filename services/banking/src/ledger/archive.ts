import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '@icosa/kernel'
import { listPartitions, type Partition, partitioned, rewritePartition } from './partitions-store.ts'

export interface ArchiveOptions {
  /** Without one, partitions stay where they are. */
  readonly tablespace?: string | undefined
  readonly onProgress?: (done: number, all: number, partition: Partition) => void
}

export const everyPartition = async (database: Database) =>
  (await Promise.all(partitioned.map((table) => listPartitions(database, table)))).flat()

const deadlockOrLockTimeout = ['40P01', '55P03']
const maxAttempts = 20

/** Payments lock the same tables in another order, so that an attempt may end in a deadlock: the next one may not. */
async function insistently(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!deadlockOrLockTimeout.includes((error as { code?: string }).code ?? '') || attempt === maxAttempts)
        throw error
      await sleep(Math.random() * 1_000)
    }
  }
}

/** Clusters closed partitions by account, and moves them to the tablespace, if any. Returns their number. */
export async function archive(database: Database, { tablespace, onProgress }: ArchiveOptions = {}): Promise<number> {
  const isElsewhere = (partition: Partition) => tablespace !== undefined && partition.tablespace !== tablespace
  const all = await everyPartition(database)
  const closed = all.filter((partition) => partition.isClosed && (isElsewhere(partition) || !partition.isSorted))
  for (const [nth, partition] of closed.entries()) {
    await insistently(() => database.transaction((db) => rewritePartition(db, partition, tablespace)))
    onProgress?.(nth + 1, closed.length, partition)
  }
  return closed.length
}
