import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, empty, raw, type Sql, sql } from './db/db.ts'
import { schemaOf } from './db/migration/files.ts'
import { type Job, type JobContext, job } from './jobs/jobs.ts'
import type { Service } from './service.ts'

/** Retention policy of each table in a schema: the age at which rows are deleted, or why it stays small. */
export type Retention = Readonly<Record<string, Aging | string>>

export interface Aging {
  /** Date or time of a row's age. Must lead an index: the oldest rows are deleted first. */
  readonly column: string
  readonly keepDays: number
  /** Restricts deletion, for example to completed work. */
  readonly where?: Sql
  /** The tenant's blob to delete with a row, named by some of its columns. */
  readonly blob?: { readonly of: readonly string[]; readonly key: (...of: string[]) => string }
}

/** The operator's retention periods, by table: `{ 'job_scheduler.history': 90 }`. */
export type KeepDays = Readonly<Record<string, number>>

export interface AgingTable extends Aging {
  /** Qualified with its schema. */
  readonly name: string
}

export const kernelRetention: Retention = {
  operations: {
    column: 'updated_at',
    keepDays: 7, // so that late pollers still learn the outcome
    where: sql`status in ('succeeded', 'failed', 'cancelled')`,
  },
  idempotent_replies: { column: 'created_at', keepDays: 1 },
  revocations: 'deleted by identity-connect once every token that they refuse has expired',
  signing_keys: 'a generation a month, deleted by identity-connect when no token of it is left',
  tenants: 'created by the operator',
  names: 'deleted together with the rows that have them',
  credentials: 'created by the operator, and still listed after they are revoked',
  subscriptions: 'bound once each',
  resources: 'deleted together with the rows that they reference',
  events: { column: 'created_at', keepDays: 1 },
  event_subscriptions: 'deleted together with their subscribers',
  jobs: 'deleted when they are completed',
  timers: 'deleted when they are due',
  leases: 'one for each thing that one worker does for all',
  schedules: 'one per recurring job',
  data_keys: 'one for every rotation of the master key',
  data_key_origin: 'one row',
  master_keys: 'one for every key of a token that ever kept one',
  clock: 'one row',
  fence: 'one row',
  tenant_key_use: 'one row',
  tenant_keys: 'two for each tenant, and one for each time it is rekeyed',
  tenant_states: 'one for each tenant that has left, or arrived from another cell',
  cell: 'one row',
  name_changes: 'deleted when the directory of cells has been told',
  operated: 'one row',
  migrations: 'one for every file',
}

/** Tables of these services and of the kernel with a retention period. */
export function agingTables(services: readonly Pick<Service, 'name' | 'retention'>[]): AgingTable[] {
  return [...services, { name: 'icosa', retention: kernelRetention }].flatMap(({ name, retention = {} }) =>
    Object.entries(retention).flatMap(([table, rule]) =>
      typeof rule === 'string' ? [] : [{ ...rule, name: `${schemaOf(name)}.${table}` }],
    ),
  )
}

const everyMs = 3_600_000

/**
 * Adds a job to every service that deletes expired rows of its tables and the kernel's, since a cell may run any subset
 * of services.
 */
export function withPruning<S extends Service>(services: readonly S[], keepDays: KeepDays = {}): S[] {
  return services.map((service) => {
    const tables = agingTables([service]).map((table) => ({
      ...table,
      keepDays: keepDays[table.name] ?? table.keepDays,
    }))
    const prune = pruneJob(tables)
    return {
      ...service,
      jobs: [...(service.jobs ?? []), prune, pruneBlobs],
      schedules: [...(service.schedules ?? []), { job: prune, everyMs }],
    }
  })
}

const dayMs = 86_400_000
const batch = 1_000
const blobsPerJob = 100
/** Short, since shutdown waits for it. */
const turnMs = 1_000

/** Where a turn resumes. A schedule starts with the first table. */
interface Turn {
  readonly table?: number
  readonly from?: string
  /** When the schedule fires again, so that older turns end. */
  readonly until?: string
}

/** Sleeps as long as it works, and yields its slot after every turn. */
function pruneJob(tables: readonly AgingTable[]): Job<Turn> {
  const prune: Job<Turn> = job<Turn>('prune', {
    async run({ table: first = 0, from: begin, until }, context) {
      const { clock } = context
      const over = until ? new Date(until) : new Date(clock.now().getTime() + everyMs)
      const endsAtMs = performance.now() + turnMs
      for (const [number, table] of tables.entries()) {
        if (number < first) continue
        let from = number === first && begin ? new Date(begin) : undefined
        do {
          const beganMs = performance.now()
          from = await pruneSome(context, table, from)
          await sleep(performance.now() - beganMs)
          if (!from || performance.now() < endsAtMs) continue
          if (clock.now() >= over) return
          const next = { table: number, from: from.toISOString(), until: over.toISOString() }
          return (_, jobs) => jobs.enqueue(prune, next)
        } while (from)
      }
    },
  })
  return prune
}

/** Deletes one batch of expired rows, oldest first. Returns where to resume, or undefined when done. */
async function pruneSome(
  { transaction, clock }: JobContext,
  table: AgingTable,
  from: Date | undefined,
): Promise<Date | undefined> {
  const before = new Date(clock.now().getTime() - table.keepDays * dayMs)
  const deletedRows = await transaction(async (db, jobs) => {
    if (!(await prepare(db, table))) return []
    const rows = await db.many<{ at: Date; tenant: string; of: string[] }>(pruning(table, from, before))
    for (const [tenant, its] of Map.groupBy(table.blob ? rows : [], (row) => row.tenant)) {
      const keys = its.flatMap(({ of }) => table.blob?.key(...of) ?? [])
      for (let first = 0; first < keys.length; first += blobsPerJob)
        await jobs.enqueue(pruneBlobs, { keys: keys.slice(first, first + blobsPerJob) }, { tenant })
    }
    return rows
  })
  return deletedRows.length < batch
    ? undefined
    : deletedRows.reduce((latest, row) => (row.at > latest.at ? row : latest)).at
}

/** Returns false if another worker is pruning this table. */
export async function prepare(db: Db, { name }: AgingTable): Promise<boolean> {
  // Without statistics, such as before the first ANALYZE, the planner would read and sort all expired rows.
  const { alone } = await db.one<{ alone: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtextextended(${`prune ${name}`}, 0)) as alone,
      set_config('enable_sort', 'off', true), set_config('enable_seqscan', 'off', true)`)
  return alone
}

/** Resumes at `from`: before it there may be dead rows still visible to a long transaction. */
export function pruning({ name, column, where, blob }: AgingTable, from: Date | undefined, before: Date): Sql {
  const [table, at] = [raw(name), raw(column)]
  return sql`
    delete from ${table} where ctid = any(array(
      select ctid from ${table} where ${at} < ${before} ${from ? sql`and ${at} >= ${from}` : empty}
        ${where ? sql`and ${where}` : empty}
      order by ${at} limit ${raw(String(batch))} for update skip locked))
    returning ${at}::timestamptz as at ${blob ? sql`, tenant, array[${raw(blob.of.map((column) => `${column}::text`).join())}] as of` : empty}`
}

/** Blobs are deleted after their rows, even if the store is down for days. */
const pruneBlobs = job<{ readonly keys: readonly string[] }>('pruneBlobs', {
  retries: 100,
  async run({ keys }, { blobs }) {
    for (const key of keys) await blobs.delete(key)
  },
})
