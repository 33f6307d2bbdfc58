import { expect, test } from 'vitest'
import { addressesOf, placeOf } from './addresses.ts'

test.each([
  ['postgres://u:p@one/d', ['postgres://u:p@one/d']],
  ['postgres://u:p@one:1,two:2/d', ['postgres://u:p@one:1/d', 'postgres://u:p@two:2/d']],
  [
    'postgres://u:a,b@one,two/d?sslmode=disable&target_session_attrs=read-write',
    ['postgres://u:a,b@one/d?sslmode=disable', 'postgres://u:a,b@two/d?sslmode=disable'],
  ],
  ['postgres://one:1,[::1]:2/d?x=1,2', ['postgres://one:1/d?x=1,2', 'postgres://[::1]:2/d?x=1,2']],
  ['postgres:///d?host=/run/postgresql', ['postgres:///d?host=/run/postgresql']],
  ['postgres://one/d?target_session_attrs=any', ['postgres://one/d?target_session_attrs=any']],
  ['postgres://one,two/d?target_session_attrs=any&x=1', ['postgres://one/d?x=1', 'postgres://two/d?x=1']],
  ['postgres://one,two/d?x=1&target_session_attrs=any', ['postgres://one/d?x=1', 'postgres://two/d?x=1']],
  ['postgres://one,two', ['postgres://one', 'postgres://two']],
  ['x,y', ['x,y']],
])('%s', (url, expected) => {
  expect(addressesOf(url)).toEqual(expected)
})

test.each([
  ['postgres://u:p@one:5433/d', { host: 'one', port: 5433 }],
  ['postgres://one/d', { host: 'one', port: 5432 }],
  ['postgres://[::1]:5433/d', { host: '::1', port: 5433 }],
])('the place of %s', (url, expected) => {
  expect(placeOf(url)).toEqual(expected)
})
