import { type Db, join, type Page, type ReadingDb, readPage, sql, varying } from '@icosa/kernel'
import type { GroupKey } from '../groups/address.ts'
import { startOf } from '../page-start.ts'

export type Action = 'GROUP' | 'UNGROUP'

export interface Outcome {
  /** The resource's key in the registry. */
  readonly key: string
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILED' | 'IN_PROGRESS'
  readonly errorCode?: string
  readonly errorMessage?: string
}

export interface StatusRow {
  readonly key: string
  readonly id: string
  readonly action: Action
  readonly status: Outcome['status']
  readonly errorCode: string | null
  readonly errorMessage: string | null
  readonly updatedAt: Date
}

/** Replaces earlier outcomes of the same resources. */
export async function record(
  db: Db,
  { tenant, key }: GroupKey,
  action: Action,
  outcomes: readonly Outcome[],
  now: Date,
): Promise<void> {
  if (outcomes.length === 0) return
  const column = (of: (outcome: Outcome) => string | undefined) => outcomes.map((outcome) => of(outcome) ?? null)
  await db.run(sql`
    insert into resource_groups.grouping_statuses
      (tenant, group_key, resource_key, id, action, status, error_code, error_message, updated_at)
    select ${tenant}, ${key}, resource_key, id, ${action}, status, code, message, ${now}
    from unnest(${column((outcome) => outcome.key)}::text[], ${column((outcome) => outcome.id)}::text[],
      ${column((outcome) => outcome.status)}::text[], ${column((outcome) => outcome.errorCode)}::text[],
      ${column((outcome) => outcome.errorMessage)}::text[]) as done(resource_key, id, status, code, message)
    on conflict (tenant, group_key, resource_key) do update set id = excluded.id, action = excluded.action,
      status = excluded.status, error_code = excluded.error_code, error_message = excluded.error_message,
      updated_at = excluded.updated_at`)
}

/** Completes the statuses of resources that waited for a configuration. */
export async function settle(db: Db, { tenant, key }: GroupKey, now: Date): Promise<void> {
  await db.run(sql`
    update resource_groups.grouping_statuses s set updated_at = ${now},
      status = case when m.resource_key is null then 'FAILED' else 'SUCCESS' end,
      error_code = case when m.resource_key is null then 'RESOURCE_TYPE_NOT_ALLOWED' end,
      error_message = case when m.resource_key is null then 'The new configuration does not allow its type.' end
    from resource_groups.grouping_statuses waiting
    left join resource_groups.members m on m.tenant = waiting.tenant and m.group_key = waiting.group_key
      and m.resource_key = waiting.resource_key
    where waiting.tenant = ${tenant} and waiting.group_key = ${key} and waiting.status = 'IN_PROGRESS'
      and s.tenant = waiting.tenant and s.group_key = waiting.group_key and s.resource_key = waiting.resource_key`)
}

interface Filters {
  readonly statuses: readonly (readonly string[])[]
  readonly keys: readonly (readonly string[])[]
}

export function list(
  db: ReadingDb,
  { tenant, key }: GroupKey,
  { statuses, keys }: Filters,
  { limit, token }: { readonly limit: number; readonly token: string | undefined },
): Promise<Page<StatusRow>> {
  const at = 'body/NextToken'
  const conditions = [
    sql`tenant = ${tenant} and group_key = ${key}`,
    ...statuses.map((values) => sql`status = any(${values.map((status) => status.toUpperCase())})`),
    ...keys.map((values) => sql`resource_key = any(${values})`),
  ]
  return readPage<StatusRow>(
    { limit, token, query: ['grouping statuses', tenant, key, statuses, keys], at },
    (row) => [row.key],
    (after, count) =>
      db.many(
        varying(sql`
          select resource_key as key, id, action, status, error_code as "errorCode", error_message as "errorMessage",
            updated_at as "updatedAt"
          from resource_groups.grouping_statuses
          where ${join([...conditions, sql`resource_key > ${startOf(after, at)}`], ' and ')}
          order by resource_key limit ${count}`),
      ),
  )
}
