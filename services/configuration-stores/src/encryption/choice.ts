import { Failure, type Preparation } from '@icosa/kernel'
import * as deletedStores from '../deleted-stores/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { StoreAddress } from '../stores/address.ts'
import type { StoreInput, StoreUpdate } from '../stores/contract.ts'
import * as stores from '../stores/store.ts'
import type { WrappedKey } from './data-keys.ts'

/** The data key wrapped by the requested key, and the ID of the previous data key; undefined if nothing is to be wrapped. */
export type Wrapping = { readonly key: WrappedKey; readonly before: string | null } | undefined

export const noEncryption: stores.Encryption = {
  keyIdentifier: null,
  dataKey: null,
  wrappedBy: null,
  wrapped: null,
  reencrypting: false,
}

type Requested = NonNullable<StoreInput['properties']>['encryption']

/** Returns the requested key: null to remove it, undefined to leave it unchanged. */
function keyIn(encryption: Requested): string | null | undefined {
  const properties = encryption?.keyVaultProperties
  return properties === undefined ? undefined : properties?.keyIdentifier || null
}

/** Wraps the data key of a store, or of a new one, with the requested key, before anything is locked. */
export async function wrappingFor(
  address: StoreAddress,
  { properties }: StoreInput | StoreUpdate,
  { db, caller, runtime }: Preparation<ServiceRuntime>,
): Promise<Wrapping> {
  const key = keyIn(properties?.encryption)
  if (!key || properties?.encryption?.keyVaultProperties?.identityClientId) return undefined
  const row = (await stores.find(db, caller.tenant, address)) ?? (await deletedStores.find(db, caller.tenant, address))
  const before = row && stores.wrappedKeyOf(row)
  if (before?.wrappedBy === key) return undefined
  const owner = { tenant: caller.tenant, name: address.configStoreName }
  return { key: await runtime.dataKeys.wrap(owner, key, before), before: before?.dataKey ?? null }
}

/** Returns the new encryption state of a store. Another key of an HSM wraps the same data key. */
export function encryptionOf(encryption: Requested, wrapping: Wrapping, before: stores.Encryption): stores.Encryption {
  const { keyIdentifier, dataKey, wrappedBy, wrapped, reencrypting } = before
  const current = { keyIdentifier, dataKey, wrappedBy, wrapped, reencrypting }
  const key = keyIn(encryption)
  if (key === undefined || key === keyIdentifier) return current
  if (key === null) return { ...current, keyIdentifier: null, reencrypting: true }
  if (wrapping ? wrapping.before !== dataKey : wrappedBy !== key)
    throw new Failure('conflict', 'The key of the store was changed concurrently: try again.')
  const isNew = keyIdentifier === null && dataKey === null
  // A store without a key may have plaintext values; replacing a key requires no re-encryption.
  return {
    ...current,
    ...wrapping?.key,
    keyIdentifier: key,
    reencrypting: isNew || keyIdentifier === null || reencrypting,
  }
}
