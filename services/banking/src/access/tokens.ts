import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * Tokens say of which tenant they are, so that every table has the tenant first in its key. What is random comes first: there
 * are clients that tell keys apart by their first letters.
 */
const tokenOf = (kind: string, tenant: string) =>
  `${kind}_${randomBytes(32).toString('hex')}.${Buffer.from(tenant).toString('base64url')}`

export interface Secret {
  readonly token: string
  readonly hash: Buffer
}

/** 256 random bits: a fast hash is enough to keep them safe at rest. */
export const hashOf = (token: string) => createHash('sha256').update(token).digest()

export function newSecret(kind: 'sandbox' | 'session', tenant: string): Secret {
  const token = tokenOf(kind, tenant)
  return { token, hash: hashOf(token) }
}

export function tenantOf(token: string, kind: 'sandbox' | 'session'): string | undefined {
  const [, found, tenant] = /^(\w+)_[0-9a-f]{64}\.([\w-]+)$/.exec(token) ?? []
  return found === kind && tenant !== undefined && token.length <= 300
    ? Buffer.from(tenant, 'base64url').toString()
    : undefined
}

/** What the token of an installation says: nothing is kept for strangers, who may make as many as they like. */
export interface Installation {
  readonly id: string
  readonly publicKey: string
  readonly createdAt: string
}

const mac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest()

export function sealInstallation(key: Buffer, installation: Installation): string {
  const text = Buffer.from(JSON.stringify(installation)).toString('base64url')
  return `installation.${text}.${mac(key, text).toString('base64url')}`
}

export function openInstallation(key: Buffer, token: string): Installation | undefined {
  const [kind, text = '', seal = ''] = token.split('.')
  const expected = mac(key, text)
  const given = Buffer.from(seal, 'base64url')
  if (kind !== 'installation' || given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  return JSON.parse(Buffer.from(text, 'base64url').toString())
}
