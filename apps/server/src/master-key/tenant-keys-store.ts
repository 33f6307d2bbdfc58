import { type ReadingDb, raw, type SealedColumn, sql } from '@icosa/kernel'
import type { TenantTable } from '@icosa/platform/tenants'

/** ID of the data key of the cell that seals now. */
export async function activeDataKey(db: ReadingDb): Promise<string> {
  const { id } = await db.one<{ id: string }>(sql`
    select id from icosa.data_keys where purpose = 'seal' and used_from <= clock_timestamp() order by generation desc limit 1`)
  return id
}

/** All tenants that have a row anywhere: those of foreign tokens may have no credential. */
export async function tenantsIn(db: ReadingDb, tables: readonly TenantTable[]): Promise<string[]> {
  const tenants = new Set<string>()
  for (const { table, tenant } of tables) {
    const [from, column] = [raw(table), raw(tenant)]
    // Looks each tenant up in the index, which begins with it, instead of reading all rows.
    const rows = await db.many<{ tenant: string }>(sql`
      with recursive found as (
        select min(${column}) as tenant from ${from}
        union all select (select min(${column}) from ${from} where ${column} > found.tenant) from found where tenant is not null)
      select tenant from found where tenant is not null`)
    for (const row of rows) tenants.add(row.tenant)
  }
  return [...tenants].filter((tenant) => tenant !== '' && tenant !== '*')
}

/** Tenants whose newest key is not sealed under this data key. */
export async function withOlderKeys(db: ReadingDb, dataKey: string, limit: number): Promise<string[]> {
  const rows = await db.many<{ tenant: string }>(sql`
    select tenant from icosa.tenant_keys where purpose = 'seal'
    group by tenant having (array_agg(substring(sealed from 1 for 4) order by generation desc))[1] <> ${Buffer.from(dataKey, 'hex')}
    limit ${limit}`)
  return rows.map(({ tenant }) => tenant)
}

/** The first table with a secret of the tenant that none of its own keys has sealed. */
export async function columnUnderOtherKeys(
  db: ReadingDb,
  columns: readonly SealedColumn[],
  tenant: string,
): Promise<string | undefined> {
  for (const { table, column } of columns)
    if (
      await db.maybe(sql`
        select from ${raw(table)} where tenant = ${tenant} and encode(substring(${raw(column)} from 1 for 4), 'hex') not in (
          select id from icosa.tenant_keys where tenant = ${tenant} and purpose = 'seal') limit 1`)
    )
      return table
  return undefined
}
