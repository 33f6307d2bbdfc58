import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, type Db, type ReadingDb, sql } from '@icosa/kernel'
import pg from 'pg'
import type { MovedTable } from './tables.ts'

/** Of publications, subscriptions and slots. Slots of all databases of a server have different names. */
export const namePattern = '^icosa_(move|back)_[0-9a-f]+$'

const lockNotAvailable = '55P03'
const objectInUse = '55006'
const maxAttempts = 100

/** Retries what needs a table or slot for itself, for a moment. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await work()
    } catch (error) {
      const { code } = error as { code?: string }
      if ((code !== lockNotAvailable && code !== objectInUse) || attempt === maxAttempts) throw error
      await sleep(50)
    }
}

/** Transactions that wait behind it wait no longer than the timeout. */
const alter = (database: Database, script: string) =>
  patiently(() =>
    database.transaction(async (db) => {
      await db.script(`set local lock_timeout = 200; ${script}`)
    }),
  )

/** Publishes a tenant's rows. An older publication of the same name is replaced. */
export async function publish(database: Database, name: string, tables: readonly MovedTable[]): Promise<void> {
  await setIdentity(database, tables, 'full')
  const parts = tables
    .filter(({ isCopiedLast, isCarried }) => !isCopiedLast && !isCarried)
    .map((table) => `${table.name} where (${table.filter})`)
  await alter(
    database,
    `drop publication if exists ${name};
    create publication ${name} for table ${parts.join(', ')} with (publish_via_partition_root = true)`,
  )
}

/** Drops it, and restores what updates and deletions log, once no other tenant moves. */
export async function unpublish(database: Database, name: string, tables: readonly MovedTable[]): Promise<void> {
  await alter(database, `drop publication if exists ${name}`)
  const others = await database.many(sql`select from pg_publication where pubname ~ ${namePattern}`)
  if (others.length === 0) await setIdentity(database, tables, 'default')
}

async function setIdentity(
  database: Database,
  tables: readonly MovedTable[],
  identity: 'full' | 'default',
): Promise<void> {
  const names = tables.filter(({ needsFullIdentity }) => needsFullIdentity).map(({ name }) => name)
  const others = await database.many<{ name: string }>(sql`
    select name from unnest(${names}::text[]) as name
    where (select relreplident from pg_class where oid = name::regclass) <> ${identity === 'full' ? 'f' : 'd'}`)
  for (const { name } of others) await alter(database, `alter table ${name} replica identity ${identity}`)
}

/** Creates a slot, and lets `work` read the rows from before it in a snapshot. */
export async function createSlot(url: string, name: string, work: (snapshot: string) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url, replication: 'database' } as pg.ClientConfig)
  client.on('error', () => {}) // the statement under way fails
  await client.connect()
  try {
    const { rows } = await client.query(`CREATE_REPLICATION_SLOT ${name} LOGICAL pgoutput (SNAPSHOT 'export')`)
    await work(rows[0].snapshot_name)
  } finally {
    await client.end()
  }
}

const queryCanceled = '57014'
const slotWaitMs = 2_000

/** Creates a slot without a snapshot, unless there is one. False if transactions that began before it have not ended yet. */
export async function ensureSlot(database: Database, name: string): Promise<boolean> {
  if (await database.maybe(sql`select from pg_replication_slots where slot_name = ${name} and wal_status = 'lost'`))
    await dropSlot(database, name)
  try {
    await database.transaction(async (db) => {
      await db.script(`set local statement_timeout = ${slotWaitMs}`)
      await db.run(sql`
        select pg_create_logical_replication_slot(${name}, 'pgoutput')
        where not exists (select from pg_replication_slots where slot_name = ${name})`)
    })
    return true
  } catch (error) {
    if ((error as { code?: string }).code === queryCanceled) return false
    throw error
  }
}

/** Skips what was written so far. */
export const skipToEnd = (db: Db, name: string) =>
  patiently(() => db.run(sql`select pg_replication_slot_advance(${name}, pg_current_wal_flush_lsn())`))

export const dropSlot = (db: Db, name: string) =>
  patiently(() =>
    db.run(sql`select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = ${name}`),
  )

/**
 * Follows a slot that exists, of tables whose rows have been copied. The slot is created and dropped separately, as both
 * databases may be on one server, where the statement would wait for itself.
 */
export async function subscribe(db: Db, name: string, sourceUrl: string): Promise<void> {
  if (await hasSubscription(db, name)) return
  await db.script(`
    create subscription ${name} connection ${pg.escapeLiteral(sourceUrl)} publication ${name}
    with (create_slot = false, copy_data = false, disable_on_error = true, synchronous_commit = off)`)
}

export const hasSubscription = async (db: ReadingDb, name: string) =>
  (await db.maybe(sql`
    select from pg_subscription where subname = ${name}
      and subdbid = (select oid from pg_database where datname = current_database())`)) !== undefined

export async function unsubscribe(db: Db, name: string): Promise<void> {
  if (!(await hasSubscription(db, name))) return
  // In one transaction: a subscription that exists is enabled, unless a row could not be applied.
  await db.script(`
    alter subscription ${name} disable;
    alter subscription ${name} set (slot_name = none);
    drop subscription ${name}`)
}

/** False after any error, such as a row that cannot be applied or a broken connection: the subscription has disabled itself. */
export const isApplying = async (db: ReadingDb, name: string): Promise<boolean> =>
  (await db.maybe(sql`select from pg_subscription where subname = ${name} and subenabled`)) !== undefined

export const resume = (db: Db, name: string) => db.script(`alter subscription ${name} enable`)

export interface SlotState {
  /** Whether everything up to a position has been applied, though perhaps not flushed. */
  readonly isThere: boolean
  /** What the server keeps for it. */
  readonly keptBytes: number
  readonly isLost: boolean
}

export const slotState = (db: ReadingDb, name: string, position: string): Promise<SlotState | undefined> =>
  db.maybe(sql`
    select coalesce(greatest(confirmed_flush_lsn, replay_lsn) >= ${position}::pg_lsn, false) as "isThere",
      pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::float8 as "keptBytes",
      coalesce(wal_status in ('lost', 'unreserved'), false) as "isLost"
    from pg_replication_slots left join pg_stat_replication on pid = active_pid where slot_name = ${name}`)

/** Position after everything that was committed, which is then flushed: a message is logged after it. */
export async function currentPosition(database: Database): Promise<string> {
  await database.transaction(async (db) => {
    await db.script(`set local synchronous_commit = local; select pg_logical_emit_message(true, 'icosa', 'position')`)
  })
  const { position } = await database.one<{ position: string }>(
    sql`select pg_current_wal_flush_lsn()::text as position`,
  )
  return position
}
