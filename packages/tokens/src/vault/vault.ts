import { createHmac } from 'node:crypto'
import { type Database, every, Failure, type OpenVault, type Vault } from '@icosa/kernel'
import { type Key, seal, sealedUnder, unseal } from './cipher.ts'
import * as dataKeys from './data-keys.ts'

export interface OpenedVault extends Vault {
  /** Learns the data keys that were made since. */
  refresh(): Promise<void>
  /** The keys that it has derived for a purpose so far, the newest first: for what is verified later than it was made. */
  everDerived(purpose: string): readonly Buffer[]
}

export interface VaultOptions {
  readonly masterKeys: readonly Uint8Array[]
  /** Of all services, whichever this node runs; asked for if a database has secrets from before there were data keys. */
  readonly sealed: dataKeys.ListSealed
}

/** How often a node looks for new data keys. Nothing is sealed under one before every node had time to. */
export const learnEveryMs = 10_000

const help = 'Compare it with what `icosa master-key status` shows, and restart the node.'

/** Refuses master keys that do not open this database. */
export async function openVault(database: Database, { masterKeys, sealed }: VaultOptions): Promise<OpenedVault> {
  const masters = dataKeys.masterKeysOf(masterKeys)
  const rows = await dataKeys.ensure(database, masters, sealed)
  const derives = rows.filter(({ purpose, inUse }) => purpose === 'derive' && inUse).reverse()
  const root = derives[0] && dataKeys.unwrap(derives[0], masters)
  const keys = new Map<string, Key>()
  const strange = new Set<string>()
  let current = learn(rows)
  let learning: Promise<void> | undefined
  if (!root || !current || rows.some((row) => row.purpose === 'seal' && !keys.has(row.id)))
    throw dataKeys.misfit(rows, masters)
  const deriveFrom = ({ bytes }: Key, purpose: string) =>
    createHmac('sha256', bytes).update(`icosa ${purpose}`).digest()

  /** Answers the newest in use. What needs another master key is left out: a running node goes on with what it knows. */
  function learn(found: readonly dataKeys.DataKey[]): Key | undefined {
    let newest: Key | undefined
    for (const row of found.filter(({ purpose }) => purpose === 'seal')) {
      const key = keys.get(row.id) ?? dataKeys.unwrap(row, masters)
      if (key) keys.set(row.id, key)
      if (key && row.inUse) newest = key
    }
    return newest
  }

  async function relearn(): Promise<void> {
    try {
      current = learn(await dataKeys.read(database)) ?? current
    } finally {
      learning = undefined
    }
  }
  const refresh = () => {
    learning ??= relearn()
    return learning
  }

  /** Nobody waits for it: whoever opens a secret may hold the last connection. */
  function ask(id: string): never {
    if (strange.has(id)) throw new Error(`This node has no data key ${id}: was ICOSA_MASTER_KEY replaced? ${help}`)
    refresh().then(
      () => strange.add(id),
      () => {},
    )
    throw new Failure('unavailable', 'This node is loading a new key: try again.', { retryAfterSeconds: 1 })
  }

  return {
    seal: (secret, context) => seal(current as Key, secret, context),
    open: (text, context) => {
      const id = sealedUnder(text)
      return unseal(keys.get(id) ?? ask(id), text, context).toString()
    },
    derive: (purpose) => deriveFrom(root, purpose),
    everDerived: (purpose) =>
      derives.flatMap((row) => dataKeys.unwrap(row, masters) ?? []).map((key) => deriveFrom(key, purpose)),
    refresh,
  }
}

/** How nodes open it: they look for new data keys from time to time. */
export function masterKeyVault(options: VaultOptions): OpenVault {
  return async (database) => {
    const vault = await openVault(database, options)
    // Without a database there is nothing to open either, and others say so.
    return { ...vault, close: every(learnEveryMs, vault.refresh, () => {}) }
  }
}
