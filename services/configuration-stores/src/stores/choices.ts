import { isDeepStrictEqual } from 'node:util'
import { Failure, invalid } from '@icosa/kernel'
import { encryptionOf, noEncryption, type Wrapping } from '../encryption/choice.ts'
import type { StoreInput, StoreUpdate } from './contract.ts'
import { refuseUnbuilt } from './refusals.ts'
import type { Choices, Encryption, Row, Sku, Switches } from './store.ts'

/** For how long a store is kept, of which its creator says nothing. */
const defaultRetentionDays = 7

/** What a store has of which nobody said anything. Clients of before soft delete expect none. */
const usual = (sku: Sku, knowsSoftDelete: boolean): Switches & Encryption => ({
  ...noEncryption,
  publicNetworkAccess: true,
  disableLocalAuth: false,
  retentionDays: knowsSoftDelete && sku === 'Standard' ? defaultRetentionDays : null,
  purgeProtection: false,
})

/** All that a caller decides about a new store. */
export function chosen(input: StoreInput, wrapping: Wrapping, knowsSoftDelete: boolean): Choices {
  const choices = replaced(input, wrapping, usual(skuOf(input.sku.name), knowsSoftDelete))
  demandConsistent(choices)
  return choices
}

/** The same about one that is there: what opens or closes it stays as it is where nothing is said of it. */
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

/** The same from a description of what is to change. */
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

/** What a change comes to: nothing, a few words on the row, or work that goes on in the background. */
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
  const isKept = before.retentionDays === retentionDays && before.purgeProtection === purgeProtection
  return isKept && isDeepStrictEqual(before.tags, after.tags) ? 'none' : 'small'
}

/** Refuses what contradicts itself, or what was decided for good. */
export function demandConsistent({ sku, retentionDays, purgeProtection }: Choices, before?: Row): void {
  if (before?.sku === 'Standard' && sku === 'Free')
    throw new Failure('invalid', 'A Standard store cannot become Free: create another one and copy its key-values.', {
      code: 'SkuDowngradeNotSupported',
    })
  const wrong = (name: string, message: string) => invalid([{ at: `body/properties/${name}`, message }])
  if (sku === 'Free' && retentionDays !== null)
    wrong('softDeleteRetentionInDays', 'is only for Standard stores: a Free one is gone when it is deleted')
  if (before?.retentionDays && retentionDays !== before.retentionDays)
    wrong('softDeleteRetentionInDays', `is ${before.retentionDays} and stays so: leave it out`)
  if (purgeProtection && retentionDays === null)
    wrong('enablePurgeProtection', 'needs softDeleteRetentionInDays: a store that is not kept cannot be protected')
  if (before?.purgeProtection && !purgeProtection) wrong('enablePurgeProtection', 'cannot be taken back: leave it out')
}

const skuOf = (name: string): Sku => (name.toLowerCase() === 'free' ? 'Free' : 'Standard')
