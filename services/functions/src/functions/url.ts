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
