import { type Db, type OperationState, type Page, type ReadingDb, readPage, sql } from '@icosa/kernel'
import type { Place } from '../functions/store.ts'

export type Verb = 'create' | 'update' | 'delete'

export interface OperationRow extends Place {
  readonly id: string
  readonly verb: Verb
}

export async function insert(db: Db, tenant: string, row: OperationRow, now: Date): Promise<void> {
  await db.run(sql`
    insert into functions.operations (tenant, id, project, location, function, verb, created_at)
    values (${tenant}, ${row.id}, ${row.project}, ${row.location}, ${row.function}, ${row.verb}, ${now})`)
}

export function find(db: ReadingDb, tenant: string, id: string): Promise<OperationRow | undefined> {
  return db.point(sql`
    select id, project, location, function, verb from functions.operations where tenant = ${tenant} and id = ${id}`)
}

export interface ListRequest {
  readonly tenant: string
  readonly project: string
  readonly location?: string | undefined
  readonly function?: string | undefined
  readonly limit: number
  readonly token: string | undefined
}

export type ListedOperation = OperationRow &
  Pick<OperationState, 'status' | 'result' | 'error' | 'createdAt' | 'updatedAt'>

/** Newest first, with the state from the platform's table of operations. */
export function list(db: ReadingDb, request: ListRequest): Promise<Page<ListedOperation>> {
  const { tenant, project, location, function: id, limit, token } = request
  return readPage<ListedOperation & { readonly sort: string }>(
    { limit, token, query: ['operations', tenant, project, location, id], at: 'query/pageToken' },
    (row) => [row.sort, row.id],
    (after, count) =>
      db.many(sql`
        select o.id, o.project, o.location, o.function, o.verb, o.created_at::text as sort, s.status, s.result, s.error,
          s.created_at as "createdAt", s.updated_at as "updatedAt"
        from functions.operations o join icosa.operations s on s.tenant = o.tenant and s.id = o.id
        where o.tenant = ${tenant} and o.project = ${project}
          ${location === undefined ? sql`` : sql`and o.location = ${location}`}
          ${id === undefined ? sql`` : sql`and o.function = ${id}`}
          ${after ? sql`and (o.created_at, o.id) < (${after[0]}::text::timestamptz, ${after[1]}::text)` : sql``}
        order by o.created_at desc, o.id desc limit ${count}`),
  )
}
