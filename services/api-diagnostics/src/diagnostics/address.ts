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
