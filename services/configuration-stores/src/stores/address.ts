export { keyOf } from '@icosa/dialects/arm/names'

/** Address of a store, in the caller's spelling. */
export interface StoreAddress {
  readonly subscriptionId: string
  readonly resourceGroupName: string
  readonly configStoreName: string
}

/** Locations are written with and without spaces. */
export const isSameLocation = (a: string, b: string) => normalized(a) === normalized(b)

const normalized = (location: string) => location.replaceAll(' ', '').toLowerCase()
