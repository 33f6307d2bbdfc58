import { type Db, type Page, type ReadingDb, readPage, sql } from '@icosa/kernel'
import type { GroupKey } from '../groups/address.ts'
import type { ResourceQuery } from '../groups/contract.ts'
import { startOf } from '../page-start.ts'

export interface Criteria {
  readonly tagKey: string | null
  readonly tagValue: string | null
  readonly query: ResourceQuery | null
}

export interface NewTask extends Criteria {
  readonly id: string
  readonly roleArn: string
}

export interface TaskRow extends NewTask {
  readonly tenant: string
  readonly groupKey: string
  readonly groupName: string
  readonly uniqueId: string
  readonly status: 'ACTIVE' | 'ERROR'
  readonly errorMessage: string | null
  readonly createdAt: Date
}

const columns = sql`t.tenant, t.id, t.group_key as "groupKey", g.name as "groupName", g.unique_id as "uniqueId",
  t.tag_key as "tagKey", t.tag_value as "tagValue", t.query, t.role_arn as "roleArn", t.status,
  t.error_message as "errorMessage", t.created_at as "createdAt"`
const from = sql`from resource_groups.tag_sync_tasks t join resource_groups.groups g
  on g.tenant = t.tenant and g.key = t.group_key`

export async function insert(db: Db, { tenant, key }: GroupKey, task: NewTask, now: Date): Promise<void> {
  const { id, tagKey, tagValue, query, roleArn } = task
  await db.run(sql`
    insert into resource_groups.tag_sync_tasks
      (tenant, id, group_key, tag_key, tag_value, query, role_arn, status, created_at)
    values (${tenant}, ${id}, ${key}, ${tagKey}, ${tagValue}, ${query && JSON.stringify(query)}, ${roleArn}, 'ACTIVE',
      ${now})`)
}

export function find(db: ReadingDb, tenant: string, id: string): Promise<TaskRow | undefined> {
  return db.maybe(sql`select ${columns} ${from} where t.tenant = ${tenant} and t.id = ${id}`)
}

export function ofGroup(db: ReadingDb, { tenant, key }: GroupKey): Promise<TaskRow[]> {
  return db.many(sql`select ${columns} ${from} where t.tenant = ${tenant} and t.group_key = ${key} order by t.id`)
}

/** Tasks of certain groups, or of all. */
export function list(
  db: ReadingDb,
  tenant: string,
  groupKeys: readonly string[] | undefined,
  { limit, token }: { readonly limit: number; readonly token: string | undefined },
): Promise<Page<TaskRow>> {
  const at = 'body/NextToken'
  return readPage<TaskRow>(
    { limit, token, query: ['tag-sync tasks', tenant, groupKeys], at },
    ({ id }) => [id],
    (after, count) =>
      db.many(sql`
        select ${columns} ${from} where t.tenant = ${tenant} and t.id::text > ${startOf(after, at)}
          and (${groupKeys ?? null}::text[] is null or t.group_key = any(${groupKeys ?? null}))
        order by t.id::text limit ${count}`),
  )
}

/** Its members stay in the group as explicit ones. */
export async function remove(db: Db, { tenant, id, groupKey }: TaskRow): Promise<void> {
  await db.run(sql`
    update resource_groups.members set task_id = null
    where tenant = ${tenant} and group_key = ${groupKey} and task_id = ${id}`)
  await db.run(sql`delete from resource_groups.tag_sync_tasks where tenant = ${tenant} and id = ${id}`)
}

export async function setStatus(db: Db, { tenant, key }: GroupKey, errorMessage: string | null): Promise<void> {
  await db.run(sql`
    update resource_groups.tag_sync_tasks
    set status = ${errorMessage === null ? 'ACTIVE' : 'ERROR'}, error_message = ${errorMessage}
    where tenant = ${tenant} and group_key = ${key} and error_message is distinct from ${errorMessage}`)
}

/** Groups with tasks, of all tenants, in key order. */
export function groupsWithTasks(db: ReadingDb, after: GroupKey, limit: number): Promise<GroupKey[]> {
  return db.many(sql`
    select distinct tenant, group_key as key from resource_groups.tag_sync_tasks
    where (tenant, group_key) > (${after.tenant}, ${after.key}) order by tenant, group_key limit ${limit}`)
}
