import { type Database, raw, type SealedColumn, sql } from '@icosa/kernel'
import { dataKeys } from '@icosa/tokens'

/**
 * Tables with sealed values outside the listed columns, which no rotation would reach. A value is recognized by the id
 * of its data key at its beginning, whether stored as bytes, base64 or hexadecimal, in its own column or within JSON.
 */
export async function strays(database: Database, listed: readonly SealedColumn[]): Promise<string[]> {
  const ofTenants = await database.many<{ id: string }>(sql`select id from icosa.tenant_keys where purpose = 'seal'`)
  const ofCell = (await dataKeys.read(database)).filter(({ purpose }) => purpose === 'seal')
  const heads = [...ofTenants, ...ofCell].flatMap(({ id }) => looks(id))
  const tables = await database.many<{ name: string }>(sql`
    select format('%I.%I', nspname, relname) as name from pg_class join pg_namespace n on n.oid = relnamespace
    where relkind = 'r' and nspname !~ '^pg_|^information_schema$'`)
  const locations: string[] = []
  for (const { name } of tables) {
    const columns = listed.filter(({ table }) => table === name).map(({ column }) => column)
    const row = await database.maybe(sql`
      select 1 from ${raw(name)} as kept where (to_jsonb(kept) - ${columns}::text[])::text ~ ${heads.join('|')} limit 1`)
    if (row) locations.push(name)
  }
  return locations
}

/** Patterns of at least 32 bytes, of which four are known. */
function looks(id: string): string[] {
  const base64 = Buffer.from(id, 'hex').toString('base64').slice(0, 5)
  const escaped = (text: string) => text.replaceAll('+', '[+]')
  const url = base64.replaceAll('+', '-').replaceAll('/', '_')
  return [`"(\\\\\\\\x)?${id}[0-9a-f]{56}`, `"(${escaped(base64)}|${url})[\\w+/-]{37}`]
}
