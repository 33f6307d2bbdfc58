import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fairShares } from './budget.ts'

test('small requests are met in full, the others share the rest equally', () => {
  expect(fairShares(100, [10, 15, 20])).toEqual([10, 15, 20])
  expect(fairShares(100, [160])).toEqual([100])
  expect(fairShares(100, [160, 5, 160])).toEqual([47, 5, 47])
  expect(fairShares(2, [10, 10, 10])).toEqual([1, 1, 1])
})

test('the sum of shares never exceeds the budget, and the shares are max-min fair', () => {
  const desired = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 100 })
  fc.assert(
    fc.property(desired, fc.integer({ min: 100, max: 1_000 }), (requests, budget) => {
      const shares = fairShares(budget, requests)
      const sum = shares.reduce((total, share) => total + share, 0)
      expect(sum).toBeLessThanOrEqual(budget)
      const unserved = shares.filter((share, index) => share < (requests[index] ?? 0))
      expect(new Set(unserved).size).toBeLessThanOrEqual(1)
      if (unserved.length > 0) expect(budget - sum).toBeLessThan(unserved.length)
    }),
  )
})
