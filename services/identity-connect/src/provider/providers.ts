import type { Platform } from '@icosa/kernel'
import { ensureSigningKeys, signingKeySet, signingKeyVersion } from '@icosa/tokens'
import type { Provider } from 'oidc-provider'
import { serviceName } from '../names.ts'
import type { IdentitySettings } from '../settings.ts'

/** A rotation reaches every node well before the new keys sign. */
const keyCheckMs = 1_000
/** A node has one public URL, or a few names on a laptop. */
const maxIssuers = 8

/** The library for one issuer. */
export interface Mounted {
  readonly provider: Provider
  /** The path of the issuer. */
  readonly mount: string
  /** The request handler, created once since that is expensive. */
  readonly handle: ReturnType<Provider['callback']>
}

/** The library's instances on a node: one per issuer. */
export interface Providers {
  at(url: URL): Promise<Mounted>
}

export function openProviders(platform: Platform, settings: IdentitySettings): Providers {
  const { database, clock, cellVault } = platform
  const mountedByIssuer = new Map<string, Mounted & { readonly version: string }>()
  let version: { readonly text: Promise<string>; readonly at: number } | undefined

  function currentVersion(): Promise<string> {
    const now = performance.now()
    if (!version || now - version.at > keyCheckMs) {
      const text = signingKeyVersion(database, clock.now())
      version = { text, at: now }
      text.catch(() => {
        version = undefined
      })
    }
    return version.text
  }

  return {
    async at(url) {
      const issuer = `${rootOf(url)}/${serviceName}`
      const existing = mountedByIssuer.get(issuer)
      if (existing && existing.version === (await currentVersion())) return existing
      const { createProvider } = await import('./provider.ts') // the library is loaded by the first request
      await ensureSigningKeys(database, clock, cellVault)
      const { keys, version: fresh } = await signingKeySet(database, cellVault, clock.now())
      const provider = createProvider({ platform, settings, issuer, keys })
      if (mountedByIssuer.size >= maxIssuers) mountedByIssuer.clear()
      const mounted = { provider, mount: new URL(issuer).pathname, handle: provider.callback(), version: fresh }
      mountedByIssuer.set(issuer, mounted)
      return mounted
    },
  }
}

const own = new RegExp(`^(.*?)/(?:${serviceName}|[^/]+/(?:oauth2/)?v2\\.0)(?:/|$)`)

/** The URL of the platform, which may have a path behind a proxy. */
function rootOf({ origin, pathname }: URL): string {
  return origin + (own.exec(pathname)?.[1] ?? '')
}
