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

test('the suite has 38 cases', () => expect(cases).toHaveLength(38))

function headersOf({ headers }: Case): Record<string, string[]> {
  const byName = Map.groupBy(headers, ([name]) => name.toLowerCase())
  return Object.fromEntries(byName.entries().map(([name, pairs]) => [name, pairs.map(([, value]) => value)]))
}

function signatureFor(example: Case, target: string, headers: Record<string, string[]>, payloadHash: string): string {
  const names = Object.keys(headers).sort()
  const { method, normalized } = example
  const canonical = canonicalRequest({ method, target, headers }, names, payloadHash, normalized)
  return signatureOf(key, time, scope, canonical)
}

test.each(cases)('$name, signed in the header', (example) => {
  const payloadHash = hash('sha256', example.body ?? '')
  const headers = {
    ...headersOf(example),
    'x-amz-date': [time],
    ...(example.signBody && { 'x-amz-content-sha256': [payloadHash] }),
    ...(example.token && !example.omitToken && { 'x-amz-security-token': [example.token] }),
  }
  expect(signatureFor(example, example.target, headers, payloadHash)).toBe(example.header)
})

test.each(cases)('$name, signed in the query', (example) => {
  const payloadHash = hash('sha256', example.body ?? '')
  const headers = headersOf(example)
  const parameters = {
    'X-Amz-Algorithm': algorithm,
    'X-Amz-Credential': `${credential.id}/${scopeText(scope)}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': String(expires),
    'X-Amz-SignedHeaders': Object.keys(headers).sort().join(';'),
    ...(example.token && !example.omitToken && { 'X-Amz-Security-Token': example.token }),
  }
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encode(value)}`)
  const target = `${example.target}${example.target.includes('?') ? '&' : '?'}${query.join('&')}`
  expect(signatureFor(example, target, headers, payloadHash)).toBe(example.query)
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
])('the value %j of a header is signed as %j', (value, canonical) => {
  const headers = { host: 'h', 'x-a': value }
  expect(canonicalRequest({ method: 'GET', target: '/', headers }, ['host', 'x-a'], 'hash')).toBe(
    `GET\n/\n\nhost:h\nx-a:${canonical}\n\nhost;x-a\nhash`,
  )
})
