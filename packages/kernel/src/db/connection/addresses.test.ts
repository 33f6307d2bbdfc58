import { expect, test } from 'vitest'
import { addressesOf } from './addresses.ts'

test.each([
  ['postgres://u:p@one/d', ['postgres://u:p@one/d']],
  ['postgres://u:p@one:1,two:2/d', ['postgres://u:p@one:1/d', 'postgres://u:p@two:2/d']],
  [
    'postgres://u:a,b@one,two/d?sslmode=disable&target_session_attrs=read-write',
    ['postgres://u:a,b@one/d?sslmode=disable', 'postgres://u:a,b@two/d?sslmode=disable'],
  ],
  ['postgres://one:1,[::1]:2/d?x=1,2', ['postgres://one:1/d?x=1,2', 'postgres://[::1]:2/d?x=1,2']],
  ['postgres:///d?host=/run/postgresql', ['postgres:///d?host=/run/postgresql']],
])('%s', (url, expected) => {
  expect(addressesOf(url)).toEqual(expected)
})
