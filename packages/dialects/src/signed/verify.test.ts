import { hash } from 'node:crypto'
import type { Credentials, Incoming, SigningSecret } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { readAuthorization, signedService } from './authorization.ts'
import { type Draft, draft, presign, type Signing, signInHeader } from './testing/request.ts'
import { verifier } from './verify.ts'

const now = new Date('2026-11-18T12:00:00Z')
const origin = 'http://icosa.test:4000'
const signer = { id: 'AKIDEXAMPLE', secret: 'a secret', region: 'us-east-1', service: 'book-shop' }
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000)
const ada = { id: signer.id, tenant: 'ada', allows: () => true }

const incoming = ({ method, target, headers, body }: Draft): Incoming => ({
  id: '1',
  method,
  target,
  url: new URL(origin),
  ip: '127.0.0.1',
  params: {},
  headers: Object.fromEntries(headers),
  rawHeaders: headers.flat(),
  body: Buffer.from(body),
})

const verify = verifier({ region: signer.region, signingNames: ['shop', signer.service], clock: { now: () => now } })

/** The tenant of the caller, or the code of the refusal. */
function outcome(request: Draft, more: Partial<SigningSecret> = {}): string {
  const credential = { caller: ada, secret: signer.secret, sessionTokenHash: undefined, expiresAt: null, ...more }
  const credentials = { bySigningId: (id: string) => (id === signer.id ? credential : undefined) } as Credentials
  try {
    return (verify(incoming(request), credentials) as typeof ada).tenant
  } catch (error) {
    return (error as { code: string }).code
  }
}
const signed = (signing: Signing = {}, by = {}) =>
  signInHeader(draft('GET', '/books/1'), origin, { ...signer, ...by }, { at: now, ...signing })
const presigned = (seconds: number, at: Date) => presign(draft('GET', '/books/1'), origin, signer, seconds, at)
const [invalid, incomplete] = ['InvalidSignatureException', 'IncompleteSignatureException']

test('a signature is valid for exactly 15 minutes, before and after its time', () => {
  expect([900, -900].map((age) => outcome(signed({ at: ago(age) })))).toEqual(['ada', 'ada'])
  expect([901, -901].map((age) => outcome(signed({ at: ago(age) })))).toEqual([invalid, invalid])
})

test('a presigned request is valid until it expires, for a week at most, and not before its time', () => {
  expect([60, 0, -900].map((age) => outcome(presigned(60, ago(age))))).toEqual(['ada', 'ada', 'ada'])
  expect([61, -901].map((age) => outcome(presigned(60, ago(age))))).toEqual([invalid, invalid])
  expect(outcome(presigned(604_800, ago(604_800)))).toBe('ada')
  expect(outcome(presigned(1, now))).toBe('ada')
  expect([0, 604_801, 1.5, 1e9].map((seconds) => outcome(presigned(seconds, now)))).toEqual(Array(4).fill(incomplete))
})

test('a temporary credential expires on time, and requires its own token', () => {
  const sessionTokenHash = hash('sha256', 'a token', 'buffer')
  const own = { sessionToken: 'a token' }
  expect(outcome(signed({}, own), { sessionTokenHash, expiresAt: new Date(now.getTime() + 1) })).toBe('ada')
  expect(outcome(signed({}, own), { sessionTokenHash, expiresAt: now })).toBe('ExpiredTokenException')
  expect(outcome(signed({}, own), {})).toBe('UnrecognizedClientException')
  expect(outcome(signed(), { sessionTokenHash })).toBe('UnrecognizedClientException')
  expect(outcome(signed({}, { sessionToken: 'another' }), { sessionTokenHash })).toBe('UnrecognizedClientException')
})

test('the scope must have the expected region, service and day', () => {
  expect(outcome(signed({}, { service: 'shop' }))).toBe('ada')
  expect(outcome(signed({}, { service: 'other' }))).toBe(invalid)
  expect(outcome(signed({}, { region: 'eu-west-1' }))).toBe(invalid)
  const midnight = new Date('2026-11-18T00:00:00Z')
  const atMidnight = verifier({ region: signer.region, signingNames: [signer.service], clock: { now: () => midnight } })
  const { headers, ...rest } = signed({ at: new Date(midnight.getTime() - 60_000) })
  const credentials = { bySigningId: () => ({ caller: ada, secret: signer.secret, expiresAt: null }) } as never
  expect(atMidnight(incoming({ ...rest, headers }), credentials), 'of the day before').toBe(ada)
  const changed = headers.map(([name, value]): [string, string] => [name, value.replace('/20261117/', '/20261118/')])
  expect(() => atMidnight(incoming({ ...rest, headers: changed }), credentials)).toThrow('20261117')
})

const withHeaders = (change: (headers: Draft['headers']) => Draft['headers'], request = signed()): Draft => ({
  ...request,
  headers: change(request.headers),
})
const authorized = (change: (value: string) => string, request = signed()) =>
  withHeaders(
    (headers) => headers.map(([name, value]) => [name, name === 'authorization' ? change(value) : value]),
    request,
  )

test('a signed header must exist once and be listed once', () => {
  expect(outcome(withHeaders((headers) => headers.filter(([name]) => name !== 'x-amz-date')))).toBe(incomplete)
  expect(outcome(authorized((value) => value.replace('host;', 'host;host;')))).toBe(invalid)
  expect(outcome(authorized((value) => value.replace('host;', 'accept;host;')))).toBe(invalid)
  expect(outcome(withHeaders((headers) => [...headers, ['Host', 'icosa.test:4000']]))).toBe(invalid)
  expect(outcome(withHeaders((headers) => [...headers, ['X-AMZ-Other', '1']]))).toBe(invalid)
  expect(outcome(withHeaders((headers) => [...headers, ['accept', '*/*']])), 'an irrelevant header').toBe('ada')
})

test('a request may have its time in Date, if it is valid', () => {
  const byDate = (date: string) => {
    const { headers, ...rest } = draft('GET', '/books/1')
    const request = signInHeader({ ...rest, headers: [...headers, ['date', date]] }, origin, signer, {
      at: now,
      only: (name) => name !== 'x-amz-date',
    })
    return withHeaders((all) => all.filter(([name]) => name !== 'x-amz-date'), request)
  }
  expect(outcome(byDate(now.toUTCString()))).toBe('ada')
  expect(outcome(byDate('yesterday'))).toBe(incomplete)
  for (const time of ['x20261118T120000Z', '20261118T120000Zx', '20261118T120000', '20261118'])
    expect(
      outcome(withHeaders((all) => all.map(([name, value]) => [name, name === 'x-amz-date' ? time : value]))),
    ).toBe(incomplete)
})

test.each([
  ['a word before it', (value: string) => `x${value}`],
  ['a word after it', (value: string) => `${value}x`],
  ['a signature in capitals', (value: string) => value.replace(/Signature=.*/, (text) => text.toUpperCase())],
  ['no date in its credential', (value: string) => value.replace('/20261118/', '/2026111/')],
  ['a longer date', (value: string) => value.replace('/20261118/', '/202611188/')],
  ['another end of its credential', (value: string) => value.replace('aws4_request', 'aws5_request')],
  ['more behind its credential', (value: string) => value.replace('aws4_request', 'aws4_request/x')],
  ['a short id', (value: string) => value.replace('AKIDEXAMPLE', 'AKI')],
  ['a long id', (value: string) => value.replace('AKIDEXAMPLE', 'A'.repeat(129))],
  ['something before its id', (value: string) => value.replace('=AKIDEXAMPLE', '=x/AKIDEXAMPLE')],
  ['a long region', (value: string) => value.replace('us-east-1', 'u'.repeat(65))],
  ['a long service', (value: string) => value.replace('book-shop', 'b'.repeat(65))],
])('an Authorization header with %s is incomplete', (_, change) => {
  expect(outcome(authorized(change))).toBe(incomplete)
})

test('any number of spaces may follow a comma', () => {
  expect(outcome(authorized((value) => value.replaceAll(', ', ',')))).toBe('ada')
  expect(outcome(authorized((value) => value.replaceAll(', ', ',   ')))).toBe('ada')
  expect(outcome(authorized((value) => value.replaceAll(', ', ', \t')))).toBe(incomplete)
})

test.each([
  ['X-Amz-Algorithm=AWS4-HMAC-SHA256', 'X-Amz-Algorithm=AWS4-HMAC-SHA1'],
  ['X-Amz-Algorithm=AWS4-HMAC-SHA256&', ''],
  ['X-Amz-Expires=60', 'X-Amz-Expires='],
  ['X-Amz-Expires=60', 'X-Amz-Expires=60x'],
  ['X-Amz-Expires=60', 'X-Amz-Expires=x60'],
  ['X-Amz-Expires=60&', ''],
  [/X-Amz-Date=\d+T/, 'X-Amz-Date='],
  [/X-Amz-Date=[^&]+&/, ''],
  [/X-Amz-Credential=[^&]+&/, ''],
  [/X-Amz-Signature=.*/, 'X-Amz-Signature='],
  [/X-Amz-Signature=/, 'X-Amz-Signature=a'],
  [/X-Amz-Signature=(.*)/, 'X-Amz-Signature=$1a'],
])('a query in which %s is %s is incomplete', (pattern, replacement) => {
  const { target, ...rest } = presigned(60, now)
  expect(target).toMatch(pattern)
  expect(outcome({ ...rest, target: target.replace(pattern, replacement) })).toBe(incomplete)
})

test('a request must be signed in exactly one place', () => {
  const both = presigned(60, now)
  expect(outcome({ ...both, headers: [...both.headers, ['authorization', 'AWS4-HMAC-SHA256 x']] })).toBe(incomplete)
  const none = incoming(draft('GET', '/books/1'))
  expect(() => readAuthorization(none)).toThrow(expect.objectContaining({ kind: 'unauthenticated', code: undefined }))
  const claims = readAuthorization(
    incoming(presign(draft('GET', '/?a=?b'), origin, { ...signer, sessionToken: 't' }, 9, now)),
  )
  expect(claims).toMatchObject({
    keyId: signer.id,
    scope: { date: '20261118', region: signer.region, service: signer.service },
    time: '20261118T120000Z',
    signedHeaders: ['host'],
    sessionToken: 't',
    expiresSeconds: 9,
  })
  expect(readAuthorization(incoming(signed()))).toMatchObject({
    signedHeaders: ['host', 'x-amz-date'],
    sessionToken: undefined,
    expiresSeconds: undefined,
  })
})

test('a service is located by the first credential of a request, if valid', () => {
  const serviceOf = (authorization: string | undefined, target = '/') =>
    signedService({ headers: { authorization }, target })
  const credential = 'Credential=AKID/20261118/us-east-1/book-shop/aws4_request'
  expect(serviceOf(`AWS4-HMAC-SHA256 ${credential}, SignedHeaders=host`)).toBe('book-shop')
  expect(serviceOf(`${credential}, ${credential.replace('book-shop', 'other')}`)).toBe('book-shop')
  const escaped = credential.replace('/20261118/', '%2F20261118%2f').replaceAll('/', '%2F')
  expect(serviceOf(undefined, `/?X-Amz-${escaped}&X-Amz-Signature=1`)).toBe('book-shop')
  expect(serviceOf(undefined, `/?X-Amz-${escaped}`), 'not signed').toBeUndefined()
  expect(serviceOf('Bearer x', `/?X-Amz-${escaped}&X-Amz-Signature=1`), 'the header takes precedence').toBeUndefined()
  for (const malformed of [
    'Credential=/20261118/us-east-1/book-shop/aws4_request',
    'Credential=, Credential=AKID/20261118/us-east-1/book-shop/aws4_request',
    'Credential=AK ID/20261118/us-east-1/book-shop/aws4_request',
    'Credential=AK,ID/20261118/us-east-1/book-shop/aws4_request',
    'Credential=AKID/2026111/us-east-1/book-shop/aws4_request',
    'Credential=AKID/202611181/us-east-1/book-shop/aws4_request',
    'Credential=AKID/20261118//book-shop/aws4_request',
    'Credential=AKID/20261118/us-east-1//aws4_request',
    'Credential=AKID/20261118/us-east-1/book-shop/aws5_request',
    `Credential=${'A'.repeat(400)}/20261118/us-east-1/book-shop/aws4_request`,
    `Credentia=AKID/20261118/us-east-1/book-shop/aws4_request`,
    '',
  ])
    expect(serviceOf(malformed), malformed).toBeUndefined()
})

test('a mismatch shows the canonical request, and an unknown key is reported as such', () => {
  const { target, ...rest } = signed()
  const credentials = { bySigningId: () => ({ caller: ada, secret: signer.secret, expiresAt: null }) } as never
  expect(() => verify(incoming({ ...rest, target: `${target}x` }), credentials)).toThrow(
    'The canonical request is:\nGET\n/books/1x',
  )
  expect(outcome(signed({}, { secret: 'another' }))).toBe(invalid)
  expect(outcome(signed({}, { id: 'AKIDANOTHER' }))).toBe('UnrecognizedClientException')
})
