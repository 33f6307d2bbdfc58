import { type Db, type ReadingDb, type Sql, sql } from '@icosa/kernel'
import { type Page, readWindow, type Window } from '../paging/store.ts'

export interface SubscriptionRow {
  readonly id: string
  readonly user: string
  readonly assignment: string | null
  readonly types: readonly string[]
  readonly includeBody: boolean
  readonly includeThumbnail: boolean
  readonly email: string | null
  readonly slackChannel: string | null
  readonly url: string | null
  /** Sealed. */
  readonly token: Buffer
}

const columns: Sql = sql`
  s.id::text as id, s.user_id as user, s.assignment::text as assignment, s.types, s.include_body as "includeBody",
  s.include_thumbnail as "includeThumbnail", s.email, s.slack_channel as "slackChannel", s.url, s.token`

export interface NewSubscription extends Omit<SubscriptionRow, 'id'> {
  readonly isTenant: boolean
}

export function insert(db: Db, tenant: string, row: NewSubscription, at: Date): Promise<SubscriptionRow> {
  return db.one(sql`
    insert into contribution_collection.subscriptions as s (tenant, user_id, is_tenant, assignment, types, include_body,
      include_thumbnail, email, slack_channel, url, token, created_at)
    values (${tenant}, ${row.user}, ${row.isTenant}, ${row.assignment}, ${row.types}, ${row.includeBody},
      ${row.includeThumbnail}, ${row.email}, ${row.slackChannel}, ${row.url}, ${row.token}, ${at})
    returning ${columns}`)
}

export function listOf(db: ReadingDb, tenant: string, user: string, window: Window): Promise<Page<SubscriptionRow>> {
  const from = sql`contribution_collection.subscriptions as s where s.tenant = ${tenant} and s.user_id = ${user}`
  return readWindow(db, { columns, from, order: sql`s.id` }, window)
}

export async function countOf(db: ReadingDb, tenant: string, user: string): Promise<number> {
  const { subscriptions } = await db.one<{ subscriptions: number }>(sql`
    select count(*)::int as subscriptions from contribution_collection.subscriptions
    where tenant = ${tenant} and user_id = ${user}`)
  return subscriptions
}

/** False if the user has no such subscription. */
export async function remove(db: Db, tenant: string, user: string, id: string): Promise<boolean> {
  const removed = await db.run(sql`
    delete from contribution_collection.subscriptions
    where tenant = ${tenant} and user_id = ${user} and id = ${id}`)
  return removed > 0
}
