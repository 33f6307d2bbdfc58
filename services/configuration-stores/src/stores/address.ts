import { type Detail, invalid } from '@icosa/kernel'

/** Where a store is, in the caller's spelling. */
export interface StoreAddress {
  readonly subscriptionId: string
  readonly resourceGroupName: string
  readonly configStoreName: string
}

/** How names are compared. In one place, so that PostgreSQL's idea of lower case never meets JavaScript's. */
export const keyOf = (name: string) => name.toLowerCase()

interface Rule {
  readonly pattern: RegExp
  readonly message: string
}

const printable: Rule = { pattern: /^[^/\p{C}]{1,90}$/u, message: 'has 1 to 90 printable characters other than /' }
const resource: Rule = { pattern: /^[\w.-]{1,80}$/, message: 'has 1 to 80 letters, digits, . _ -' }
export const storeName: Rule = { pattern: /^[a-zA-Z0-9_-]{5,50}$/, message: 'has 5 to 50 letters, digits, _ and -' }

const rules: Readonly<Record<string, Rule>> = {
  resourceGroupName: printable,
  configStoreName: storeName,
  privateEndpointConnectionName: resource,
  groupName: resource,
}

/** Refuses names that cannot be; the rest of the service need not think of them. */
export function checked<Params extends Readonly<Record<string, string>>>(params: Params): Params {
  const wrong = Object.entries(params).flatMap(([part, name]): Detail[] => {
    const rule = rules[part]
    return !rule || rule.pattern.test(name) ? [] : [{ at: `path/${part}`, message: rule.message }]
  })
  if (wrong.length > 0) invalid(wrong)
  return params
}
