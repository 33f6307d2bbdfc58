import type { TenantSource } from '@icosa/kernel'
import type { FunctionsSettings } from '../settings.ts'

/** Path of functions on the host of the platform. */
export const callRoot = '/functions/run/'

export type UrlOf = (address: string) => string

/** URLs have an origin per function if there is a domain, else a path on the platform. */
export function urlsOf({ baseUrl, domain }: Pick<FunctionsSettings, 'baseUrl' | 'domain'>): UrlOf {
  if (domain === undefined) return (address) => baseUrl.replace(/\/$/, '') + callRoot + address
  const { protocol, port } = new URL(baseUrl)
  return (address) => `${protocol}//${address}.${domain}${port && `:${port}`}`
}

/** An address ends in the tenant's tag; an older one names its tenant by itself. */
export const sourcesIn = (part: 'host' | 'path', start: string): TenantSource[] => [
  { in: part, pattern: `${start}[^./]*-[a-z2-9]{10}-([a-z2-9]{12})(?:[./]|$)`, gives: 'tag' },
  { in: part, pattern: `${start}([^./]+)`, gives: 'function' },
]
