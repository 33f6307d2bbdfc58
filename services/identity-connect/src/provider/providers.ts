import type { Platform } from '@icosa/kernel'
import { ensureSigningKeys, signingKeySet, signingKeyVersion } from '@icosa/tokens'
import type { Provider } from 'oidc-provider'
import { serviceName } from '../names.ts'
import type { IdentitySettings } from '../settings.ts'

/** Keys are looked at so often: a rotation reaches every node well before the new keys sign. */
const keysFreshMs = 1_000
/** A node has one public address; on a laptop two or three names for it. */
const issuersLimit = 8

/** The library under one address. */
export interface Mounted {
  readonly provider: Provider
  /** The path of the address. */
  readonly mount: string
  /** The library's own way in: made once, since it puts the library together. */
  readonly answer: ReturnType<Provider['callback']>
}

/** The library's instances of one node: one for every address under which the node is known. */
export interface Providers {
  at(url: URL): Promise<Mounted>
}

export function openProviders(platform: Platform, settings: IdentitySettings): Providers {
  const { database, clock, vault } = platform
  const known = new Map<string, Mounted & { readonly version: string }>()
  let version: { readonly text: Promise<string>; readonly at: number } | undefined

  function currentVersion(): Promise<string> {
    const now = performance.now()
    if (!version || now - version.at > keysFreshMs) {
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
      const found = known.get(issuer)
      if (found && found.version === (await currentVersion())) return found
      const { createProvider } = await import('./provider.ts') // the library comes with the first request, not with the node
      await ensureSigningKeys(database, clock, vault)
      const { keys, version: fresh } = await signingKeySet(database, vault, clock.now())
      const provider = createProvider({ platform, settings, issuer, keys })
      if (known.size >= issuersLimit) known.clear()
      const mounted = { provider, mount: new URL(issuer).pathname, answer: provider.callback(), version: fresh }
      known.set(issuer, mounted)
      return mounted
    },
  }
}

const own = new RegExp(`^(.*?)/(?:${serviceName}|[^/]+/(?:oauth2/)?v2\\.0)(?:/|$)`)

/** The address of the platform: behind a proxy it may have a path. */
function rootOf({ origin, pathname }: URL): string {
  return origin + (own.exec(pathname)?.[1] ?? '')
}
