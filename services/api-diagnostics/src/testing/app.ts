import type { Client } from '@icosa/client'
import { startTestApp, type TestApp } from '@icosa/testing'
import { diagnostics } from '../diagnostics/contract.ts'
import { apiDiagnostics } from '../index.ts'

export const start = () => startTestApp(apiDiagnostics)

/** A call without its `api-version`. */
type Unversioned<Call> = Call extends (request: infer R extends { readonly query: object }) => infer Answer
  ? (request: Omit<R, 'query'> & { readonly query?: Omit<R['query'], 'api-version'> }) => Answer
  : never
type Calls = Client<typeof diagnostics>

export async function clientOf(app: TestApp, { tenant = 'acme', version = '2019-12-01-preview' } = {}) {
  const client = app.client(diagnostics, {
    headers: { authorization: `Bearer ${await app.key(tenant)}` },
    query: { 'api-version': version },
  })
  // Every request gets the query above in addition to its own, which the type does not express.
  return client as unknown as { readonly [Name in keyof Calls]: Unversioned<Calls[Name]> }
}

export const service = { subscriptionId: 'sub-1', resourceGroupName: 'Group', serviceName: 'braille-translation' }
export const local = { ...service, diagnosticId: 'Local' }

export const settings = {
  loggerId: '/subscriptions/sub-1/resourceGroups/Group/providers/Vendor.ApiManagement/service/a/loggers/b',
  alwaysLog: 'allErrors' as const,
  sampling: { samplingType: 'fixed' as const, percentage: 25 },
  frontend: { request: { headers: ['Accept'], body: { bytes: 100 } } },
}
