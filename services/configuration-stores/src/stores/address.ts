export { keyOf } from '@icosa/dialects/arm/names'

/** Where a store is, in the caller's spelling. */
export interface StoreAddress {
  readonly subscriptionId: string
  readonly resourceGroupName: string
  readonly configStoreName: string
}
