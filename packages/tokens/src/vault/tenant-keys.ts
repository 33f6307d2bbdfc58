import { randomBytes } from 'node:crypto'
import { type Db, type Keys, sealingContext, tenantKeys } from '@icosa/kernel'
import { keyOf } from './cipher.ts'
import type { TenantKey } from './tenant-store.ts'
import * as store from './tenant-store.ts'

export { begin, hasBegun, inherit, lock, read, type TenantKey } from './tenant-store.ts'

/** Keys that were derived for a tenant before it had a root of its own, newest first, in base64 by purpose. */
export type Inherited = Readonly<Record<string, readonly string[]>>

const contextOf = (tenant: string, { purpose, id }: Pick<TenantKey, 'purpose' | 'id'>) =>
  sealingContext(tenantKeys, { tenant, purpose, id })

/** The key in base64, or JSON with the inherited ones. */
export const opened = (cell: Pick<Keys, 'open'>, tenant: string, row: TenantKey): string =>
  row.sealed === null ? '{}' : cell.open(row.sealed, contextOf(tenant, row))

export interface NewTenantKey {
  readonly tenant: string
  readonly purpose: TenantKey['purpose']
  readonly text?: string
  /** How long all nodes have it before its first use. */
  readonly aheadMs?: number
}

export async function add(db: Db, cell: Pick<Keys, 'seal'>, { tenant, purpose, ...rest }: NewTenantKey): Promise<void> {
  const { text = randomBytes(32).toString('base64'), aheadMs = 0 } = rest
  const id = purpose === 'inherited' ? '' : keyOf(Buffer.from(text, 'base64')).id
  await store.insert(db, tenant, { purpose, id, sealed: cell.seal(text, contextOf(tenant, { purpose, id })) }, aheadMs)
}

/** Creates the first keys of a tenant. Safe to run concurrently, and again. */
export async function ensure(db: Db, cell: Pick<Keys, 'seal'>, tenant: string): Promise<void> {
  await store.lock(db, tenant)
  const purposes = new Set((await store.read(db, tenant)).map(({ purpose }) => purpose))
  if (!purposes.has('seal')) await add(db, cell, { tenant, purpose: 'seal' })
  if (purposes.size === 0) await add(db, cell, { tenant, purpose: 'derive' })
}
