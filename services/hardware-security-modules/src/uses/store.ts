import { type Database, type Db, empty, type Page, type ReadingDb, readPage, sql } from '@icosa/kernel'

/** A use of a key, or a rejected attempt. */
export interface Use {
  readonly tenant: string
  readonly module: string
  readonly at: Date
  readonly key: string | null
  readonly operation: string
  readonly algorithm: string | null
  readonly caller: string
  readonly outcome: 'done' | 'refused' | 'failed'
  readonly detail: string | null
}

export interface Row extends Omit<Use, 'tenant' | 'module'> {
  readonly id: string
}

export async function insert(db: Db | Database, uses: readonly Use[]): Promise<void> {
  await db.run(sql`
    insert into hardware_security_modules.uses (tenant, module, at, key, operation, algorithm, caller, outcome, detail)
    select tenant, module, at, key, operation, algorithm, caller, outcome, detail
    from jsonb_to_recordset(${JSON.stringify(uses)}) as use (tenant text, module uuid, at timestamptz, key text,
      operation text, algorithm text, caller text, outcome text, detail text)`)
}

const pageSize = 100

/** Newest first. */
export function list(
  db: ReadingDb,
  { tenant, id }: { readonly tenant: string; readonly id: string },
  key: string | undefined,
  token: string | undefined,
): Promise<Page<Row>> {
  return readPage<Row>(
    { limit: pageSize, token, query: ['uses', tenant, id, key], at: 'query/after' },
    (row) => [row.id],
    ([after] = ['9223372036854775807'], limit) =>
      db.many(sql`
        select id::text, at, key, operation, algorithm, caller, outcome, detail from hardware_security_modules.uses
        where tenant = ${tenant} and module = ${id} and id < ${after} ${key === undefined ? empty : sql`and key = ${key}`}
        order by hardware_security_modules.uses.id desc limit ${limit}`),
  )
}
