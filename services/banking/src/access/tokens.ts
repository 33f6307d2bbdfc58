import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * Tokens contain their tenant, so that every table can have the tenant first in its key. The random part comes first: some
 * clients distinguish keys by their first characters.
 */
const tokenOf = (kind: string, tenant: string) =>
  `${kind}_${randomBytes(32).toString('hex')}.${Buffer.from(tenant).toString('base64url')}`

export interface Secret {
  readonly token: string
  readonly hash: Buffer
}

/** A fast hash protects 256 random bits well enough at rest. */
export const hashOf = (token: string) => createHash('sha256').update(token).digest()

export function newSecret(kind: 'sandbox' | 'session', tenant: string): Secret {
  const token = tokenOf(kind, tenant)
  return { token, hash: hashOf(token) }
}

export function tenantOf(token: string, kind: 'sandbox' | 'session'): string | undefined {
  const [, prefix, tenant] = /^(\w+)_[0-9a-f]{64}\.([\w-]+)$/.exec(token) ?? []
  return prefix === kind && tenant !== undefined && token.length <= 300
    ? Buffer.from(tenant, 'base64url').toString()
    : undefined
}

/** The content of an installation token. It is stateless: anonymous callers may create any number. */
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
  const actual = Buffer.from(seal, 'base64url')
  if (kind !== 'installation' || actual.length !== expected.length || !timingSafeEqual(actual, expected))
    return undefined
  return JSON.parse(Buffer.from(text, 'base64url').toString())
}
