import { ClientSecretCredential } from '@azure/identity'
import { identityConnect } from '@icosa/identity-connect'
import { createKey, type Service } from '@icosa/kernel'
import type { TestAppOptions } from '@icosa/testing'
import { type SdkApp, startSdkApp } from './tls.ts'

export interface SdkPlatform extends SdkApp {
  /** Over TLS, which most of these SDKs require. */
  readonly url: string
  readonly tenant: string
  /** The SDKs' own credential: a key of the tenant against our token endpoint. */
  readonly credential: ClientSecretCredential
}

/** Starts services with the identity service and workers, as an SDK meets them in production. */
export async function startSdkPlatform(
  servicesAt: (url: string) => readonly Service[],
  appOptions: Partial<TestAppOptions> = {},
): Promise<SdkPlatform> {
  const sdkApp = await startSdkApp((url) => [identityConnect(), ...servicesAt(url)], appOptions)
  const url = sdkApp.at('https')
  const tenant = 'acme'
  const { database, clock } = sdkApp.app.platform
  const { id, key } = await createKey(database, clock, { tenant, name: 'sdk', permissions: ['*'] })
  const options = { authorityHost: url, disableInstanceDiscovery: true }
  return { ...sdkApp, url, tenant, credential: new ClientSecretCredential(tenant, id, key, options) }
}

/** Operations of a client by their names in its oldest major version. */
type Calls = Readonly<Record<string, (...words: readonly unknown[]) => unknown>>

/**
 * Adapts a newer client to the interface of the oldest: long-running operations are awaited, `deleteMethod` is `delete`, and
 * lists are read to their end.
 */
export function asOldest<T extends object>(client: object): T {
  const call = (group: Calls, name: string) => {
    const base = name === 'deleteMethod' ? 'delete' : name
    const method = group[`begin${base[0]?.toUpperCase()}${base.slice(1)}AndWait`] ?? group[base]
    return async (...words: readonly unknown[]) => {
      const answer = method?.apply(group, [...words])
      const isList = typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer
      return isList ? Array.fromAsync(answer as AsyncIterable<unknown>) : answer
    }
  }
  const groups = { get: (group: Calls, name: string) => call(group, name) }
  const whole = { get: (all: Record<string, Calls>, name: string) => new Proxy(all[name] ?? {}, groups) }
  return new Proxy(client as Record<string, Calls>, whole) as unknown as T
}
