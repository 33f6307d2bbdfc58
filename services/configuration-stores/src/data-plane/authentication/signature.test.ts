import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contentHashHeaders, dateHeaders } from '../../names.ts'
import { hmacSha256 } from './hmac.ts'
import { contentHash, isSignedBy, parseSigned, signedValues, stringToSign } from './signature.ts'

const [dateHeader] = dateHeaders
const [hashHeader] = contentHashHeaders
const secret = Buffer.alloc(32, 7)
const now = new Date('2018-05-11T18:50:00Z')
const date = 'Fri, 11 May 2018 18:48:36 GMT'
const emptyHash = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='

test('the string to sign matches the published example', () => {
  const text = stringToSign('get', '/kv?fields=*&api-version=1.0', [date, 'myconfig.example', emptyHash])
  expect(text).toBe(`GET\n/kv?fields=*&api-version=1.0\n${date};myconfig.example;${emptyHash}`)
  expect(contentHash('')).toBe(emptyHash)
  expect(contentHash('{"value":"ü"}')).toBe(createHash('sha256').update('{"value":"ü"}', 'utf8').digest('base64'))
  expect(hmacSha256(secret)(text)).toEqual(createHmac('sha256', secret).update(text, 'ascii').digest())
})

test('signs any text with any secret like OpenSSL', () => {
  const secrets = fc.uint8Array({ maxLength: 200 })
  const texts = fc.array(fc.string({ unit: 'binary', maxLength: 300 }), { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(secrets, texts, (secret, texts) => {
      const sign = hmacSha256(secret)
      for (const text of texts) expect(sign(text).equals(createHmac('sha256', secret).update(text).digest())).toBe(true)
    }),
  )
})

const headers = { [dateHeader]: date, host: 'myconfig.example', [hashHeader]: emptyHash, accept: 'x' }
const names = `${dateHeader};host;${hashHeader}`
const authorization = (separator: string, signedHeaders = names) =>
  ['Credential=0-l4-s0:abc', `SignedHeaders=${signedHeaders}`, 'Signature=YWJj'].join(separator)

test.each(['&', ', ', ','])('the parts of a signature may be joined by %j', (separator) => {
  const signed = parseSigned(authorization(separator))
  expect(signed).toEqual({ credential: '0-l4-s0:abc', headers: names.split(';'), signature: Buffer.from('abc') })
  expect(signedValues(signed, headers, now)).toEqual([date, 'myconfig.example', emptyHash])
})

test('further headers may be signed, and Date instead of the vendor header', () => {
  const signed = parseSigned(authorization('&', `date;HOST;${hashHeader};Accept`))
  expect(signedValues(signed, { ...headers, date }, now)).toEqual([date, 'myconfig.example', emptyHash, 'x'])
})

describe('a signature is refused', () => {
  const check = (signedHeaders: string, received: Record<string, string | undefined>, at = now) => {
    return () => signedValues(parseSigned(authorization('&', signedHeaders)), received, at)
  }
  test.each([
    ['without a signed date', check(`host;${hashHeader}`, headers), 'is required as a signed header'],
    ['without a signed host', check(`${dateHeader};${hashHeader}`, headers), 'host is required as a signed header'],
    ['without a signed hash', check(`${dateHeader};host`, headers), 'is required as a signed header'],
    ['with a missing signed header', check(`${names};range`, headers), "'range' is not provided"],
    ['with an invalid date', check(names, { ...headers, [dateHeader]: 'yesterday' }), 'Invalid access token date'],
    ['16 minutes later', check(names, headers, new Date('2018-05-11T19:04:37Z')), 'has expired'],
    ['16 minutes too early', check(names, headers, new Date('2018-05-11T18:32:35Z')), 'has expired'],
    ['without a credential', () => parseSigned('SignedHeaders=a&Signature=b'), 'Credential is required'],
    ['without a signature', () => parseSigned('Credential=a&SignedHeaders=b'), 'Signature is required'],
  ])('%s', (_, attempt, message) => expect(attempt).toThrow(message))

  test('by another secret, or truncated', () => {
    const text = stringToSign('GET', '/kv', [])
    const signature = hmacSha256(secret)(text)
    const signed = { credential: 'a', headers: [], signature }
    expect(isSignedBy(hmacSha256(secret), signed, text)).toBe(true)
    expect(isSignedBy(hmacSha256(Buffer.alloc(32, 8)), signed, text)).toBe(false)
    expect(isSignedBy(hmacSha256(secret), { ...signed, signature: signature.subarray(0, 31) }, text)).toBe(false)
    expect(isSignedBy(hmacSha256(secret), { ...signed, signature: Buffer.alloc(0) }, text)).toBe(false)
  })
})
