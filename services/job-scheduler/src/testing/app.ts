import type { Client } from '@icosa/client'
import type { Contract } from '@icosa/contract'
import type { NodeOptions } from '@icosa/kernel'
import { startTestApp, type TestApp } from '@icosa/testing'
import { collections } from '../collections/contract.ts'
import { jobScheduler, type SchedulerSettings } from '../index.ts'
import { jobs } from '../jobs/contract.ts'
import { versions } from '../names.ts'

export const start = (
  options: Partial<Omit<NodeOptions, 'services'>> = {},
  settings: Partial<SchedulerSettings> = {},
) => startTestApp({ services: [jobScheduler(settings)], ...options })

/** A call without its `api-version`. */
type Unversioned<Call> = Call extends (request: infer R extends { readonly query: object }) => infer Answer
  ? (request: Omit<R, 'query'> & { readonly query?: Partial<Omit<R['query'], 'api-version'>> }) => Answer
  : never
type Calls<C extends Contract> = { readonly [Name in keyof C]: Unversioned<Client<C>[Name]> }

export interface Callers {
  readonly collections: Calls<typeof collections>
  readonly jobs: Calls<typeof jobs>
}

export async function callersOf(app: TestApp, tenant = 'acme'): Promise<Callers> {
  const target = {
    headers: { authorization: `Bearer ${await app.key(tenant)}` },
    query: { 'api-version': versions[0] },
  }
  // Every request also gets the query above, which the client's type does not express.
  return { collections: app.client(collections, target), jobs: app.client(jobs, target) } as unknown as Callers
}

export const group = { subscriptionId: 'sub-1', resourceGroupName: 'Group' }
export const nightly = { ...group, jobCollectionName: 'Nightly' }
export const at = (jobName: string) => ({ ...nightly, jobName })

/** An HTTP action without retries. */
export function request(uri: string, more: object = {}) {
  return {
    type: 'Http' as const,
    request: { uri, method: 'POST', body: 'hello', headers: { 'content-type': 'text/plain' }, ...more },
    retryPolicy: { retryType: 'None' as const },
  }
}

export const everyMinute = { frequency: 'Minute' as const, interval: 1 }
export const minuteMs = 60_000
