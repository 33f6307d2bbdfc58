export { keyOf } from '@icosa/dialects/arm/names'

/** Parameters of a service, in the caller's spelling. */
export interface ServiceAddress {
  readonly subscriptionId: string
  readonly resourceGroupName: string
  readonly serviceName: string
}

export interface DiagnosticAddress extends ServiceAddress {
  readonly diagnosticId: string
}
