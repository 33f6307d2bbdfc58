import { type Database, type Db, type ResourceEntry, type Sql, sql } from '@icosa/kernel'

/** Registers many resources in one statement. */
export async function fill(db: Db, tenant: string, entries: readonly ResourceEntry[]): Promise<void> {
  await db.run(sql`
    insert into icosa.resources (tenant, key, id, service, type, name, scope, tags, created_at, updated_at)
    select ${tenant}, lower(id), id, 'elsewhere', type, name, scope, tags, now(), now()
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb)
      as entry (id text, type text, name text, scope text, tags jsonb)`)
}

/**
 * Registers resources of five services and six types, one of them rare, with two of 1,000 tags each (20 keys with 50
 * values, low values more often), three frequent tags and a rare one.
 */
export async function fillByNumber(db: Db, tenant: string, count: number): Promise<void> {
  await db.run(sql`
    insert into icosa.resources (tenant, key, id, service, type, name, scope, tags, created_at, updated_at)
    select ${tenant}, id, id, 'service-' || i % 5,
      case when i % 2000 = 7 then 'AWS::Rare::Thing' else 'Vendor.Service' || i % 5 || '/things' end,
      'thing-' || i, case when i % 4 <> 0 then '/subscriptions/s/resourceGroups/g' || i % 500 end,
      jsonb_build_object('key' || i % 20, 'v' || (50 * (i * 7919 % 1000) / 1000.0 * (i * 104729 % 1000) / 1000.0)::int,
        'key' || (i + 1 + i / 20 % 19) % 20, 'v' || i / 20 % 50, 'env', (array['prod', 'test', 'dev'])[1 + i % 3],
        case when i % 2 = 0 then 'even' else 'odd' end, 'yes')
        || case when i % 5000 = 3 then '{"rare": "yes"}' else '{}'::jsonb end,
      now(), now()
    from (select i, '/subscriptions/s/resourcegroups/g' || i % 500 || '/' || md5(i::text) as id
          from generate_series(1, ${count}::bigint) as i) as numbered`)
}

/** Does what autovacuum does after a while. */
export async function analyze(database: Database): Promise<void> {
  await database.script('vacuum analyze icosa.resources')
}

/** A sequential scan by one process. */
export async function scan(database: Database): Promise<void> {
  await database.transaction(async (db) => {
    await db.run(sql`set local max_parallel_workers_per_gather = 0`)
    await db.run(sql`select count(*) from icosa.resources where tags ->> 'key1' || '' = 'v1'`)
  })
}

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly Plan[]
}

export interface Watched extends Db {
  readonly rowsRead: number
  /** Scan types with their table or index. */
  readonly scans: readonly string[]
}

/** A handle that also explains each statement. */
export function watched(db: Db): Watched {
  let rowsRead = 0
  const scans: string[] = []
  const note = (plan: Plan) => {
    if (plan['Node Type'].includes('Scan') && (plan['Relation Name'] || plan['Index Name']))
      scans.push([plan['Node Type'], plan['Index Name'] ?? plan['Relation Name']].join(' '))
    if (plan['Relation Name'] === 'resources')
      rowsRead +=
        plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)
    for (const child of plan.Plans ?? []) note(child)
  }
  const explain = async ({ text, values }: Sql) => {
    const [row] = await db.many<{ 'QUERY PLAN': { Plan: Plan }[] }>({
      text: `explain (analyze, format json) ${text}`,
      values,
    } as Sql)
    for (const { Plan } of row?.['QUERY PLAN'] ?? []) note(Plan)
  }
  return {
    ...db,
    async many<Row>(statement: Sql) {
      await explain(statement)
      return db.many<Row>(statement)
    },
    get rowsRead() {
      return rowsRead
    },
    scans,
  }
}
