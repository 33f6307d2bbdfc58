import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, sql } from '../db.ts'
import type { ConcurrentStatement } from './files.ts'

const pollMs = 250

/**
 * Runs one statement of a `*.concurrent.sql`. Safe to repeat after a crash: a valid index is kept, one that another
 * process is building is awaited, and an invalid one is rebuilt.
 */
export async function runConcurrent(
  db: Db,
  { text, index }: ConcurrentStatement,
  onWaiting: (description: string) => void,
): Promise<void> {
  if (index === undefined) return void (await db.script(text))
  const drop = () => db.script(`drop index concurrently if exists ${index}`)
  for (let isReported = false; ; await sleep(pollMs)) {
    const { isValid, builder } = await stateOf(db, index)
    if (isValid) return
    if (builder === null) break
    if (!isReported) onWaiting(`process ${builder} still builds ${index}`)
    isReported = true
  }
  await drop()
  try {
    await db.script(text)
  } catch (error) {
    await drop().catch(() => {}) // an invalid unique index would still reject writes
    throw error
  }
}

interface IndexState {
  readonly isValid: boolean | null
  /** Backend that is building it, possibly for a client that has disconnected. */
  readonly builder: number | null
}

const stateOf = (db: Db, index: string) =>
  db.one<IndexState>(sql`
    select
      (select indisvalid from pg_index where indexrelid = to_regclass(${index})) as "isValid",
      (select pid from pg_stat_progress_create_index where index_relid = to_regclass(${index}) limit 1) as builder`)
