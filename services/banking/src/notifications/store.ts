import { type Db, join, type ReadingDb, sql } from '@icosa/kernel'
import type { PageQuery } from '../dialect/reply.ts'
import { page } from '../documents/page-store.ts'
import type { DomainEvent } from './publish.ts'

export interface Event extends DomainEvent {
  readonly eventId: string
  readonly createdAt: Date
}

/** Returns the ids in the same order. */
export async function insertEvents(
  db: Db,
  tenant: string,
  events: readonly DomainEvent[],
  at: Date,
): Promise<string[]> {
  const rows = events.map(
    ({ user, account, category, action, kind, id }) =>
      sql`(${tenant}, ${user}::bigint, ${account}::bigint, ${category}, ${action}, ${kind}, ${id}::bigint, ${at}::timestamptz)`,
  )
  const inserted = await db.many<{ id: string }>(sql`
    insert into banking.events (tenant, user_id, account_id, category, action, object_kind, object_id, created_at)
    values ${join(rows)} returning id`)
  return inserted.map(({ id }) => id)
}

const columns = sql`id as "eventId", user_id as user, account_id as account, category, action, object_kind as kind,
  object_id as id, created_at as "createdAt"`

export function findEvent(db: ReadingDb, tenant: string, user: string, id: string): Promise<Event | undefined> {
  return db.maybe(
    sql`select ${columns} from banking.events where tenant = ${tenant} and user_id = ${user} and id = ${id}`,
  )
}

export function listEvents(db: ReadingDb, tenant: string, user: string, query: PageQuery): Promise<Event[]> {
  return db.many(sql`
    select ${columns} from banking.events where tenant = ${tenant} and user_id = ${user} ${page(sql`id`, query)}`)
}
