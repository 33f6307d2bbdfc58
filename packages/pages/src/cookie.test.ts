import { expect, test } from 'vitest'
import { hostCookie } from './cookie.ts'

const options = { path: '/desk', sameSite: 'Strict' } as const

test('with TLS a cookie has the host prefix, and one without it is ignored', () => {
  const { read, write } = hostCookie('desk', { ...options, isSecure: true })
  expect(write('a=b', 60)).toBe('__Host-desk=a=b; Max-Age=60; Path=/; HttpOnly; SameSite=Strict; Secure')
  expect(read('desk=planted; __Host-desk=a=b')).toBe('a=b')
  expect([read('desk=planted'), read(undefined)]).toEqual([undefined, undefined])
})

test('without TLS a cookie has its own path', () => {
  const { read, write } = hostCookie('desk', { ...options, isSecure: false })
  expect(write('', 0)).toBe('desk=; Max-Age=0; Path=/desk; HttpOnly; SameSite=Strict')
  expect(read('x=1;desk=2')).toBe('2')
})
