import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Vault } from '@icosa/kernel'
import { serviceName } from '../names.ts'

/** Signed, expiring URLs for exports, and for non-public files on moderators' pages. The signature covers the path. */
export interface Links {
  sign(path: string, expires: Date): string
  /** Whether the query contains a valid signature of the path that has not expired. */
  verify(path: string, query: Readonly<Record<string, unknown>>, now: Date): boolean
}

export function linksOf(vault: Vault): Links {
  const key = vault.derive(`${serviceName} links`)
  const mac = (path: string, expires: string) => createHmac('sha256', key).update(`${expires}\n${path}`).digest()
  return {
    sign(path, at) {
      const expires = String(Math.floor(at.getTime() / 1_000))
      return `${path}?expires=${expires}&signature=${mac(path, expires).toString('base64url')}`
    },
    verify(path, { expires, signature }, now) {
      if (typeof expires !== 'string' || typeof signature !== 'string' || !/^\d{1,12}$/.test(expires)) return false
      const actual = Buffer.from(signature, 'base64url')
      const expected = mac(path, expires)
      if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return false
      return now.getTime() < Number(expires) * 1_000
    },
  }
}

export const copyPath = (tenant: string, id: string, label: string): string =>
  `/media/${encodeURIComponent(tenant)}/${id}/${encodeURIComponent(label)}`
