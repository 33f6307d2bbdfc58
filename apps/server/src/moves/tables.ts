import { type ReadingDb, sql } from '@icosa/kernel'
import pg from 'pg'

/** A table whose rows move with their tenant. */
export interface MovedTable {
  /** Qualified and quoted. */
  readonly name: string
  /** Condition for the tenant's rows. */
  readonly filter: string
  /** Without those that the target computes: generated ones and, of a table that is copied last, its own numbers. */
  readonly columns: readonly Column[]
  /**
   * Whether its rows are copied while nothing is written, in place of earlier copies: their tenant is computed, by which
   * PostgreSQL cannot filter what it replicates.
   */
  readonly isCopiedLast: boolean
  /** Whether its rows are made anew for the other cell. */
  readonly isCarried: boolean
  /** Whether PostgreSQL can apply the filter to updates and deletions only if they log the whole old row. */
  readonly needsFullIdentity: boolean
}

export interface Column {
  /** Quoted. */
  readonly name: string
  readonly type: string
}

/** People sign in at the home cell, and what they sign in to stays with them: ADR 92. */
export const homeService = 'identity-connect'
const homeSchema = 'identity_connect'

/** Keys of tenants, sealed for their cell. */
const carriedTable = 'icosa.tenant_keys'

interface Row {
  readonly plain: string
  readonly name: string
  readonly columns: readonly (Column & {
    readonly plain: string
    readonly generated: string | null
    readonly isNumber: boolean
  })[]
  readonly key: readonly string[]
}

/** All tables with a tenant, from the catalog, so that a new one cannot be forgotten. */
export async function movedTables(db: ReadingDb, tenant: string, carriesKeys = false): Promise<MovedTable[]> {
  const rows = await db.many<Row>(sql`
    select format('%s.%s', nspname, relname) as plain, format('%I.%I', nspname, relname) as name, (
        select jsonb_agg(jsonb_build_object('plain', attname, 'name', quote_ident(attname),
          'type', format_type(atttypid, atttypmod),
          'isNumber', attidentity <> '', 'generated', case when attgenerated <> '' then pg_get_expr(adbin, adrelid) end) order by attnum)
        from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
        where attrelid = c.oid and attnum > 0 and not attisdropped) as columns,
      array(select attname::text from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey)
        where indrelid = c.oid and indisprimary) as key
    from pg_class c join pg_namespace n on n.oid = relnamespace
    where relkind in ('r', 'p') and not relispartition and nspname <> ${homeSchema}
      and nspname !~ '^pg_' and nspname not in ('information_schema', 'directory')
    order by 2`)
  return rows.flatMap((row) => movedTable(row, tenant, carriesKeys) ?? [])
}

function movedTable({ plain, name, columns, key }: Row, tenant: string, carriesKeys: boolean): MovedTable | undefined {
  const tenantColumn = columns.find((column) => column.plain === (plain === 'icosa.tenants' ? 'id' : 'tenant'))
  if (!tenantColumn) return undefined
  // Rows of the platform for the service that stays at home.
  const ofService = plain.startsWith('icosa.')
    ? columns.find((column) => /^(service|queue)$/.test(column.plain))
    : undefined
  const filter = [
    `${tenantColumn.generated ?? tenantColumn.name} = ${pg.escapeLiteral(tenant)}`,
    ...(ofService ? [`${ofService.name} <> '${homeService}'`] : []),
  ].join(' and ')
  const isCopiedLast = tenantColumn.generated !== null
  const isKeyed = [tenantColumn, ...(ofService ? [ofService] : [])].every((column) => key.includes(column.plain))
  return {
    name,
    filter,
    columns: columns.filter(({ generated, isNumber }) => generated === null && !(isCopiedLast && isNumber)),
    isCopiedLast,
    isCarried: plain === carriedTable && carriesKeys,
    needsFullIdentity: !isKeyed && !isCopiedLast,
  }
}
