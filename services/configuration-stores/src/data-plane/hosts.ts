import type { DialectServer } from '@icosa/kernel'
import type { ConfigurationStoresSettings } from '../settings.ts'

/** Finds the store that a host's name names, where the endpoint has it there. The path works in any case. */
export function byHost({ endpoint }: ConfigurationStoresSettings): DialectServer['locate'] {
  const [, host = '', path = ''] = /^https?:\/\/([^/]+)(.*?)\/?$/.exec(endpoint) ?? []
  if (!host.includes('{name}')) return undefined
  const [before = '', after = ''] = host
    .split('{name}', 2)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(`^${before}([\\w-]+)${after}$`, 'i')
  return ({ target, headers }) => {
    const name = pattern.exec(String(headers.host ?? ''))?.[1]
    return name !== undefined && target.startsWith(`${path}/`)
      ? `/stores/${name}${target.slice(path.length)}`
      : undefined
  }
}
