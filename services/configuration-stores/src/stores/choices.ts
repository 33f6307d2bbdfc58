import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { Failure } from '@icosa/kernel'
import type { Encryption, Identity, StoreInput, StoreUpdate } from './contract.ts'
import type { Choices, Row, Sku } from './store.ts'

/** All that a caller decides, from a whole description of the store. */
export function chosen({ sku, tags = {}, identity, properties }: StoreInput, tenant: string, before?: Row): Choices {
  return {
    sku: skuOf(sku.name),
    tags,
    identity: identityOf(identity, tenant, before?.identity ?? null),
    encryption: encryptionOf(properties?.encryption),
  }
}

/** The same from a description of what is to change. */
export function changed(before: Row, { sku, tags, identity, properties }: StoreUpdate): Choices {
  return {
    sku: sku ? skuOf(sku.name) : before.sku,
    tags: tags ?? before.tags,
    identity: identity
      ? identityOf(merged(identity, before.identity), before.tenant, before.identity)
      : before.identity,
    encryption: properties?.encryption ? encryptionOf(properties.encryption) : before.encryption,
  }
}

/** What a change comes to: nothing, a few words on the row, or work that goes on in the background. */
export function extentOf(before: Row, after: Choices): 'none' | 'small' | 'work' {
  if (before.sku === 'Standard' && after.sku === 'Free')
    throw new Failure('invalid', 'A Standard store cannot become Free: create another one and copy its key-values.', {
      code: 'SkuDowngradeNotSupported',
    })
  if (before.sku !== after.sku || !isDeepStrictEqual(before.encryption, after.encryption)) return 'work'
  const same = isDeepStrictEqual(before.tags, after.tags) && isDeepStrictEqual(before.identity, after.identity)
  return same ? 'none' : 'small'
}

const skuOf = (name: string): Sku => (name.toLowerCase() === 'free' ? 'Free' : 'Standard')

function encryptionOf(encryption: Encryption | undefined): Encryption | null {
  const { keyIdentifier, identityClientId } = encryption?.keyVaultProperties ?? {}
  if (!keyIdentifier) return null
  return { keyVaultProperties: { keyIdentifier, ...(identityClientId && { identityClientId }) } }
}

/** In a PATCH, identities that are not named stay, and `null` takes one away. */
function merged(identity: Identity, before: Identity | null): Identity {
  const all = { ...before?.userAssignedIdentities, ...identity.userAssignedIdentities }
  const left = Object.entries(all).filter(([, one]) => one !== null)
  return { ...identity, userAssignedIdentities: Object.fromEntries(left) }
}

/** The ids that an identity gets stay the same as long as it has it. */
function identityOf(requested: Identity | undefined, tenant: string, before: Identity | null): Identity | null {
  const type = requested?.type ?? 'None'
  if (type === 'None') return null
  const names = Object.keys(requested?.userAssignedIdentities ?? {})
  const known = before?.userAssignedIdentities ?? {}
  const users = names.map((name) => [name, known[name] ?? { clientId: randomUUID(), principalId: randomUUID() }])
  return {
    type,
    ...(type.includes('SystemAssigned') && { principalId: before?.principalId ?? randomUUID(), tenantId: tenant }),
    ...(type.includes('UserAssigned') && { userAssignedIdentities: Object.fromEntries(users) }),
  }
}
