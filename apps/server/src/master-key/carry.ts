import { type CellVault, type Database, type Db, Failure, type SealedColumn } from '@icosa/kernel'
import { dataKeys, tenantKeys } from '@icosa/tokens'
import * as store from './tenant-keys-store.ts'

/** A cell whose keys are at hand. */
export interface KeySite {
  readonly database: Database
  readonly vault: CellVault
}

export interface Carried {
  readonly tenant: string
  /** Of all services. */
  readonly sealed: readonly SealedColumn[]
  /** Purposes for which services derive keys of a tenant. */
  readonly derives: readonly string[]
}

/**
 * Seals the keys of a tenant for another cell and adds them there, with those that were derived for it from the root of
 * this one; its secrets stay as they are. Can be repeated, and in the other direction. Refuses a tenant that has secrets
 * under keys of the cell: seal them under its own first.
 */
export async function carryTenantKeys(source: KeySite, target: KeySite, carried: Carried): Promise<void> {
  const { tenant, sealed, derives } = carried
  if (!(await tenantKeys.hasBegun(source.database)) || !(await tenantKeys.hasBegun(target.database)))
    throw new Failure('conflict', 'Run `icosa tenants rekey --all` in both cells first, once all nodes are upgraded.')
  const vault = await source.vault.of(tenant)
  const columns = (await dataKeys.existing(source.database, sealed)).filter(({ isOfCell }) => !isOfCell)
  const foreign = await store.columnUnderOtherKeys(source.database, columns, tenant)
  if (foreign !== undefined)
    throw new Failure(
      'conflict',
      `Secrets in ${foreign} are under keys of the cell: run \`icosa tenants rekey ${tenant}\`.`,
    )
  const rows = await tenantKeys.read(source.database, tenant)
  const own = rows.filter(({ purpose }) => purpose === 'derive').length
  const inherited = derives.map((purpose) => [purpose, vault.everDerived(purpose).slice(own)] as const)
  const texts = rows.map((row) => ({ ...row, text: textOf(row) }))

  function textOf(row: tenantKeys.TenantKey): string {
    if (row.purpose !== 'inherited') return tenantKeys.opened(source.vault, tenant, row)
    const all = inherited.map(([purpose, keys]) => [purpose, keys.map((key) => key.toString('base64'))])
    return JSON.stringify(Object.fromEntries(all) satisfies tenantKeys.Inherited)
  }

  await target.database.transaction((db) => addMissing(db, target.vault, tenant, texts))
}

async function addMissing(
  db: Db,
  vault: CellVault,
  tenant: string,
  rows: readonly (Pick<tenantKeys.TenantKey, 'purpose' | 'id'> & { readonly text: string })[],
): Promise<void> {
  await tenantKeys.lock(db, tenant)
  const existing = await tenantKeys.read(db, tenant)
  for (const { purpose, id, text } of rows)
    if (!existing.some((row) => row.purpose === purpose && row.id === id))
      await tenantKeys.add(db, vault, { tenant, purpose, text })
}
