import { expect, test } from 'vitest'
import { nameOf, parseTokenKey } from './uri.ts'

const rest = '?module-path=/usr/lib/p11.so&pin-source=file:/run/pin'

test("parses a token's key as in RFC 7512", () => {
  expect(parseTokenKey(`pkcs11:token=my%20token;object=a%3Bb;id=%01%ff;type=private${rest}`)).toEqual({
    token: 'my token',
    object: 'a;b',
    id: '\u0001\u00ff',
    library: '/usr/lib/p11.so',
    pin: { file: '/run/pin' },
  })
  const key = parseTokenKey('pkcs11:token=t;object=o?pin-value=12%2634&module-path=/p11.so')
  expect(key.pin).toEqual({ value: '12&34' })
  expect(nameOf(key), 'without the library and the PIN').toBe('pkcs11:token=t;object=o')
})

test.each([
  [`pkcs11:object=o${rest}`, 'names no token'],
  [`pkcs11:token=t${rest}`, 'names no key'],
  ['pkcs11:token=t;object=o?pin-value=1', 'names no library'],
  ['pkcs11:token=t;object=o?module-path=/p', 'needs pin-source=file:<path> or pin-value'],
  [`pkcs11:token=t;object=o${rest}&pin-value=1`, 'and not both'],
  ['pkcs11:token=t;object=o?module-path=/p&pin-source=http://pin', 'not file:'],
  [`pkcs11:token=t;object=o;serial=1${rest}`, 'has serial, which is not known here: use token, object'],
  [`pkcs11:token=t;token=u;object=o${rest}`, 'has token twice'],
  [`pkcs11:token=%zz;object=o${rest}`, 'not percent-encoded'],
  ['pkcs11:token', 'no ='],
])('%s is refused with a reason', (text, message) => {
  expect(() => parseTokenKey(text)).toThrow(message)
})
