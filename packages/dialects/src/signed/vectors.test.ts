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
  const { method, normalized } = one
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

test.each([
  ['/', '/', ''],
  ['//', '/', ''],
  ['/a//b/', '/a/b/', ''],
  ['/./a/.', '/a', ''],
  ['/a/../b/c', '/b/c', ''],
  ['/../a', '/a', ''],
  ['/a/b/..', '/a', ''],
  ['/a/..', '/', ''],
  ["/a b!'()*~.-_", '/a%20b%21%27%28%29%2A~.-_', ''],
  ['/a%20b', '/a%2520b', ''],
  ['/?', '/', ''],
  ['/?c=1&a=1&b=1', '/', 'a=1&b=1&c=1'],
  ['/?a=3&a=1&a=2', '/', 'a=1&a=2&a=3'],
  ['/?b=1&a=2&b=0', '/', 'a=2&b=0&b=1'],
  ['/?a&b=', '/', 'a=&b='],
  ['/?=x&&a=1', '/', 'a=1'],
  ['/?a=b=c?d', '/', 'a=b%3Dc%3Fd'],
  ['/?X-Amz-Signature=1&a=1', '/', 'a=1'],
  ['/?a=%zz', '/', 'a=%25zz'],
  ['/?a=%2f+%21!', '/', 'a=%2F%2B%21%21'],
])('%s is signed as the path %s and the query %s', (target, path, query) => {
  expect(canonicalRequest({ method: 'GET', target, headers: {} }, [], 'hash')).toBe(`GET\n${path}\n${query}\n\n\nhash`)
})

test.each([
  ['  a   b  ', 'a b'],
  ['a\tb', 'a b'],
  ['a b', 'a b'],
  [['a ', ' b'], 'a,b'],
  [undefined, ''],
])('the value %j of a header is signed as %j', (value, signed) => {
  const headers = { host: 'h', 'x-a': value }
  expect(canonicalRequest({ method: 'GET', target: '/', headers }, ['host', 'x-a'], 'hash')).toBe(
    `GET\n/\n\nhost:h\nx-a:${signed}\n\nhost;x-a\nhash`,
  )
})
