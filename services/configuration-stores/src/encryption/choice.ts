import { Failure, type Preparation } from '@icosa/kernel'
import * as deletedStores from '../deleted-stores/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { StoreAddress } from '../stores/address.ts'
import type { StoreInput, StoreUpdate } from '../stores/contract.ts'
import * as stores from '../stores/store.ts'
import type { WrappedKey } from './data-keys.ts'

/** The data key under the key that is asked for, and the one that the store had then; none if nothing has to be wrapped. */
export type Wrapping = { readonly key: WrappedKey; readonly before: string | null } | undefined

export const noEncryption: stores.Encryption = {
  keyIdentifier: null,
  dataKey: null,
  wrappedBy: null,
  wrapped: null,
  reencrypting: false,
}

type Requested = NonNullable<StoreInput['properties']>['encryption']

/** The key that is asked for: null for none, undefined if nothing is said of it. */
function keyIn(encryption: Requested): string | null | undefined {
  const properties = encryption?.keyVaultProperties
  return properties === undefined ? undefined : properties?.keyIdentifier || null
}

/** Wraps the data key of a store, or of one that is to be made, with the key that is asked for: before anything is locked. */
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

/** What becomes of the encryption of a store. A data key stays the same under another key of a module. */
export function encryptionOf(encryption: Requested, wrapping: Wrapping, before: stores.Encryption): stores.Encryption {
  const { keyIdentifier, dataKey, wrappedBy, wrapped, reencrypting } = before
  const own = { keyIdentifier, dataKey, wrappedBy, wrapped, reencrypting }
  const key = keyIn(encryption)
  if (key === undefined || key === keyIdentifier) return own
  if (key === null) return { ...own, keyIdentifier: null, reencrypting: true }
  if (wrapping ? wrapping.before !== dataKey : wrappedBy !== key)
    throw new Failure('conflict', 'The key of the store was just changed by somebody else: try again.')
  const isNew = keyIdentifier === null && dataKey === null
  // A store that had none may have values; one whose key is only replaced has nothing to be done.
  return { ...own, ...wrapping?.key, keyIdentifier: key, reencrypting: isNew || keyIdentifier === null || reencrypting }
}
