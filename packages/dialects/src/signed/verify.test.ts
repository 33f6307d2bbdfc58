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

const received = ({ method, target, headers, body }: Draft): Incoming => ({
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

/** Whose request it is, or the code of its refusal. */
function outcome(one: Draft, more: Partial<SigningSecret> = {}): string {
  const known = { caller: ada, secret: signer.secret, sessionTokenHash: undefined, expiresAt: null, ...more }
  const credentials = { bySigningId: (id: string) => (id === signer.id ? known : undefined) } as Credentials
  try {
    return (verify(received(one), credentials) as typeof ada).tenant
  } catch (error) {
    return (error as { code: string }).code
  }
}
const signed = (signing: Signing = {}, by = {}) =>
  signInHeader(draft('GET', '/books/1'), origin, { ...signer, ...by }, { at: now, ...signing })
const presigned = (seconds: number, at: Date) => presign(draft('GET', '/books/1'), origin, signer, seconds, at)
const [invalid, incomplete] = ['InvalidSignatureException', 'IncompleteSignatureException']

test('a signature counts for a quarter of an hour to the second, before and after', () => {
  expect([900, -900].map((age) => outcome(signed({ at: ago(age) })))).toEqual(['ada', 'ada'])
  expect([901, -901].map((age) => outcome(signed({ at: ago(age) })))).toEqual([invalid, invalid])
})

test('one made beforehand counts for as long as it says, at most a week, and not before its time', () => {
  expect([60, 0, -900].map((age) => outcome(presigned(60, ago(age))))).toEqual(['ada', 'ada', 'ada'])
  expect([61, -901].map((age) => outcome(presigned(60, ago(age))))).toEqual([invalid, invalid])
  expect(outcome(presigned(604_800, ago(604_800)))).toBe('ada')
  expect(outcome(presigned(1, now))).toBe('ada')
  expect([0, 604_801, 1.5, 1e9].map((seconds) => outcome(presigned(seconds, now)))).toEqual(Array(4).fill(incomplete))
})

test('a temporary credential ends at its moment, and counts only with its own token', () => {
  const sessionTokenHash = hash('sha256', 'a token', 'buffer')
  const own = { sessionToken: 'a token' }
  expect(outcome(signed({}, own), { sessionTokenHash, expiresAt: new Date(now.getTime() + 1) })).toBe('ada')
  expect(outcome(signed({}, own), { sessionTokenHash, expiresAt: now })).toBe('ExpiredTokenException')
  expect(outcome(signed({}, own), {})).toBe('UnrecognizedClientException')
  expect(outcome(signed(), { sessionTokenHash })).toBe('UnrecognizedClientException')
  expect(outcome(signed({}, { sessionToken: 'another' }), { sessionTokenHash })).toBe('UnrecognizedClientException')
})

test('the scope is the region, a name and the day that are expected, whichever of them is wrong', () => {
  expect(outcome(signed({}, { service: 'shop' }))).toBe('ada')
  expect(outcome(signed({}, { service: 'other' }))).toBe(invalid)
  expect(outcome(signed({}, { region: 'eu-west-1' }))).toBe(invalid)
  const midnight = new Date('2026-11-18T00:00:00Z')
  const late = verifier({ region: signer.region, signingNames: [signer.service], clock: { now: () => midnight } })
  const { headers, ...rest } = signed({ at: new Date(midnight.getTime() - 60_000) })
  const credentials = { bySigningId: () => ({ caller: ada, secret: signer.secret, expiresAt: null }) } as never
  expect(late(received({ ...rest, headers }), credentials), 'of the day before').toBe(ada)
  const other = headers.map(([name, value]): [string, string] => [name, value.replace('/20261117/', '/20261118/')])
  expect(() => late(received({ ...rest, headers: other }), credentials)).toThrow('20261117')
})

const withHeaders = (change: (headers: Draft['headers']) => Draft['headers'], one = signed()): Draft => ({
  ...one,
  headers: change(one.headers),
})
const authorized = (change: (value: string) => string, one = signed()) =>
  withHeaders(
    (headers) => headers.map(([name, value]) => [name, name === 'authorization' ? change(value) : value]),
    one,
  )

test('a header that is signed is there, once, and named once', () => {
  expect(outcome(withHeaders((headers) => headers.filter(([name]) => name !== 'x-amz-date')))).toBe(incomplete)
  expect(outcome(authorized((value) => value.replace('host;', 'host;host;')))).toBe(invalid)
  expect(outcome(authorized((value) => value.replace('host;', 'accept;host;')))).toBe(invalid)
  expect(outcome(withHeaders((headers) => [...headers, ['Host', 'icosa.test:4000']]))).toBe(invalid)
  expect(outcome(withHeaders((headers) => [...headers, ['X-AMZ-Other', '1']]))).toBe(invalid)
  expect(outcome(withHeaders((headers) => [...headers, ['accept', '*/*']])), 'without a meaning here').toBe('ada')
})

test('a request may say its time in Date, and nothing else but a time', () => {
  const byDate = (date: string) => {
    const { headers, ...rest } = draft('GET', '/books/1')
    const one = signInHeader({ ...rest, headers: [...headers, ['date', date]] }, origin, signer, {
      at: now,
      only: (name) => name !== 'x-amz-date',
    })
    return withHeaders((all) => all.filter(([name]) => name !== 'x-amz-date'), one)
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

test('spaces behind the commas are as many as a client likes', () => {
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
])('a query in which %s is %s is incomplete', (found, replacement) => {
  const { target, ...rest } = presigned(60, now)
  expect(target).toMatch(found)
  expect(outcome({ ...rest, target: target.replace(found, replacement) })).toBe(incomplete)
})

test('a request is signed in one place, and whoever signs it in none is told so', () => {
  const both = presigned(60, now)
  expect(outcome({ ...both, headers: [...both.headers, ['authorization', 'AWS4-HMAC-SHA256 x']] })).toBe(incomplete)
  const none = received(draft('GET', '/books/1'))
  expect(() => readAuthorization(none)).toThrow(expect.objectContaining({ kind: 'unauthenticated', code: undefined }))
  const read = readAuthorization(
    received(presign(draft('GET', '/?a=?b'), origin, { ...signer, sessionToken: 't' }, 9, now)),
  )
  expect(read).toMatchObject({
    keyId: signer.id,
    scope: { date: '20261118', region: signer.region, service: signer.service },
    time: '20261118T120000Z',
    signedHeaders: ['host'],
    sessionToken: 't',
    expiresSeconds: 9,
  })
  expect(readAuthorization(received(signed()))).toMatchObject({
    signedHeaders: ['host', 'x-amz-date'],
    sessionToken: undefined,
    expiresSeconds: undefined,
  })
})

test('a service is found by the first credential that a request names, if it can be one', () => {
  const named = (authorization: string | undefined, target = '/') =>
    signedService({ headers: { authorization }, target })
  const credential = 'Credential=AKID/20261118/us-east-1/book-shop/aws4_request'
  expect(named(`AWS4-HMAC-SHA256 ${credential}, SignedHeaders=host`)).toBe('book-shop')
  expect(named(`${credential}, ${credential.replace('book-shop', 'other')}`)).toBe('book-shop')
  const escaped = credential.replace('/20261118/', '%2F20261118%2f').replaceAll('/', '%2F')
  expect(named(undefined, `/?X-Amz-${escaped}&X-Amz-Signature=1`)).toBe('book-shop')
  expect(named(undefined, `/?X-Amz-${escaped}`), 'not signed').toBeUndefined()
  expect(named('Bearer x', `/?X-Amz-${escaped}&X-Amz-Signature=1`), 'what is in the header counts').toBeUndefined()
  for (const wrong of [
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
    expect(named(wrong), wrong).toBeUndefined()
})

test('what was signed is shown to whoever signed something else, and an unknown key is named', () => {
  const { target, ...rest } = signed()
  const credentials = { bySigningId: () => ({ caller: ada, secret: signer.secret, expiresAt: null }) } as never
  expect(() => verify(received({ ...rest, target: `${target}x` }), credentials)).toThrow(
    'What we signed:\nGET\n/books/1x',
  )
  expect(outcome(signed({}, { secret: 'another' }))).toBe(invalid)
  expect(outcome(signed({}, { id: 'AKIDANOTHER' }))).toBe('UnrecognizedClientException')
})
