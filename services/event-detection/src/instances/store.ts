import { type Db, empty, type Page, type ReadingDb, readPage, type Sql, sql } from '@icosa/kernel'
import type { PageQuery } from '../catalog/model-store.ts'
import { arrayOf, documentEnd, documents } from '../shapes/array.ts'

/** A detector or an alarm. */
export interface InstanceKey {
  readonly tenant: string
  readonly generation: string
  /** Empty if the model has no key. */
  readonly key: string
}
export interface Instance extends InstanceKey {
  readonly stateName: string
  readonly state: unknown
  readonly createdAt: Date
  readonly updatedAt: Date
}
/** An instance locked until the end of the transaction. */
export interface LockedInstance extends InstanceKey {
  readonly stateName: string
  readonly state: unknown
  /** `ctid`, stable while locked. */
  readonly row: string
}

const columns = sql`instance.tenant, instance.generation, instance.key, state_name as "stateName", state,
  created_at as "createdAt", updated_at as "updatedAt"`

const lockedColumns = sql`instance.tenant, instance.generation, instance.key, state_name as "stateName", state,
  instance.ctid::text as row`

const named = (keys: readonly InstanceKey[]) => sql`unnest(${arrayOf(keys.map(({ tenant }) => tenant))}::text[],
  ${arrayOf(keys.map(({ generation }) => generation))}::bigint[], ${arrayOf(keys.map(({ key }) => key))}::text[])
  as named(tenant, generation, key)`
const same = sql`instance.tenant = named.tenant and instance.generation = named.generation and instance.key = named.key collate "C"`

/** Locks existing instances, in a fixed order to prevent deadlocks. */
export async function lock(db: Db, keys: readonly InstanceKey[]): Promise<LockedInstance[]> {
  if (keys.length === 0) return []
  // Lateral join to force the index: the plan may be from when the table was empty.
  return db.many(sql`
    select locked.* from ${named(keys.toSorted(byName))} cross join lateral (
      select ${lockedColumns} from event_detection.instances as instance where ${same} limit 1 for update) as locked`)
}

const byName = (a: InstanceKey, b: InstanceKey) =>
  compare(a.tenant, b.tenant) || compare(Number(a.generation), Number(b.generation)) || compare(a.key, b.key)
const compare = <T>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0)

/** Locks instances of a tenant's partitions with expired timers, earliest first. */
export function lockDue(
  db: Db,
  tenant: string,
  partitions: readonly number[],
  now: Date,
  limit: number,
): Promise<LockedInstance[]> {
  return db.many(sql`
    select ${lockedColumns} from event_detection.instances as instance
    where tenant = ${tenant} and due_at <= ${now} and partition = any(${arrayOf(partitions)}::smallint[])
    order by due_at limit ${limit} for update`)
}

export interface InstanceUpdate extends InstanceKey {
  readonly partition: number
  readonly stateName: string
  readonly state: unknown
  /** Expiry of the next timer, in epoch milliseconds. */
  readonly dueAt: number | undefined
  /** `ctid` of the locked row; undefined if new. */
  readonly row: string | undefined
}

export async function write(db: Db, instances: readonly InstanceUpdate[], now: Date): Promise<void> {
  const existing = instances.filter(({ row }) => row !== undefined)
  const fresh = instances.filter(({ row }) => row === undefined)
  if (existing.length > 0) await update(db, existing, now)
  if (fresh.length > 0) await insert(db, fresh, now)
}

const changedColumns = (instances: readonly InstanceUpdate[]) => sql`
  ${arrayOf(instances.map(({ stateName }) => stateName))}::text[],
  string_to_array(${documents(instances.map(({ state }) => state))}, ${documentEnd}),
  ${arrayOf(instances.map(({ dueAt }) => dueAt))}::bigint[]`

/** Updates by `ctid`, without another index lookup. */
async function update(db: Db, instances: readonly InstanceUpdate[], now: Date): Promise<void> {
  const updated = await db.run(sql`
    update event_detection.instances as instance set state_name = written.state_name, state = written.state::json,
      due_at = to_timestamp(due / 1000.0), updated_at = ${now}
    from unnest(${arrayOf(instances.map(({ row }) => row))}::tid[], ${changedColumns(instances)})
      as written(row, state_name, state, due)
    where instance.ctid = written.row`)
  if (updated !== instances.length) throw new Error('Instances were changed although they were locked.')
}

async function insert(db: Db, instances: readonly InstanceUpdate[], now: Date): Promise<void> {
  await db.run(sql`
    insert into event_detection.instances
      (tenant, generation, key, partition, state_name, state, due_at, created_at, updated_at)
    select tenant, generation, key, partition, state_name, state::json, to_timestamp(due / 1000.0), ${now}, ${now}
    from unnest(${arrayOf(instances.map(({ tenant }) => tenant))}::text[],
      ${arrayOf(instances.map(({ generation }) => generation))}::bigint[],
      ${arrayOf(instances.map(({ key }) => key))}::text[],
      ${arrayOf(instances.map(({ partition }) => partition))}::smallint[], ${changedColumns(instances)})
      as written(tenant, generation, key, partition, state_name, state, due)`)
}

export async function remove(db: Db, keys: readonly InstanceKey[]): Promise<void> {
  if (keys.length === 0) return
  await db.run(sql`delete from event_detection.instances as instance using ${named(keys)} where ${same}`)
}

export function find(db: ReadingDb, { tenant, generation, key }: InstanceKey): Promise<Instance | undefined> {
  return db.maybe(sql`
    select ${columns} from event_detection.instances as instance
    where tenant = ${tenant} and generation = ${generation} and key = ${key}`)
}

export function list(
  db: ReadingDb,
  { tenant, generation }: Pick<InstanceKey, 'tenant' | 'generation'>,
  { stateName, nextToken, maxResults }: PageQuery & { readonly stateName?: string | undefined },
): Promise<Page<Omit<Instance, 'state'>>> {
  return readPage<Omit<Instance, 'state'>>(
    {
      limit: maxResults,
      token: nextToken,
      query: ['instances', tenant, generation, stateName],
      at: 'query/nextToken',
    },
    ({ key }) => [key],
    (after, limit) =>
      db.many(sql`
        select tenant, generation, key, state_name as "stateName", created_at as "createdAt", updated_at as "updatedAt"
        from event_detection.instances where tenant = ${tenant} and generation = ${generation}
          ${stateName === undefined ? empty : inState(tenant, generation, stateName)}
          ${after ? sql`and key > ${after[0]}` : empty}
        order by key limit ${limit}`),
  )
}

/** Expression of the index. */
const inState = (tenant: string, generation: string, stateName: string) =>
  sql`and tenant || ' ' || generation::text || ' ' || state_name = ${`${tenant} ${generation} ${stateName}`}`

/** Timers of a tenant: whether one is due, and the next one. */
export interface TimersOf {
  readonly tenant: string
  readonly isDue: boolean
  readonly next: Date | null
}

const firstTimer = (after: Sql) => sql`
  select tenant, due_at from event_detection.instances
  where due_at is not null and tenant > ${after} order by tenant, due_at limit 1`

/** The first timer of each tenant, by a loose index scan. */
const firstTimers = sql`
  with recursive timer(tenant, due_at) as (
    (${firstTimer(sql`''`)}) union all
    select next.tenant, next.due_at from timer cross join lateral (${firstTimer(sql`timer.tenant`)}) as next
  )`

/** Selects a row if any timer is due until then. */
export const anyTimerDue = (until: Date) => sql`${firstTimers} select from timer where due_at <= ${until}`

export function timersByTenant(db: ReadingDb, now: Date): Promise<TimersOf[]> {
  return db.many(sql`
    ${firstTimers}
    select tenant, due_at <= ${now} as "isDue", (
      select min(due_at) from event_detection.instances as instance
      where instance.tenant = timer.tenant and due_at > ${now}) as next
    from timer`)
}

/** Deletes a batch of instances of deleted models and older versions. Returns whether there may be more. */
export async function removeRetired(db: Db, now: Date, limit: number): Promise<boolean> {
  const removed = await db.run(sql`
    delete from event_detection.instances where (tenant, generation, key) in (
      select tenant, generation, key from event_detection.retired_generations
      join event_detection.instances using (tenant, generation) limit ${limit} for update of instances skip locked)`)
  if (removed > 0) return true
  // An earlier evaluation may still write one, so the row is kept for a while.
  await db.run(sql`
    delete from event_detection.retired_generations where retired_at < ${new Date(now.getTime() - 3_600_000)}`)
  return false
}
