import type { FunctionsSettings } from '../settings.ts'

/** Where functions are called on the host of the platform. */
export const callRoot = '/functions/run/'

/** The URL of a function, by its address. */
export type UrlOf = (address: string) => string

/** An origin for each function where there is a domain for them, and otherwise a path of the platform. */
export function urlsOf({ baseUrl, domain }: Pick<FunctionsSettings, 'baseUrl' | 'domain'>): UrlOf {
  if (domain === undefined) return (address) => baseUrl.replace(/\/$/, '') + callRoot + address
  const { protocol, port } = new URL(baseUrl)
  return (address) => `${protocol}//${address}.${domain}${port && `:${port}`}`
}
