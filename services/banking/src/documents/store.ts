import { assert, type Db, empty, type ReadingDb, sql } from '@icosa/kernel'
import type { PageQuery } from '../dialect/reply.ts'
import { page } from './page-store.ts'

/** A document of a user: the database knows only its owner, place and status. */
export interface Stored<Body> {
  readonly id: string
  readonly user: string
  readonly account: string | null
  readonly parent: string | null
  readonly status: string
  readonly body: Body
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** User, account and parent of a document. */
export interface Place {
  readonly user: string
  readonly account?: string | undefined
  readonly parent?: string | undefined
}

const columns = sql`id, user_id as user, account_id as account, parent_id as parent, status, body,
  created_at as "createdAt", updated_at as "updatedAt"`

const inPlace = ({ user, account, parent }: Place) => sql`user_id = ${user}
  and account_id is not distinct from ${account ?? null} and parent_id is not distinct from ${parent ?? null}`

/** The statuses that may follow each status. */
export type Transitions = Readonly<{ [from: string]: readonly string[] }>

/** Stores documents of one kind. Any other status change than a transition is a bug. */
export function documentStore<Body>(kind: string, transitions?: Transitions) {
  const before = (status: string) =>
    Object.keys(transitions ?? {}).filter((from) => transitions?.[from]?.includes(status))
  type Document = Stored<Body>
  return {
    async insert(
      db: Db,
      tenant: string,
      { user, account, parent }: Place,
      { status, body, at }: { readonly status: string; readonly body: Body; readonly at: Date },
    ): Promise<string> {
      const { id } = await db.one<{ id: string }>(sql`
        insert into banking.records (tenant, kind, user_id, account_id, parent_id, status, body, created_at, updated_at)
        values (${tenant}, ${kind}, ${user}, ${account ?? null}, ${parent ?? null}, ${status}, ${JSON.stringify(body)},
          ${at}, ${at}) returning id`)
      return id
    },

    find: (db: ReadingDb, tenant: string, place: Place, id: string): Promise<Document | undefined> =>
      db.maybe(sql`
        select ${columns} from banking.records
        where tenant = ${tenant} and kind = ${kind} and id = ${id} and ${inPlace(place)}`),

    /** Of any user. */
    findAny: (db: ReadingDb, tenant: string, id: string): Promise<Document | undefined> =>
      db.maybe(sql`select ${columns} from banking.records where tenant = ${tenant} and kind = ${kind} and id = ${id}`),

    /** Blocks concurrent changes until the transaction ends. */
    lock: (db: Db, tenant: string, id: string): Promise<Document | undefined> =>
      db.maybe(sql`
        select ${columns} from banking.records where tenant = ${tenant} and kind = ${kind} and id = ${id} for update`),

    list: (db: ReadingDb, tenant: string, place: Place, query: PageQuery = { count: 200 }): Promise<Document[]> =>
      db.many(sql`
        select ${columns} from banking.records
        where tenant = ${tenant} and kind = ${kind} and ${inPlace(place)} ${page(sql`id`, query)}`),

    /** Of a user, in any account. */
    listOfUser: (
      db: ReadingDb,
      tenant: string,
      user: string,
      query: PageQuery = { count: 1_000 },
    ): Promise<Document[]> =>
      db.many(sql`
        select ${columns} from banking.records
        where tenant = ${tenant} and kind = ${kind} and user_id = ${user} ${page(sql`id`, query)}`),

    async update(
      db: Db,
      tenant: string,
      id: string,
      { status, body, at }: { readonly status?: string | undefined; readonly body?: Partial<Body>; readonly at: Date },
    ): Promise<void> {
      const from = transitions && status !== undefined ? sql`and status = any(${before(status)})` : empty
      const updated = await db.run(sql`
        update banking.records set status = coalesce(${status ?? null}, status),
          body = body || ${JSON.stringify(body ?? {})}::jsonb, updated_at = ${at}
        where tenant = ${tenant} and kind = ${kind} and id = ${id} ${from}`)
      assert(updated === 1, `A ${kind} does not exist, or its status does not allow ${status ?? 'a change'}.`)
    },

    async remove(db: Db, tenant: string, place: Place, id: string): Promise<boolean> {
      const removed = await db.run(sql`
        delete from banking.records where tenant = ${tenant} and kind = ${kind} and id = ${id} and ${inPlace(place)}`)
      return removed === 1
    },
  }
}
