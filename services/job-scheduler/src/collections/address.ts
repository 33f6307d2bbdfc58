export { keyOf } from '@icosa/dialects/arm/names'

/** Address of a collection, in the caller's spelling. */
export interface CollectionAddress {
  readonly subscriptionId: string
  readonly resourceGroupName: string
  readonly jobCollectionName: string
}

export interface JobAddress extends CollectionAddress {
  readonly jobName: string
}
