import { type Detail, invalid } from '@icosa/kernel'

/** Where the diagnostics of a service are, in the caller's spelling. */
export interface ServiceAddress {
  readonly subscriptionId: string
  readonly resourceGroupName: string
  readonly serviceName: string
}

export interface DiagnosticAddress extends ServiceAddress {
  readonly diagnosticId: string
}

/** How names are compared. In one place, so that PostgreSQL's idea of lower case never meets JavaScript's. */
export const keyOf = (name: string) => name.toLowerCase()

interface Rule {
  readonly pattern: RegExp
  readonly message: string
}

const printable: Rule = { pattern: /^[^/\p{C}]{1,90}$/u, message: 'has 1 to 90 printable characters other than /' }

const rules: Readonly<Record<keyof DiagnosticAddress, Rule>> = {
  subscriptionId: printable,
  resourceGroupName: printable,
  serviceName: {
    pattern: /^[a-z](?:[a-z0-9-]{0,48}[a-z0-9])?$/i,
    message: 'has 1 to 50 letters, digits and -, begins with a letter and does not end in -',
  },
  diagnosticId: {
    pattern: /^[^*#&+:<>?/\p{C}]{1,80}$/u,
    message: 'has 1 to 80 printable characters other than * # & + : < > ? /',
  },
}

/** Refuses names that cannot be; the rest of the service need not think of them. */
export function checked<A extends ServiceAddress>(address: A & Partial<DiagnosticAddress>): A {
  const wrong = Object.entries(rules).flatMap(([part, { pattern, message }]): Detail[] => {
    const name = address[part as keyof DiagnosticAddress]
    return name === undefined || pattern.test(name) ? [] : [{ at: `path/${part}`, message }]
  })
  if (wrong.length > 0) invalid(wrong)
  return address
}
