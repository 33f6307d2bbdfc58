import { expect, test } from 'vitest'
import { openMemoryBudget } from './memory-budget.ts'

/** A budget of 100 bytes with instances of 25 bytes each, which drain when evicted. */
function budgetWith(tenants: readonly string[]) {
  const running = [...tenants]
  const draining: string[] = []
  const budget = openMemoryBudget({
    bytes: 100,
    waitMs: 60_000,
    evict({ tenant }, fromOwnTenant) {
      const index = running.findIndex((owner) => !fromOwnTenant || owner === tenant)
      if (index >= 0) draining.push(...running.splice(index, 1))
      return index >= 0
    },
    drainingBytes: (tenant) => 25 * draining.filter((owner) => tenant === undefined || owner === tenant).length,
  })
  for (const tenant of tenants) void budget.reserve({ tenant, bytes: 25, isFirst: false })
  return {
    ...{ budget, running, draining },
    /** Ends the draining instance that was evicted first. */
    end() {
      budget.release(draining.shift() as string, 25)
    },
  }
}

test('no more instances are evicted than waiting reservations need', async () => {
  const { budget, running, draining, end } = budgetWith(['a', 'b', 'a', 'b'])
  const waiting = [1, 2].map(() => budget.reserve({ tenant: 'c', bytes: 25, isFirst: true }))
  expect(draining).toEqual(['a', 'b'])
  budget.rebalance()
  end()
  await waiting[0]
  budget.rebalance()
  expect(running).toEqual(['a', 'b']) // b's instance is draining for the second one
  end()
  await waiting[1]
  expect(running).toEqual(['a', 'b'])
})

test('if the evicted instance is too small, another one is evicted', async () => {
  const { budget, running, end } = budgetWith(['a', 'b', 'a', 'b'])
  const large = budget.reserve({ tenant: 'c', bytes: 50, isFirst: true })
  expect(running).toHaveLength(3)
  budget.rebalance()
  expect(running).toHaveLength(2)
  budget.rebalance()
  end()
  end()
  await large
  expect(running).toHaveLength(2)
})

test('a tenant over its limit evicts its own instances', async () => {
  const { budget, draining, end } = budgetWith(['b', 'a', 'a', 'a'])
  const more = budget.reserve({ tenant: 'a', bytes: 25, isFirst: true })
  expect(draining).toEqual(['a'])
  end()
  await more
})
