export { keyOf } from '@icosa/dialects/arm/names'

/** Where a store is, in the caller's spelling. */
export interface StoreAddress {
  readonly subscriptionId: string
  readonly resourceGroupName: string
  readonly configStoreName: string
}

/** Locations are written with and without spaces. */
export const isSameLocation = (one: string, other: string) => normalized(one) === normalized(other)

const normalized = (location: string) => location.replaceAll(' ', '').toLowerCase()
