import { isDeepStrictEqual } from 'node:util'
import { Failure, invalid } from '@icosa/kernel'
import { encryptionOf, noEncryption, type Wrapping } from '../encryption/choice.ts'
import type { StoreInput, StoreUpdate } from './contract.ts'
import { refuseUnbuilt } from './refusals.ts'
import type { Choices, Encryption, Row, Sku, Switches } from './store.ts'

const defaultRetentionDays = 7

/** Defaults of a new store. Clients without soft delete do not expect it. */
const defaultsFor = (sku: Sku, knowsSoftDelete: boolean): Switches & Encryption => ({
  ...noEncryption,
  publicNetworkAccess: true,
  disableLocalAuth: false,
  retentionDays: knowsSoftDelete && sku === 'Standard' ? defaultRetentionDays : null,
  purgeProtection: false,
})

/** Choices for a new store. */
export function choicesFor(input: StoreInput, wrapping: Wrapping, knowsSoftDelete: boolean): Choices {
  const choices = replaced(input, wrapping, defaultsFor(skuOf(input.sku.name), knowsSoftDelete))
  demandConsistent(choices)
  return choices
}

/** Choices for an existing store by PUT: omitted access settings stay unchanged. */
export function replaced(input: StoreInput, wrapping: Wrapping, before: Switches & Encryption): Choices {
  refuseUnbuilt(input, 'whole')
  const { sku, tags = {}, properties } = input
  return {
    sku: skuOf(sku.name),
    tags,
    ...switched(properties, before),
    ...encryptionOf(properties?.encryption, wrapping, before),
  }
}

/** Choices for an existing store by PATCH. */
export function changed(before: Row, change: StoreUpdate, wrapping: Wrapping): Choices {
  refuseUnbuilt(change, 'change')
  const { sku, tags, properties } = change
  return {
    sku: sku ? skuOf(sku.name) : before.sku,
    tags: tags ?? before.tags,
    ...switched(properties, before),
    ...encryptionOf(properties?.encryption, wrapping, before),
  }
}

function switched(properties: StoreInput['properties'], before: Switches): Switches {
  const { publicNetworkAccess, disableLocalAuth, softDeleteRetentionInDays, enablePurgeProtection } = properties ?? {}
  return {
    publicNetworkAccess: publicNetworkAccess ? publicNetworkAccess === 'Enabled' : before.publicNetworkAccess,
    disableLocalAuth: disableLocalAuth ?? before.disableLocalAuth,
    retentionDays: softDeleteRetentionInDays ?? before.retentionDays,
    purgeProtection: enablePurgeProtection ?? before.purgeProtection,
  }
}

/** Whether a change has an effect, and whether it needs a background job. */
export function extentOf(before: Row, after: Choices): 'none' | 'small' | 'work' {
  demandConsistent(after, before)
  const { sku, publicNetworkAccess, disableLocalAuth } = after
  const isWork =
    before.sku !== sku ||
    before.keyIdentifier !== after.keyIdentifier ||
    before.publicNetworkAccess !== publicNetworkAccess ||
    before.disableLocalAuth !== disableLocalAuth
  if (isWork) return 'work'
  const { retentionDays, purgeProtection } = after
  const isSameRetention = before.retentionDays === retentionDays && before.purgeProtection === purgeProtection
  return isSameRetention && isDeepStrictEqual(before.tags, after.tags) ? 'none' : 'small'
}

/** Refuses contradictions, and changes of immutable settings. */
export function demandConsistent({ sku, retentionDays, purgeProtection }: Choices, before?: Row): void {
  if (before?.sku === 'Standard' && sku === 'Free')
    throw new Failure('invalid', 'A Standard store cannot become Free: create another one and copy its key-values.', {
      code: 'SkuDowngradeNotSupported',
    })
  const refuse = (name: string, message: string) => invalid([{ at: `body/properties/${name}`, message }])
  if (sku === 'Free' && retentionDays !== null)
    refuse('softDeleteRetentionInDays', 'is only for Standard stores: a Free one is deleted permanently')
  if (before?.retentionDays && retentionDays !== before.retentionDays)
    refuse('softDeleteRetentionInDays', `is ${before.retentionDays} and cannot be changed: omit it`)
  if (purgeProtection && retentionDays === null) refuse('enablePurgeProtection', 'requires softDeleteRetentionInDays')
  if (before?.purgeProtection && !purgeProtection) refuse('enablePurgeProtection', 'cannot be disabled: omit it')
}

const skuOf = (name: string): Sku => (name.toLowerCase() === 'free' ? 'Free' : 'Standard')
