import { createHash } from 'node:crypto'
import { systemClock } from '@icosa/kernel'
import { type JWTPayload, jwtVerify } from 'jose'
import { expect } from 'vitest'
import type { Context } from './plan.ts'

export interface IdToken {
  readonly raw: string
  readonly header: { readonly alg?: string; readonly kid?: string }
  readonly claims: JWTPayload
}

export interface Expected {
  readonly nonce: string | null
  /** Tokens of the same response, whose hashes must match; the authorization endpoint must include them. */
  readonly accessToken?: string | null | undefined
  readonly code?: string | null | undefined
  readonly from: 'authorization' | 'token'
}

const skewSeconds = 5 * 60
const yearSeconds = 365 * 86_400

/** The suite's checks of every ID token. */
export async function checkIdToken(context: Context, raw: string, expected: Expected): Promise<IdToken> {
  const { identity, client, keys } = context
  const { payload, protectedHeader } = await jwtVerify(raw, keys, {
    issuer: identity.issuer,
    audience: client.client_id,
    requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat'],
  })
  expect(payload.sub).toMatch(/^[\x20-\x7e]{1,255}$/)
  expectNow(payload.iat)
  expect(payload.exp).toBeLessThan(nowSeconds() + 50 * yearSeconds)
  if (payload.auth_time !== undefined) {
    expect(payload.auth_time).toBeTypeOf('number')
    expect(payload.auth_time).toBeGreaterThan(nowSeconds() - yearSeconds)
    expect(payload.auth_time).toBeLessThan(nowSeconds() + skewSeconds)
  }
  expect(payload.nonce ?? null).toBe(expected.nonce)
  expect(payload.acr).not.toBe('')
  expectHash(payload.at_hash, expected.accessToken, expected.from)
  expectHash(payload.c_hash, expected.code, expected.from)
  expectStandardClaims(payload)
  return { raw, header: protectedHeader, claims: payload }
}

/** Optional from the token endpoint, but never wrong. */
function expectHash(actual: unknown, token: string | null | undefined, from: Expected['from']): void {
  if (from === 'token' && actual === undefined) return
  expect(actual).toBe(token ? leftHalf(token) : undefined)
}

function leftHalf(text: string): string {
  const digest = createHash('sha256').update(text).digest()
  return digest.subarray(0, digest.length / 2).toString('base64url')
}

export const nowSeconds = () => systemClock.now().getTime() / 1000

export function expectNow(seconds: number | undefined): void {
  expect(seconds).toBeGreaterThan(nowSeconds() - skewSeconds)
  expect(seconds).toBeLessThan(nowSeconds() + skewSeconds)
}

/** OpenID Connect Core 5.4. */
export const claimsOfScope: Readonly<Record<string, readonly string[]>> = {
  openid: ['sub'],
  profile: [
    'name',
    'given_name',
    'family_name',
    'middle_name',
    'nickname',
    'profile',
    'picture',
    'website',
    'gender',
    'birthdate',
    'zoneinfo',
    'locale',
    'updated_at',
    'preferred_username',
  ],
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number', 'phone_number_verified'],
}

const notText: Readonly<Record<string, 'boolean' | 'number' | 'object'>> = {
  email_verified: 'boolean',
  phone_number_verified: 'boolean',
  updated_at: 'number',
  address: 'object',
}

/** Claims of OpenID Connect Core 5.1 have the right types, and are not empty. */
export function expectStandardClaims(claims: Readonly<Record<string, unknown>>): void {
  for (const name of Object.values(claimsOfScope).flat()) {
    const value = claims[name]
    if (value === undefined) continue
    expect(value, name).toBeTypeOf(notText[name] ?? 'string')
    expect(value, name).not.toBe('')
    expect(value, name).not.toBeNull()
  }
  for (const part of Object.values(Object(claims.address))) expect(part).toBeTypeOf('string')
  if (typeof claims.updated_at === 'number') {
    expect(claims.updated_at).toBeGreaterThan(0)
    expect(claims.updated_at).toBeLessThan(nowSeconds() + yearSeconds)
  }
}
