import { groupId, resourceId } from '@icosa/dialects/arm/ids'
import type { ResourceEntry } from '@icosa/kernel'
import type { CollectionAddress } from './address.ts'
import { api, type JobCollection } from './contract.ts'
import { quotaOf } from './quota.ts'
import type { Row } from './store.ts'

export const collectionType = `${api.namespace}/jobCollections`

/** In the letter case of its creation. */
export const collectionId = (address: CollectionAddress) =>
  resourceId(address, api.namespace, 'jobCollections', address.jobCollectionName)

export function toJobCollection(row: Row): JobCollection {
  return {
    id: collectionId(row),
    type: collectionType,
    name: row.jobCollectionName,
    location: row.location,
    tags: row.tags,
    properties: { sku: { name: row.sku }, state: row.state, quota: quotaOf(row.sku, row.quota) },
  }
}

/** Registry entry. */
export function entryOf(row: Row): ResourceEntry {
  const { jobCollectionName: name, location, tags } = row
  return { id: collectionId(row), type: collectionType, name, scope: groupId(row), location, tags }
}
