import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, type Db, sql } from '../db.ts'
import { watchingBlockers } from './blockers.ts'
import { runConcurrent } from './concurrent.ts'
import { type Applied, concurrentStatements, hashOf, isConcurrent, type Migration, schemaOf } from './files.ts'

export interface MigrationProgress {
  readonly onApplied?: (applied: Applied) => void
  /** Describes in a sentence what a migration is waiting for. */
  readonly onWaiting?: (message: string) => void
}

export interface MigrationLimits {
  /** How long a statement may wait for a lock. Writes queue behind it that long. */
  readonly lockTimeoutMs: number
  readonly maxAttempts: number
  /** Pause after the first attempt; doubles up to the maximum. */
  readonly pauseMs: number
  readonly maxPauseMs: number
}

export const migrationLimits: MigrationLimits = {
  lockTimeoutMs: 2_000,
  maxAttempts: 30,
  pauseMs: 1_000,
  maxPauseMs: 15_000,
}

/**
 * Applies pending migrations, each in its own transaction or, by its name, outside one. One node at a time does so; the
 * others wait. An applied file must not change.
 *
 * Takes two connections, and a third to report lock holders.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[],
  progress: MigrationProgress = {},
  limits: MigrationLimits = migrationLimits,
): Promise<void> {
  await alone(database, progress, async () => {
    const applied = await appliedHashes(database)
    for (const migration of migrations) {
      if (isApplied(migration, applied.get(keyOf(migration)))) continue
      await apply({ database, migration, progress, limits })
      progress.onApplied?.(migration)
    }
  })
}

const keyOf = ({ owner, name }: Applied) => `${owner}/${name}`

const pollMs = 250

/** Not a prepared statement: its portal would keep a snapshot, and `create index concurrently` would wait for that. */
const tryLock = `set local idle_in_transaction_session_timeout = 0;
  select pg_try_advisory_xact_lock(hashtextextended('icosa migrations', 0)) as "isOurs"`

/**
 * Holds an advisory lock in an otherwise empty transaction. Other nodes poll instead of waiting in a statement: `create
 * index concurrently` would wait for that statement, and so for itself.
 */
async function alone(database: Database, { onWaiting }: MigrationProgress, work: () => Promise<void>): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const isDone = await database.transaction(async (lock) => {
      const [row] = await lock.script(tryLock)
      const { isOurs } = row as { isOurs: boolean }
      if (isOurs) await work()
      return isOurs
    })
    if (isDone) return
    if (attempt === 0) onWaiting?.('Another node is migrating this database: waiting for it.')
    await sleep(pollMs)
  }
}

async function appliedHashes(db: Db): Promise<ReadonlyMap<string, string>> {
  await db.script(`
    create schema if not exists icosa;
    create table if not exists icosa.migrations (
      owner text not null, name text not null, hash text not null, applied_at timestamptz not null default now(),
      primary key (owner, name))`)
  const rows = await db.many<Applied & { hash: string }>(sql`select owner, name, hash from icosa.migrations`)
  return new Map(rows.map((row) => [keyOf(row), row.hash]))
}

function isApplied(migration: Migration, hash: string | undefined): boolean {
  if (hash !== undefined && hash !== hashOf(migration.text))
    throw new Error(`${keyOf(migration)} was changed after it had been applied: put the change in a new file`)
  return hash !== undefined
}

interface Task {
  readonly database: Database
  readonly migration: Migration
  readonly progress: MigrationProgress
  readonly limits: MigrationLimits
}

async function apply(task: Task): Promise<void> {
  const { database, migration } = task
  const { owner, name, text } = migration
  const record = sql`insert into icosa.migrations (owner, name, hash) values (${owner}, ${name}, ${hashOf(text)})`
  if (isConcurrent(name)) {
    const tell = (description: string) => task.progress.onWaiting?.(`${keyOf(migration)}: ${description}.`)
    // No lock timeout: while such a statement waits, it blocks no writes.
    for (const statement of concurrentStatements(migration))
      await retrying(task, statement.text, () => runConcurrent(database, statement, tell))
    await database.run(record)
    return
  }
  const schema = schemaOf(owner)
  const script = `create schema if not exists "${schema}"; set local search_path to "${schema}"; ${text}`
  await retrying(task, script, () =>
    database.transaction(async (db) => {
      await db.run(record) // first, so that a concurrent attempt would wait here
      await db.script(`set local lock_timeout = ${task.limits.lockTimeoutMs}`)
      await db.script(script)
    }),
  )
}

const lockNotAvailable = '55P03'
const deadlockDetected = '40P01'

async function retrying(task: Task, statement: string, work: () => Promise<void>): Promise<void> {
  const { database, migration, limits } = task
  const tell = (message: string) => task.progress.onWaiting?.(`${keyOf(migration)}: ${message}`)
  let blockers = ''
  const onBlocked = (description: string) => {
    blockers = description
    tell(`${description}.`)
  }
  for (let attempt = 1; ; attempt++) {
    try {
      return await watchingBlockers(database, statement, onBlocked, work)
    } catch (error) {
      const { code = '' } = error as { readonly code?: string }
      if (code !== lockNotAvailable && code !== deadlockDetected) throw error
      if (attempt === limits.maxAttempts)
        throw new MigrationBlocked(
          `${keyOf(migration)} got no lock in ${attempt} attempts${blockers && `: ${blockers}`}. ` +
            'Nothing was applied. End the process that holds the lock, then run `icosa migrate` again.',
          { cause: error },
        )
      const pauseMs = Math.min(limits.pauseMs * 2 ** (attempt - 1), limits.maxPauseMs)
      tell(`no lock within ${limits.lockTimeoutMs} ms. Attempt ${attempt + 1} follows in ${pauseMs} ms.`)
      await sleep(pauseMs)
    }
  }
}

/** Other transactions held the locks of a migration for too long. */
export class MigrationBlocked extends Error {
  override readonly name = 'MigrationBlocked'
}
