import { type NameRule, nameChecker, plainName } from '@icosa/dialects/arm/names'

export { keyOf } from '@icosa/dialects/arm/names'

/** Where a store is, in the caller's spelling. */
export interface StoreAddress {
  readonly subscriptionId: string
  readonly resourceGroupName: string
  readonly configStoreName: string
}

export const storeName: NameRule = {
  pattern: /^[a-zA-Z0-9_-]{5,50}$/,
  message: 'has 5 to 50 letters, digits, _ and -',
}

export const checked = nameChecker({
  configStoreName: storeName,
  privateEndpointConnectionName: plainName(80),
  groupName: plainName(80),
})
