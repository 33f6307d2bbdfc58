import { expect, test } from 'vitest'
import { callDepth } from './count.ts'

test.each([
  ['rule a { condition: true }', 0],
  ['rule a { condition: ((((true)))) and for all i in (1..3) : (@a[i] > 0) }', 1],
  ['rule a { condition: uint8(uint8 (0)) == uint8(1) }', 2],
  ['rule a { condition: hash.md5(0, hash.md5(0, hash.md5(0,', 3],
  ['rule a { strings: $a = "f(f(f(f(" condition: $a } // f(f(f(', 0],
])('%s has calls nested %i deep', (source, depth) => {
  expect(callDepth(source)).toBe(depth)
})
