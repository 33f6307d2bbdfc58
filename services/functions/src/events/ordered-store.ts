import { type Db, type Sql, sql } from '@icosa/kernel'
import type { Place } from '../functions/store.ts'
import type { DeliveryKey } from './store.ts'

export interface OrderedKey extends DeliveryKey {
  readonly orderingKey?: string | null | undefined
}

const columnsOf = (tenant: string, rows: readonly OrderedKey[]) => sql`
  (select ${tenant}::text as tenant, * from unnest(${rows.map(({ project }) => project)}::text[],
    ${rows.map(({ location }) => location)}::text[], ${rows.map((row) => row.function)}::text[],
    ${rows.map(({ id }) => id)}::text[], ${rows.map(({ orderingKey }) => orderingKey ?? null)}::text[])
    with ordinality as row(project, location, function, id, ordering_key, number))`

/** Until the transaction ends, deliveries with these functions and keys are neither added nor completed by others. */
export async function lock(db: Db, tenant: string, rows: readonly OrderedKey[]): Promise<void> {
  const ordered = rows.filter(({ orderingKey }) => orderingKey)
  if (ordered.length === 0) return
  await db.run(sql`
    select pg_advisory_xact_lock(hash) from (
      select distinct hashtextextended(concat_ws(' ', 'icosa delivery', tenant, project, location, function, ordering_key), 0)
        as hash from ${columnsOf(tenant, ordered)} as keys order by hash) as hashes`)
}

/**
 * Inserts deliveries behind those that wait with the same key, and returns those that wait for none. `values` selects
 * from `rows` and adds attributes, data and created_at.
 */
export async function insertInOrder(
  db: Db,
  tenant: string,
  rows: readonly OrderedKey[],
  values: Sql,
): Promise<DeliveryKey[]> {
  await lock(db, tenant, rows)
  return db.many(sql`
    with rows as ${columnsOf(tenant, rows)},
    inserted as (
      insert into functions.deliveries (tenant, project, location, function, id, ordering_key, attributes, data,
        created_at, position)
      select tenant, project, location, function, id, ordering_key, attributes, data, created_at,
        case when ordering_key is not null then
          row_number() over (partition by project, location, function, ordering_key order by number)
          + coalesce((select max(position) from functions.deliveries d where d.tenant = made.tenant
            and d.project = made.project and d.location = made.location and d.function = made.function
            and d.ordering_key = made.ordering_key and d.failed_at is null), 0) end
      from (${values}) as made
      returning project, location, function, id, position)
    select project, location, function, id from inserted where coalesce(position, 1) = 1`)
}

/** The first delivery that waits with a key. */
export function first(
  db: Db,
  tenant: string,
  { project, location, function: name }: Place,
  orderingKey: string,
): Promise<{ readonly id: string } | undefined> {
  return db.maybe(sql`
    select id from functions.deliveries where tenant = ${tenant} and project = ${project} and location = ${location}
      and function = ${name} and ordering_key = ${orderingKey} and failed_at is null
    order by position limit 1`)
}
