import { type Database, sql } from '@icosa/kernel'

/** A table whose key lacks the tenant, or a unique index, exclusion constraint or foreign key that does. */
export interface Finding {
  readonly kind: 'table' | 'unique' | 'reference'
  /** A table, or an index or constraint with its table: `banking.users users_email`. */
  readonly name: string
  /** Its table and, of a foreign key, the referenced one. */
  readonly tables: readonly string[]
}

const tables = sql`
  select c.oid, format('%s.%s', nspname, relname) as name, (
    select attnum from pg_attribute where attrelid = c.oid and not attisdropped
      and attname = case format('%s.%s', nspname, relname) when 'icosa.tenants' then 'id' else 'tenant' end) as tenant
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and not c.relispartition and nspname !~ '^pg_' and nspname <> 'information_schema'`

/** Everything in a migrated database that does not carry the tenant. */
export const withoutTenant = (database: Database): Promise<Finding[]> =>
  database.many<Finding>(sql`
    with tables as (${tables})
    select 'table' as kind, name, array[name] as tables from tables t
    where not exists (select 1 from pg_index where indrelid = t.oid and indisprimary and t.tenant = any(indkey::int2[]))
    union all
    select 'unique', format('%s %s', t.name, i.relname), array[t.name]
    from tables t join pg_index x on x.indrelid = t.oid join pg_class i on i.oid = indexrelid
    where (indisunique or indisexclusion) and not indisprimary and not coalesce(t.tenant = any(indkey::int2[]), false)
    union all
    select 'reference', format('%s %s', t.name, conname), array[t.name, r.name]
    from tables t join pg_constraint k on k.conrelid = t.oid join tables r on r.oid = k.confrelid
    where contype = 'f' and not exists (
      select 1 from unnest(conkey, confkey) as pair(own, referenced) where own = t.tenant and referenced = r.tenant)
    order by 1, 2`)

/** Purposes of the triggers `names`, by table and column. */
export const reservations = (database: Database) =>
  database.many<{ table: string; purpose: string; column: string }>(sql`
    select t.name as table, split_part(encode(tgargs, 'escape'), '\\000', 1) as purpose,
      split_part(encode(tgargs, 'escape'), '\\000', 2) as column
    from (${tables}) t join pg_trigger on tgrelid = t.oid
    where tgfoid = 'icosa.reserve_name'::regproc and tgname = 'names' order by 1`)
