import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Vault } from '@icosa/kernel'
import { serviceName } from '../names.ts'

/**
 * Addresses that let whoever has them read something for a while: copies of files that are not public, on the pages of
 * moderators, and exports. What it is about stands in the path, which the signature covers.
 */
export interface Links {
  sign(path: string, expires: Date): string
  /** Whether the query of a request is that of a signed address, for this path, and still good. */
  opens(path: string, query: Readonly<Record<string, unknown>>, now: Date): boolean
}

export function linksOf(vault: Vault): Links {
  const key = vault.derive(`${serviceName} links`)
  const mac = (path: string, expires: string) => createHmac('sha256', key).update(`${expires}\n${path}`).digest()
  return {
    sign(path, at) {
      const expires = String(Math.floor(at.getTime() / 1_000))
      return `${path}?expires=${expires}&signature=${mac(path, expires).toString('base64url')}`
    },
    opens(path, { expires, signature }, now) {
      if (typeof expires !== 'string' || typeof signature !== 'string' || !/^\d{1,12}$/.test(expires)) return false
      const given = Buffer.from(signature, 'base64url')
      const expected = mac(path, expires)
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false
      return now.getTime() < Number(expires) * 1_000
    },
  }
}

/** Below the service. */
export const copyPath = (tenant: string, id: string, label: string): string =>
  `/media/${encodeURIComponent(tenant)}/${id}/${encodeURIComponent(label)}`
