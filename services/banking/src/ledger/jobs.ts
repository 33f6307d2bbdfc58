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

/** Of 25 million transactions: 3 GB of postings. Fewer are more to look at for whoever asks, more are too large to move. */
export const defaultTransactions = 25_000_000
/** At 10,000 payments a second a partition is full after forty minutes. */
const ahead = 3

type InTransaction = <T>(work: (db: Db) => Promise<T>) => Promise<T>

/** Adds partitions before they are needed, and closes those that are full. */
export const keepPartitions = job<object>('keepPartitions', {
  run: (_, { transaction }) => tendPartitions((work) => transaction(work), defaultTransactions),
})

export async function tendPartitions(inTransaction: InTransaction, transactions: number): Promise<void> {
  for (const one of partitioned) {
    const { all, last } = await extendOne(inTransaction, one, transactions)
    const isFull = ({ until }: Partition) => last >= until + (transactions * one.perTransaction) / 2
    for (const full of all.filter(isFull)) await close(inTransaction, full)
  }
}

/** Partitions for what is to come. */
export async function extend(inTransaction: InTransaction, transactions: number): Promise<void> {
  for (const one of partitioned) await extendOne(inTransaction, one, transactions)
}

/** Answers what was there before: of what is added, nothing is full. */
async function extendOne(inTransaction: InTransaction, one: Partitioned, transactions: number) {
  const size = transactions * one.perTransaction
  const found = await inTransaction(async (db) => ({ all: await listPartitions(db, one), last: await lastId(db, one) }))
  let end = endOf(found.all)
  while (end < found.last + ahead * size) end = await inTransaction((db) => addNext(db, one, end, size))
  return found
}

const endOf = (all: readonly Partition[]) => all.at(-1)?.until ?? 0

/** Workers that began at the same moment take turns, and see what the one before has done. */
async function ourTurn(db: Db, { table }: Pick<Partitioned, 'table'>): Promise<Partition[]> {
  await lockName(db, `banking partitions ${table}`)
  return listPartitions(db, { table })
}

/** Answers where the partitions end then. */
async function addNext(db: Db, one: Partitioned, from: number, size: number): Promise<number> {
  const end = endOf(await ourTurn(db, one))
  if (end > from) return end
  await addPartition(db, one, from, from + size)
  return from + size
}

/**
 * Half a partition later, nobody who was given an id of this one can still be about to write it; if somebody is, the payment is
 * refused, and the books stay as they were closed.
 */
async function close(inTransaction: InTransaction, full: Partition): Promise<void> {
  if (!full.isClosed)
    await inTransaction(async (db) => {
      const now = (await ourTurn(db, full)).find(({ name }) => name === full.name)
      if (!now?.isClosed) await closePartition(db, full)
    })
  if (full.table === 'ledger_postings')
    await inTransaction(async (db) => {
      await ourTurn(db, full)
      await writeClosing(db, full)
    })
}
