import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fairShares } from './budget.ts'

test('the modest get what they want, the others equal parts of the rest', () => {
  expect(fairShares(100, [10, 15, 20])).toEqual([10, 15, 20])
  expect(fairShares(100, [160])).toEqual([100])
  expect(fairShares(100, [160, 5, 160])).toEqual([47, 5, 47])
  expect(fairShares(2, [10, 10, 10])).toEqual([1, 1, 1])
})

test('shares never exceed the budget together, and nobody could have more without another having less', () => {
  const desired = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 100 })
  fc.assert(
    fc.property(desired, fc.integer({ min: 100, max: 1_000 }), (all, budget) => {
      const shares = fairShares(budget, all)
      const sum = shares.reduce((total, share) => total + share, 0)
      expect(sum).toBeLessThanOrEqual(budget)
      const unserved = shares.filter((share, index) => share < (all[index] ?? 0))
      expect(new Set(unserved).size).toBeLessThanOrEqual(1)
      if (unserved.length > 0) expect(budget - sum).toBeLessThan(unserved.length)
    }),
  )
})
