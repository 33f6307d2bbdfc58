import { nameChecker } from '@icosa/dialects/arm/names'

export { keyOf } from '@icosa/dialects/arm/names'

/** Where the diagnostics of a service are, in the caller's spelling. */
export interface ServiceAddress {
  readonly subscriptionId: string
  readonly resourceGroupName: string
  readonly serviceName: string
}

export interface DiagnosticAddress extends ServiceAddress {
  readonly diagnosticId: string
}

export const checked = nameChecker({
  serviceName: {
    pattern: /^[a-z](?:[a-z0-9-]{0,48}[a-z0-9])?$/i,
    message: 'has 1 to 50 letters, digits and -, begins with a letter and does not end in -',
  },
  diagnosticId: {
    pattern: /^[^*#&+:<>?/\p{C}]{1,80}$/u,
    message: 'has 1 to 80 printable characters other than * # & + : < > ? /',
  },
})
