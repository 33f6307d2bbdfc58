import { expect, test } from 'vitest'
import { challengeIn, digest } from './digest.ts'

const challenge = (algorithm: string) =>
  `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, ` +
  'nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"'
const mufasa = { user: 'Mufasa', password: 'Circle of Life' }
const cnonce = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ'

test('digests match the examples of RFC 7616', () => {
  const request = { method: 'GET', uri: '/dir/index.html' }
  const response = (algorithm: string) => {
    const parsed = challengeIn([challenge(algorithm)])
    return parsed && /response="(\w+)"/.exec(digest(parsed, mufasa, request, cnonce))?.[1]
  }
  expect(response('MD5')).toBe('8ca523f5e9506fed4657c9700eebdbec')
  expect(response('SHA-256')).toBe('753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1')
})

test('the strongest challenge is selected, and unsupported ones are ignored', () => {
  expect(challengeIn([challenge('MD5'), challenge('SHA-256')])?.algorithm).toBe('SHA-256')
  expect(challengeIn(['Basic realm="x"', challenge('MD5')])?.algorithm).toBe('MD5')
  for (const value of ['', 'Basic realm="x"', 'Digest realm="x"', challenge('SHA-512'), challenge('toString')])
    expect(challengeIn([value])).toBeUndefined()
  expect(challengeIn(['Digest realm="x", nonce="y", qop="auth-int"'])).toBeUndefined()
})

test('without qop the digest has the old form', () => {
  const parsed = challengeIn(['Digest realm="a \\"b\\"", nonce=n, stale=TRUE'])
  expect(parsed).toEqual({
    realm: 'a "b"',
    nonce: 'n',
    opaque: undefined,
    algorithm: 'MD5',
    isAuth: false,
    stale: true,
  })
  const proof = parsed && digest(parsed, { user: 'u', password: 'p' }, { method: 'INVITE', uri: 'sip:x' })
  expect(proof).toContain('realm="a \\"b\\""')
  expect(proof).not.toContain('qop')
})
