import type { DialectServer, TenantSource } from '@icosa/kernel'
import type { ConfigurationStoresSettings } from '../settings.ts'

type Endpoint = Pick<ConfigurationStoresSettings, 'endpoint'>

/** Hosts of stores and the path of their API there, if the endpoint has `{name}` in its host. */
function hostsOf({ endpoint }: Endpoint): { readonly pattern: RegExp; readonly path: string } | undefined {
  const [, host = '', path = ''] = /^https?:\/\/([^/]+)(.*?)\/?$/.exec(endpoint) ?? []
  if (!host.includes('{name}')) return undefined
  const [prefix = '', suffix = ''] = host
    .split('{name}', 2)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return { pattern: new RegExp(`^${prefix}([\\w-]+)${suffix}$`, 'i'), path }
}

/** Locates a store by host name. The path works in any case. */
export function byHost(settings: Endpoint): DialectServer['locate'] {
  const hosts = hostsOf(settings)
  if (!hosts) return undefined
  const { pattern, path } = hosts
  return ({ target, headers }) => {
    const name = pattern.exec(String(headers.host ?? ''))?.[1]
    return name !== undefined && target.startsWith(`${path}/`)
      ? `/stores/${name}${target.slice(path.length)}`
      : undefined
  }
}

/** The access keys of a store have no tag, but its name belongs to one tenant. */
export function tenantSources(settings: Endpoint): TenantSource[] {
  const hosts = hostsOf(settings)
  return [
    { in: 'path', pattern: '/stores/([^/]+)', gives: 'store' },
    ...(hosts ? [{ in: 'host', pattern: hosts.pattern.source, gives: 'store' } as const] : []),
  ]
}
