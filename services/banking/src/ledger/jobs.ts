import { type Db, job, lockName } from '@icosa/kernel'
import {
  addPartition,
  closePartition,
  lastId,
  listPartitions,
  type Partition,
  type Partitioned,
  partitioned,
  writeClosing,
} from './partitions-store.ts'

/** Per partition: 3 GB of postings. Smaller partitions slow down reads, larger ones are hard to move. */
export const defaultTransactions = 25_000_000
/** Spare partitions: at 10,000 payments a second, one is full after forty minutes. */
const spare = 3

type InTransaction = <T>(work: (db: Db) => Promise<T>) => Promise<T>

/** Adds partitions before they are needed, and closes full ones. */
export const keepPartitions = job<object>('keepPartitions', {
  run: (_, { transaction }) => maintainPartitions((work) => transaction(work), defaultTransactions),
})

export async function maintainPartitions(inTransaction: InTransaction, transactions: number): Promise<void> {
  for (const table of partitioned) {
    const { all, last } = await extendTable(inTransaction, table, transactions)
    const isFull = ({ until }: Partition) => last >= until + (transactions * table.perTransaction) / 2
    for (const full of all.filter(isFull)) await close(inTransaction, full)
  }
}

export async function extend(inTransaction: InTransaction, transactions: number): Promise<void> {
  for (const table of partitioned) await extendTable(inTransaction, table, transactions)
}

/** Returns the partitions before the call: added ones are not full. */
async function extendTable(inTransaction: InTransaction, table: Partitioned, transactions: number) {
  const size = transactions * table.perTransaction
  const before = await inTransaction(async (db) => ({
    all: await listPartitions(db, table),
    last: await lastId(db, table),
  }))
  let end = endOf(before.all)
  while (end < before.last + spare * size) end = await inTransaction((db) => addNext(db, table, end, size))
  return before
}

const endOf = (all: readonly Partition[]) => all.at(-1)?.until ?? 0

/** Serializes workers, and returns the partitions that the previous one left. */
async function lockPartitions(db: Db, { table }: Pick<Partitioned, 'table'>): Promise<Partition[]> {
  await lockName(db, `banking partitions ${table}`)
  return listPartitions(db, { table })
}

/** Returns the new end of the partitions. */
async function addNext(db: Db, table: Partitioned, from: number, size: number): Promise<number> {
  const end = endOf(await lockPartitions(db, table))
  if (end > from) return end
  await addPartition(db, table, from, from + size)
  return from + size
}

/**
 * Half a partition later, no transaction with an id of this one can still be in progress. If one is, its payment is rejected,
 * and the books stay closed.
 */
async function close(inTransaction: InTransaction, full: Partition): Promise<void> {
  if (!full.isClosed)
    await inTransaction(async (db) => {
      const current = (await lockPartitions(db, full)).find(({ name }) => name === full.name)
      if (!current?.isClosed) await closePartition(db, full)
    })
  if (full.table === 'ledger_postings')
    await inTransaction(async (db) => {
      await lockPartitions(db, full)
      await writeClosing(db, full)
    })
}
