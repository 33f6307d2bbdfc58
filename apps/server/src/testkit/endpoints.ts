import { signedFetch } from '@icosa/dialects/signed/fetch'
import { suggestion } from '@icosa/module'
import type { Endpoint, Tenant } from './types.ts'

/** An API as the platform or this process lists it. */
interface Listed {
  readonly name: string
  readonly api?: string | undefined
  readonly url: string
  readonly authentication: { readonly kind: Endpoint['authentication']; readonly service?: string | undefined }
  readonly credentials: {
    readonly header?: string
    readonly key?: string
    readonly accessKeyId?: string
    readonly secretAccessKey?: string
    readonly region?: string
  }
}

/** The APIs as one tenant calls them; calls fail once `check` throws. */
export function tenantOf(name: string, listed: readonly Listed[], check: () => void = () => {}): Tenant {
  const services = listed.map((one) => endpointOf(one, check))
  const service = (name: string, api?: string): Endpoint => {
    const endpoint = services.find((service) => service.name === name && (api === undefined || service.api === api))
    if (endpoint) return endpoint
    const names = services.map((service) => service.name)
    throw new Error(
      `This instance has no service '${name}'${api ? ` with an API '${api}'` : ''}.${suggestion(name, names)}`,
    )
  }
  return {
    name,
    services,
    service: service as Tenant['service'], // endpoints of signed services have `signing`
    fetch: async (name, path, init) => service(name).fetch(path, init),
  }
}

function endpointOf({ name, api, url, authentication, credentials }: Listed, check: () => void): Endpoint {
  const { header, key = '', accessKeyId, secretAccessKey, region } = credentials
  const headers: Record<string, string> = header ? { [header]: key } : {}
  const signing =
    authentication.service && accessKeyId && secretAccessKey && region
      ? { accessKeyId, secretAccessKey, region, service: authentication.service }
      : undefined
  const signed = signing && signedFetch({ id: signing.accessKeyId, secret: signing.secretAccessKey, ...signing })
  return {
    name,
    api,
    url,
    authentication: authentication.kind,
    key: secretAccessKey ?? (authentication.kind === 'bearer' ? key.replace(/^Bearer /, '') : key),
    headers,
    signing,
    async fetch(path, init = {}) {
      check()
      const all = new Headers(init.headers)
      for (const [one, value] of Object.entries(headers)) if (!all.has(one)) all.set(one, value)
      if (typeof init.body === 'string' && !all.has('content-type')) all.set('content-type', 'application/json')
      return (signed ?? fetch)(url + path, { ...init, headers: all })
    },
  }
}
