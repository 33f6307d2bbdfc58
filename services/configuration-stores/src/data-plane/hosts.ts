import type { DialectServer } from '@icosa/kernel'
import type { ConfigurationStoresSettings } from '../settings.ts'

/** Locates a store by host name, if the endpoint has `{name}` there. The path works in any case. */
export function byHost({ endpoint }: ConfigurationStoresSettings): DialectServer['locate'] {
  const [, host = '', path = ''] = /^https?:\/\/([^/]+)(.*?)\/?$/.exec(endpoint) ?? []
  if (!host.includes('{name}')) return undefined
  const [prefix = '', suffix = ''] = host
    .split('{name}', 2)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(`^${prefix}([\\w-]+)${suffix}$`, 'i')
  return ({ target, headers }) => {
    const name = pattern.exec(String(headers.host ?? ''))?.[1]
    return name !== undefined && target.startsWith(`${path}/`)
      ? `/stores/${name}${target.slice(path.length)}`
      : undefined
  }
}
