import sql, { type Sql } from 'sql-template-tag'

/**
 * Orders a tenant's rows as their transactions began, for readers who continue after a position: a number from a sequence
 * may appear after a higher one. Transactions of the cells where the tenant has lived before precede those of this one.
 */
const ordered = (transaction: Sql, tenant: Sql) => sql`
  (${transaction}::text::bigint
    + coalesce((select earlier_transactions from icosa.tenants as t where t.id = ${tenant}), 0))::text::xid8`

/** The order of rows of this transaction. */
export const transactionOrder = (tenant: Sql): Sql => ordered(sql`pg_current_xact_id()`, tenant)

/** All rows before this have been committed or never will be. */
export const completeBefore = (tenant: Sql): Sql => ordered(sql`pg_snapshot_xmin(pg_current_snapshot())`, tenant)
