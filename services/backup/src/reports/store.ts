import { type Db, join, type ReadingDb, sql, varying } from '@icosa/kernel'
import { byName, type ListRequest, newestFirst } from '../shapes/page-store.ts'
import type { TagMap } from '../shapes/tags.ts'
import type { ReportDeliveryChannel, ReportSetting, ReportTemplate } from './contract.ts'

export interface ReportPlanRow {
  readonly tenant: string
  readonly name: string
  readonly id: string
  readonly description: string | null
  readonly channel: ReportDeliveryChannel
  readonly setting: ReportSetting
  readonly tags: TagMap
  readonly createdAt: Date
  readonly attemptedAt: Date | null
  readonly succeededAt: Date | null
}

const columns = sql`tenant, name, id, description, channel, setting, tags, created_at as "createdAt",
  attempted_at as "attemptedAt", succeeded_at as "succeededAt"`
const is = (tenant: string, name: string) => sql`tenant = ${tenant} and name = ${name}`
const json = (value: unknown) => JSON.stringify(value)

/** Undefined if the name exists. */
export function insert(
  db: Db,
  row: Omit<ReportPlanRow, 'attemptedAt' | 'succeededAt'>,
): Promise<ReportPlanRow | undefined> {
  return db.maybe(sql`
    insert into backup.report_plans (tenant, name, id, description, channel, setting, tags, created_at)
    values (${row.tenant}, ${row.name}, ${row.id}, ${row.description}, ${json(row.channel)}, ${json(row.setting)},
      ${json(row.tags)}, ${row.createdAt})
    on conflict (tenant, name) do nothing returning ${columns}`)
}

export function find(db: ReadingDb, tenant: string, name: string): Promise<ReportPlanRow | undefined> {
  return db.point(sql`select ${columns} from backup.report_plans where ${is(tenant, name)}`)
}

export function list(db: ReadingDb, tenant: string, { limit, token }: ListRequest) {
  return byName<ReportPlanRow>(
    { limit, token, query: ['report plans', tenant] },
    ({ name }) => name,
    (after, count) =>
      db.many(sql`
        select ${columns} from backup.report_plans where tenant = ${tenant} and name > ${after}
        order by name limit ${count}`),
  )
}

export async function update(db: Db, { tenant, name, description, channel, setting }: ReportPlanRow): Promise<void> {
  await db.run(sql`
    update backup.report_plans set description = ${description}, channel = ${json(channel)}, setting = ${json(setting)}
    where ${is(tenant, name)}`)
}

export async function setTags(db: Db, { tenant, name }: ReportPlanRow, tags: TagMap): Promise<void> {
  await db.run(sql`update backup.report_plans set tags = ${json(tags)} where ${is(tenant, name)}`)
}

export async function remove(db: Db, { tenant, name }: ReportPlanRow): Promise<void> {
  await db.run(sql`delete from backup.report_plans where ${is(tenant, name)}`)
}

/** Plans of all tenants, ordered by key. */
export function after(
  db: ReadingDb,
  last: Pick<ReportPlanRow, 'tenant' | 'name'>,
  limit: number,
): Promise<ReportPlanRow[]> {
  return db.many(sql`
    select ${columns} from backup.report_plans where (tenant, name) > (${last.tenant}, ${last.name})
    order by tenant, name limit ${limit}`)
}

export interface ReportJobRow {
  readonly tenant: string
  readonly id: string
  readonly plan: string
  readonly planId: string
  readonly template: ReportTemplate
  readonly status: 'CREATED' | 'RUNNING' | 'COMPLETED' | 'FAILED'
  readonly message: string | null
  readonly bucket: string
  readonly keys: readonly string[]
  readonly createdAt: Date
  readonly completedAt: Date | null
}

const jobColumns = sql`tenant, id, plan, plan_id as "planId", template, status, message, bucket, keys,
  created_at as "createdAt", completed_at as "completedAt"`
const isJob = (tenant: string, id: string) => sql`tenant = ${tenant} and id = ${id}`

export async function insertJob(db: Db, id: string, plan: ReportPlanRow, at: Date): Promise<void> {
  await db.run(sql`
    insert into backup.report_jobs (tenant, id, plan, plan_id, template, status, bucket, created_at)
    values (${plan.tenant}, ${id}, ${plan.name}, ${plan.id}, ${plan.setting.ReportTemplate}, 'CREATED',
      ${plan.channel.S3BucketName}, ${at})`)
}

export function findJob(db: ReadingDb, tenant: string, id: string): Promise<ReportJobRow | undefined> {
  return db.point(sql`select ${jobColumns} from backup.report_jobs where ${isJob(tenant, id)}`)
}

export interface Ending {
  readonly status: 'COMPLETED' | 'FAILED'
  readonly message?: string
  readonly keys?: readonly string[]
  readonly at: Date
}

export async function endJob(
  db: Db,
  { tenant, id, plan }: Pick<ReportJobRow, 'tenant' | 'id' | 'plan'>,
  ending: Ending,
) {
  const { status, message = null, keys = [], at } = ending
  await db.run(sql`
    update backup.report_jobs set status = ${status}, message = ${message}, keys = ${keys}, completed_at = ${at}
    where ${isJob(tenant, id)}`)
  await db.run(sql`
    update backup.report_plans set attempted_at = ${at},
      succeeded_at = case when ${status} = 'COMPLETED' then ${at}::timestamptz else succeeded_at end
    where ${is(tenant, plan)}`)
}

export interface JobFilter {
  readonly plan?: string | undefined
  readonly status?: string | undefined
  readonly before?: string | undefined
  readonly after?: string | undefined
}

export function listJobs(db: ReadingDb, tenant: string, filter: JobFilter, { limit, token }: ListRequest) {
  const conditions = [
    ...(filter.plan === undefined ? [] : [sql`plan = ${filter.plan}`]),
    ...(filter.status === undefined ? [] : [sql`status = ${filter.status}`]),
    ...(filter.before === undefined ? [] : [sql`created_at < ${filter.before}`]),
    ...(filter.after === undefined ? [] : [sql`created_at > ${filter.after}`]),
  ]
  return newestFirst<ReportJobRow>({ limit, token, query: ['report jobs', tenant, filter] }, (older, count) =>
    db.many(
      varying(sql`
        select ${jobColumns} from backup.report_jobs
        where ${join([sql`tenant = ${tenant}`, older, ...conditions], ' and ')}
        order by created_at desc, id desc limit ${count}`),
    ),
  )
}
