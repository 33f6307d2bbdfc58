import { expect, test } from 'vitest'
import { pinTrouble } from './pin.ts'

// SoftHSM never locks a token; devices report it by these bits of CK_TOKEN_INFO.flags.
test.each([
  [0x40d, undefined],
  [0x1040d, undefined], // a wrong one was tried, and more tries are left
  [0x2040d, 'lastTry'],
  [0x3040d, 'lastTry'],
  [0x4040d, 'locked'],
  [0x6040d, 'locked'],
])('a token with the flags %i', (flags, trouble) => {
  expect(pinTrouble(flags)).toBe(trouble)
})
