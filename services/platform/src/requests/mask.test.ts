import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maskBody, maskForm, maskJson, maxBodyLength } from './mask.ts'
import { isSecretName, withoutSecrets } from './secrets.ts'

const none = new Set<string>()
const json = (text: string | Uint8Array, marked = none) => maskBody(text, 'application/json', marked)?.text

test('masks the values of secret names at any depth, whatever their type', () => {
  const masks = (value: unknown) => JSON.parse(json(JSON.stringify(value)) ?? '')
  expect(masks({ user: 'ada', password: 'p', n: 1 })).toEqual({ user: 'ada', password: '***', n: 1 })
  expect(masks({ a: [{ clientSecret: { deep: ['x', { y: 1 }] }, b: 2 }, 3] })).toEqual({
    a: [{ clientSecret: '***', b: 2 }, 3],
  })
  expect(masks({ access_token: 123, 'X-Api-Key': ['k'], pin_code: null, z: {} })).toEqual({
    access_token: '***',
    'X-Api-Key': '***',
    pin_code: '***',
    z: {},
  })
  expect(masks([[], {}, '', null, true, -1.5e3])).toEqual([[], {}, '', null, true, -1500])
  expect(json('{"pass\\u0077ord":"p"}'), 'an escaped name').not.toContain('"p"')
  expect(json('{"value":"v","name":"n"}', new Set(['value'])), 'marked in the contract').toBe(
    '{"value":"***","name":"n"}',
  )
})

test('shows nothing of an invalid text after its first error', () => {
  const invalid = [
    '{password: "hidden"}',
    "{'password': 'hidden'}",
    '{"password" "hidden"}',
    '{"password" = "hidden"}',
    '{"password":: "hidden"}',
    '{"a" {"password"} "hidden"}',
    'password=hidden',
    '{"a":1} hidden',
    '{"password":tru hidden}',
  ]
  for (const text of invalid) expect(json(text), text).not.toContain('hidden')
})

test('a secret that is cut off is masked', () => {
  const long = 'hidden'.repeat(maxBodyLength)
  for (const body of [`{"password":"${long}"}`, `{"password":["${long}"]}`, `{"a":"x","token":"${long}`])
    expect(json(body), body.slice(0, 20)).not.toContain('hidden')
  const padding = 'x'.repeat(maxBodyLength - 40)
  expect(json(JSON.stringify({ padding, url: `postgres://u:${'hidden'.repeat(100)}@host/` }))).not.toContain('hidden')
  expect(json(Buffer.from(`{"padding":"${padding}","password":"hidden"}`))).not.toContain('hidden')
})

test('is valid JSON, and equal but for the secrets, for any value', () => {
  const marker = 'S3CR3T'
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.string(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('password', 'apiKey', 'token')), tie('value'), {
        maxKeys: 4,
      }),
    ),
  })).value
  const expected = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(expected)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(
      Object.entries(part).map(([name, inner]) => [name, isSecretName(name) ? '***' : expected(inner)]),
    )
  }
  fc.assert(
    fc.property(value, fc.integer({ min: 0, max: 3 }), (part, indent) => {
      const text = JSON.stringify(part, null, indent)
      expect(JSON.parse(maskJson(text, isSecretName))).toEqual(expected(JSON.parse(text)))
      const secret = JSON.stringify({ a: part, password: [marker, { [marker]: marker }], b: part })
      for (const cut of [secret.length, Math.floor(secret.length / 2), secret.indexOf(marker) + 3])
        expect(maskJson(secret.slice(0, cut), isSecretName)).not.toContain(marker.slice(0, 3))
    }),
    { numRuns: 500 },
  )
})

test('never takes long for hostile texts', () => {
  const hostile = [
    '{'.repeat(1e6),
    '"\\'.repeat(1e6),
    '-'.repeat(1e6),
    '{"a":'.repeat(1e6),
    'Bearer '.repeat(1e6),
    ':'.repeat(1e6),
    'eyJ'.repeat(1e6),
    '-----BEGIN PRIVATE KEY-----'.repeat(1e5),
    '://a:'.repeat(1e6),
  ]
  const began = process.cpuUsage()
  for (const text of hostile) {
    json(text)
    json(JSON.stringify(text))
    maskBody(text, 'application/x-www-form-urlencoded', none)
  }
  const { user, system } = process.cpuUsage(began)
  expect((user + system) / 1_000 / hostile.length).toBeLessThan(500)
})

test('masks forms by name', () => {
  expect(maskForm('user=ada&pass%77ord=p&client_secret=s&flag&%zz=1&a=b', isSecretName)).toBe(
    'user=ada&pass%77ord=***&client_secret=***&flag=***&%zz=***&a=b',
  )
})

test('other media types are not shown, as their secrets cannot be recognized', () => {
  for (const type of [
    'text/plain',
    'application/octet-stream',
    'multipart/form-data; boundary=a',
    undefined,
    'text/xml',
  ])
    expect(maskBody('password', type, none)).toBeUndefined()
  expect(maskBody('{"a":1}', 'application/problem+json; charset=utf-8', none)?.text).toBe('{"a":1}')
})

test('masks texts that are secrets under any name', () => {
  const texts = [
    'icosa_0123456789abcdef',
    'Bearer abcdefghijkl',
    'Authorization: Basic dXNlcjpwYXNz',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln',
    'postgres://ada:hidden@db.example.com/x',
    'https:\\/\\/ada:hidden@example.com',
    'Endpoint=https://a;Id=b;Secret=hidden',
    'https://a.example/?sig=hidden&x=1',
    '-----BEGIN PRIVATE KEY-----\nhidden\n-----END PRIVATE KEY-----',
    '-----BEGIN RSA PRIVATE KEY-----\\nhidden',
  ]
  const secret = /hidden|0123456789|abcdefghijkl|dXNlcjpwYXNz|c2ln/
  for (const text of texts) expect(withoutSecrets(text), text).not.toMatch(secret)
  for (const text of ['a note', 'https://example.com:8080/a@b', 'the password is long', '12:30 a@b.c'])
    expect(withoutSecrets(text)).toBe(text)
})
