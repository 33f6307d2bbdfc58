import { type Db, type ReadingDb, sql } from '@icosa/kernel'
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
  events: readonly (DomainEvent & { readonly isPushed: boolean })[],
  at: Date,
): Promise<string[]> {
  const column = <K extends keyof DomainEvent | 'isPushed'>(name: K) => events.map((event) => event[name])
  const inserted = await db.many<{ id: string }>(sql`
    insert into banking.events (tenant, user_id, account_id, category, action, object_kind, object_id, pushed, created_at)
    select ${tenant}, user_id, account_id, category, action, kind, object_id, pushed, ${at}
    from unnest(${column('user')}::bigint[], ${column('account')}::bigint[], ${column('category')}::text[],
      ${column('action')}::text[], ${column('kind')}::text[], ${column('id')}::bigint[], ${column('isPushed')}::boolean[])
      with ordinality as row (user_id, account_id, category, action, kind, object_id, pushed, nth)
    order by nth returning id`)
  return inserted.map(({ id }) => id)
}

const columns = sql`id as "eventId", user_id as user, account_id as account, category, action, object_kind as kind,
  object_id as id, created_at as "createdAt"`

export function findEvent(db: ReadingDb, tenant: string, user: string, id: string): Promise<Event | undefined> {
  return db.maybe(
    sql`select ${columns} from banking.events where tenant = ${tenant} and user_id = ${user} and id = ${id}`,
  )
}

/** `id` alone would be that of the object, which the statement returns under this name. */
export function listEvents(db: ReadingDb, tenant: string, user: string, query: PageQuery): Promise<Event[]> {
  return db.many(sql`
    select ${columns} from banking.events where tenant = ${tenant} and user_id = ${user} ${page(sql`events.id`, query)}`)
}

/** The events that a user's devices are notified of, newest first. */
export function listPushed(db: ReadingDb, tenant: string, user: string, query: PageQuery): Promise<Event[]> {
  return db.many(sql`
    select ${columns} from banking.events where tenant = ${tenant} and user_id = ${user} and pushed
    ${page(sql`events.id`, query)}`)
}
