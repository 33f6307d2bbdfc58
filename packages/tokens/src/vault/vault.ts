import { type CellVault, type Database, every, Failure, type OpenVault } from '@icosa/kernel'
import { type Key, seal, sealedUnder, unseal } from './cipher.ts'
import * as dataKeys from './data-keys.ts'
import { type CellKeys, deriveFrom, tenantVaults } from './tenant-vaults.ts'

export interface OpenedVault extends CellVault {
  /** Loads new data keys. */
  refresh(): Promise<void>
}

export interface VaultOptions {
  readonly masterKeys: readonly Uint8Array[]
  /** Of all services, on any node; read if a database has secrets from before data keys. */
  readonly sealed: dataKeys.ListSealed
}

/** How often a node loads new data keys. None is used before every node had time to load it. */
export const learnEveryMs = 10_000

const advice = 'Compare it with what `icosa master-key status` shows, and restart the node.'

/** Throws if the master keys do not open this database. */
export async function openVault(database: Database, { masterKeys, sealed }: VaultOptions): Promise<OpenedVault> {
  const masters = dataKeys.masterKeysOf(masterKeys)
  const rows = await dataKeys.ensure(database, masters, sealed)
  const derives = rows.filter(({ purpose, inUse }) => purpose === 'derive' && inUse).reverse()
  const root = derives[0] && dataKeys.unwrap(derives[0], masters)
  const keys = new Map<string, Key>()
  const unknown = new Set<string>()
  let current = load(rows)
  let loading: Promise<void> | undefined
  if (!root || !current || rows.some((row) => row.purpose === 'seal' && !keys.has(row.id)))
    throw dataKeys.misfit(rows, masters)

  /** Returns the newest key in use. Skips keys of unknown master keys: a running node continues with those it has. */
  function load(candidates: readonly dataKeys.DataKey[]): Key | undefined {
    let newest: Key | undefined
    for (const row of candidates.filter(({ purpose }) => purpose === 'seal')) {
      const key = keys.get(row.id) ?? dataKeys.unwrap(row, masters)
      if (key) keys.set(row.id, key)
      if (key && row.inUse) newest = key
    }
    return newest
  }

  async function reload(): Promise<void> {
    try {
      current = load(await dataKeys.read(database)) ?? current
    } finally {
      loading = undefined
    }
  }
  const refresh = () => {
    loading ??= reload()
    return loading
  }

  /** Does not wait for the refresh: the caller may hold the last connection. */
  function loadKey(id: string): never {
    if (unknown.has(id)) throw new Error(`This node has no data key ${id}: was ICOSA_MASTER_KEY replaced? ${advice}`)
    refresh().then(
      () => unknown.add(id),
      () => {},
    )
    throw new Failure('unavailable', 'This node is loading a new key: try again.', { retryAfterSeconds: 1 })
  }

  const cell: CellKeys = {
    has: (id) => keys.has(id),
    seal: (secret, context) => seal(current as Key, secret, context),
    open: (text, context) => {
      const id = sealedUnder(text)
      return unseal(keys.get(id) ?? loadKey(id), text, context).toString()
    },
    derive: (purpose) => deriveFrom(root.bytes, purpose),
    everDerived: (purpose) =>
      derives.flatMap((row) => dataKeys.unwrap(row, masters) ?? []).map((key) => deriveFrom(key.bytes, purpose)),
  }
  return { ...cell, ...tenantVaults(database, cell), refresh }
}

/** A node's vault, which loads new data keys periodically. */
export function masterKeyVault(options: VaultOptions): OpenVault {
  return async (database) => {
    const vault = await openVault(database, options)
    // Errors are ignored: without a database there is nothing to unseal either, and others report it.
    return { ...vault, close: every(learnEveryMs, vault.refresh, () => {}) }
  }
}
