import { type Detail, invalid } from '@icosa/kernel'

/** Where a collection is, in the caller's spelling. */
export interface CollectionAddress {
  readonly subscriptionId: string
  readonly resourceGroupName: string
  readonly jobCollectionName: string
}

export interface JobAddress extends CollectionAddress {
  readonly jobName: string
}

/** How names are compared. In one place, so that PostgreSQL's idea of lower case never meets JavaScript's. */
export const keyOf = (name: string) => name.toLowerCase()

interface Rule {
  readonly pattern: RegExp
  readonly message: string
}

const printable: Rule = { pattern: /^[^/\p{C}]{1,90}$/u, message: 'has 1 to 90 printable characters other than /' }
const resource: Rule = { pattern: /^[\w.-]{1,100}$/, message: 'has 1 to 100 letters, digits, . _ -' }

const rules: Readonly<Record<string, Rule>> = {
  subscriptionId: printable,
  resourceGroupName: printable,
  jobCollectionName: resource,
  jobName: resource,
}

/** Refuses names that cannot be; the rest of the service need not think of them. */
export function checked<Params extends object>(params: Params): Params {
  const wrong = Object.entries(params).flatMap(([part, name]): Detail[] => {
    const rule = rules[part]
    return !rule || rule.pattern.test(name) ? [] : [{ at: `path/${part}`, message: rule.message }]
  })
  if (wrong.length > 0) invalid(wrong)
  return params
}
