import { expect, test } from 'vitest'
import { challengeIn, digest } from './digest.ts'

const challenge = (algorithm: string) =>
  `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, ` +
  'nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"'
const mufasa = { user: 'Mufasa', password: 'Circle of Life' }
const cnonce = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ'

test('proofs are those of the examples in RFC 7616', () => {
  const request = { method: 'GET', uri: '/dir/index.html' }
  const response = (algorithm: string) => {
    const asked = challengeIn([challenge(algorithm)])
    return asked && /response="(\w+)"/.exec(digest(asked, mufasa, request, cnonce))?.[1]
  }
  expect(response('MD5')).toBe('8ca523f5e9506fed4657c9700eebdbec')
  expect(response('SHA-256')).toBe('753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1')
})

test('of several challenges the strongest is answered, and what is not known is not', () => {
  expect(challengeIn([challenge('MD5'), challenge('SHA-256')])?.algorithm).toBe('SHA-256')
  expect(challengeIn(['Basic realm="x"', challenge('MD5')])?.algorithm).toBe('MD5')
  for (const value of ['', 'Basic realm="x"', 'Digest realm="x"', challenge('SHA-512'), challenge('toString')])
    expect(challengeIn([value])).toBeUndefined()
  expect(challengeIn(['Digest realm="x", nonce="y", qop="auth-int"'])).toBeUndefined()
})

test('without a quality of protection the proof is the old one', () => {
  const asked = challengeIn(['Digest realm="a \\"b\\"", nonce=n, stale=TRUE'])
  expect(asked).toEqual({ realm: 'a "b"', nonce: 'n', opaque: undefined, algorithm: 'MD5', isAuth: false, stale: true })
  const proof = asked && digest(asked, { user: 'u', password: 'p' }, { method: 'INVITE', uri: 'sip:x' })
  expect(proof).toContain('realm="a \\"b\\""')
  expect(proof).not.toContain('qop')
})
