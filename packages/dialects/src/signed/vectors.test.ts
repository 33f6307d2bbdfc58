import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { canonicalRequest, encode } from './canonical.ts'
import { algorithm, scopeText, signatureOf, signingKey } from './signature.ts'
import vectors from './testing/vectors.json' with { type: 'json' }

// The 38 cases of the public test suite for Signature Version 4, each with its signature in both forms.
interface Case {
  readonly name: string
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: string
  /** Some cases sign the path without normalization. */
  readonly normalized?: false
  readonly token?: string
  /** The token is added after signing. */
  readonly omitToken?: true
  readonly signBody?: true
  readonly header: string
  readonly query: string
}

const cases = vectors.cases as unknown as Case[]
const { credential, scope, time, expires } = vectors
const key = signingKey(credential.secret, scope)

test('there are 38', () => expect(cases).toHaveLength(38))

function headersOf({ headers }: Case): Record<string, string[]> {
  const byName = Map.groupBy(headers, ([name]) => name.toLowerCase())
  return Object.fromEntries(byName.entries().map(([name, pairs]) => [name, pairs.map(([, value]) => value)]))
}

function signed(one: Case, target: string, headers: Record<string, string[]>, payloadHash: string): string {
  const names = Object.keys(headers).sort()
  const { method, normalized = true } = one
  const canonical = canonicalRequest({ method, target, headers }, names, payloadHash, normalized)
  return signatureOf(key, time, scope, canonical)
}

test.each(cases)('$name, signed in the header', (one) => {
  const payloadHash = hash('sha256', one.body ?? '')
  const headers = {
    ...headersOf(one),
    'x-amz-date': [time],
    ...(one.signBody && { 'x-amz-content-sha256': [payloadHash] }),
    ...(one.token && !one.omitToken && { 'x-amz-security-token': [one.token] }),
  }
  expect(signed(one, one.target, headers, payloadHash)).toBe(one.header)
})

test.each(cases)('$name, signed in the query', (one) => {
  const payloadHash = hash('sha256', one.body ?? '')
  const headers = headersOf(one)
  const added = {
    'X-Amz-Algorithm': algorithm,
    'X-Amz-Credential': `${credential.id}/${scopeText(scope)}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': String(expires),
    'X-Amz-SignedHeaders': Object.keys(headers).sort().join(';'),
    ...(one.token && !one.omitToken && { 'X-Amz-Security-Token': one.token }),
  }
  const query = Object.entries(added).map(([name, value]) => `${name}=${encode(value)}`)
  const target = `${one.target}${one.target.includes('?') ? '&' : '?'}${query.join('&')}`
  expect(signed(one, target, headers, payloadHash)).toBe(one.query)
})
