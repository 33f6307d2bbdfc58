import { createHmac } from 'node:crypto'
import {
  assert,
  type CellVault,
  type Database,
  type Keys,
  type ReadingDb,
  recentlyUsed,
  type Vault,
} from '@icosa/kernel'
import { type Key, keyOf, seal, sealedUnder, unseal } from './cipher.ts'
import * as tenantKeys from './tenant-keys.ts'

export interface CellKeys extends Keys {
  /** Whether this node has the data key. */
  has(id: string): boolean
}

/**
 * For how long a node uses a tenant's keys without asking whether there are newer ones, or whether it was deleted. Less than
 * a deletion takes: nothing of a new tenant with the same name is sealed under the key of the former one.
 */
export const tenantKeysMs = 3_000
const maxTenants = 10_000

/** Pseudo-tenants of internal rows. */
const reserved = new Set(['', '*'])

export const deriveFrom = (root: Uint8Array, purpose: string): Buffer =>
  createHmac('sha256', root).update(`icosa ${purpose}`).digest()

/** The keys of tenants, each loaded at its first use and forgotten after some seconds, or when there are many others. */
export function tenantVaults(database: Database, cell: CellKeys): Pick<CellVault, 'of' | 'find'> {
  const loaded = recentlyUsed<{ readonly vault: Vault; readonly isComplete: boolean; readonly until: number }>(
    'tenant keys',
    maxTenants,
  )
  /** Transactions that have created keys: until they commit, no other one may use these. */
  const creating = new WeakSet<object>()

  let begun = { is: false, until: 0 }

  async function hasBegun(db: ReadingDb): Promise<boolean> {
    const now = performance.now()
    if (!begun.is && begun.until < now) begun = { is: await tenantKeys.hasBegun(db), until: now + tenantKeysMs }
    return begun.is
  }

  async function load(tenant: string, db: ReadingDb) {
    const isShared = !creating.has(db)
    const cached = isShared && loaded.get(tenant)
    if (cached && cached.until > performance.now()) return cached
    const until = performance.now() + tenantKeysMs
    const rows = await tenantKeys.read(db, tenant)
    const forget = () => loaded.delete(tenant)
    const isComplete = rows.some(isSealing) || !(await hasBegun(db))
    const entry = { vault: openTenant(tenant, rows, cell, forget), isComplete, until }
    if (isShared && isComplete) loaded.set(tenant, entry)
    return entry
  }

  return {
    async of(tenant, db) {
      const transaction = db && !('transaction' in db) ? db : undefined // a whole database is no transaction
      assert(!reserved.has(tenant), `'${tenant}' is not a tenant: use the vault of the cell, or name the tenant.`)
      const { vault, isComplete } = await load(tenant, transaction ?? database.reading)
      if (isComplete) return vault
      if (transaction) {
        creating.add(transaction)
        await tenantKeys.ensure(transaction, cell, tenant)
      } else await database.transaction((db) => tenantKeys.ensure(db, cell, tenant), tenant)
      return (await load(tenant, transaction ?? database.reading)).vault
    },
    find: async (tenant) => (await load(tenant, database.reading)).vault,
  }
}

const isSealing = ({ purpose }: tenantKeys.TenantKey) => purpose === 'seal'

/** Keys not yet in use open and verify what a faster node has made. A tenant without keys in use goes on with the cell's. */
function openTenant(tenant: string, rows: readonly tenantKeys.TenantKey[], cell: CellKeys, forget: () => void): Vault {
  const keyIn = (row: tenantKeys.TenantKey) => keyOf(Buffer.from(tenantKeys.opened(cell, tenant, row), 'base64'))
  const sealing = rows.filter(isSealing).map((row) => ({ ...row, key: keyIn(row) }))
  const newest = sealing.findLast(({ inUse }) => inUse)?.key
  const byId = new Map<string, Key>(sealing.map(({ key }) => [key.id, key]))
  const roots = rows.filter(({ purpose }) => purpose === 'derive').toReversed()
  const inherited = rows.find(({ purpose }) => purpose === 'inherited')
  const isRooted = roots.some(({ inUse }) => inUse)

  const fromRoots = (purpose: string, which: readonly tenantKeys.TenantKey[]) =>
    which.map((row) => deriveFrom(keyIn(row).bytes, purpose))
  function inheritedOf(purpose: string): readonly Buffer[] {
    if (inherited ? inherited.sealed === null : !isRooted) return cell.everDerived(purpose)
    if (!inherited) return []
    const all: tenantKeys.Inherited = JSON.parse(tenantKeys.opened(cell, tenant, inherited))
    return (all[purpose] ?? []).map((text) => Buffer.from(text, 'base64'))
  }

  return {
    tenant,
    seal: (secret, context) => (newest ? seal(newest, secret, context) : cell.seal(secret, context)),
    open(text, context) {
      const id = sealedUnder(text)
      const key = byId.get(id)
      if (key && !cell.has(id)) return unseal(key, text, context).toString()
      if (!key) {
        if (!cell.has(id)) forget() // another node may have added the key
        return cell.open(text, context)
      }
      try {
        return unseal(key, text, context).toString()
      } catch {
        return cell.open(text, context) // a data key of the cell has the same ID
      }
    },
    derive(purpose) {
      const inUse = roots.filter((row) => row.inUse).slice(0, 1)
      const [key] = [...fromRoots(purpose, inUse), ...inheritedOf(purpose)]
      assert(key !== undefined, `No key was derived for '${purpose}': list it in \`derives\` of its service.`)
      return key
    },
    everDerived: (purpose) => [...fromRoots(purpose, roots), ...inheritedOf(purpose)],
  }
}
