import { randomUUID } from 'node:crypto'
import { createTestDatabase } from '@icosa/testing'
import { expect, test } from 'vitest'
import { openDatabase, sql } from '../db/db.ts'
import { holdLease, releaseLease } from './lease.ts'

const hourMs = 3_600_000
const [ada, bob] = [randomUUID(), randomUUID()]

test('a lease has one holder until it expires or is released', async () => {
  await using testDatabase = await createTestDatabase([])
  const database = openDatabase({ url: testDatabase.url, maxConnections: 2, onError: () => {} })
  await using _ = { [Symbol.asyncDispose]: () => database.close() }
  const hold = (holder: string, name = 'one') => holdLease(database, name, holder)
  const expireIn = (ms: number) =>
    database.run(sql`
      update icosa.leases set expires_at = clock_timestamp() + ${ms}::float8 * interval '1 millisecond'`)
  /** Acquires a lease that lasts, however slow the machine is. */
  const holdFirmly = async (holder: string, name?: string) => {
    const { before } = await database.one<{ before: Date }>(sql`select clock_timestamp() as before`)
    const lease = await hold(holder, name)
    const { lasts } = await database.one<{ lasts: boolean }>(sql`
      select expires_at - interval '5 seconds' between ${before} and clock_timestamp() as lasts
      from icosa.leases where name = ${name ?? 'one'}`)
    expect(lasts, 'valid for five more seconds').toBe(true)
    await expireIn(hourMs)
    return lease
  }

  expect(await holdFirmly(ada)).toEqual({ isHeld: true, leftMs: 0 })
  const { isHeld, leftMs } = await hold(bob)
  expect(isHeld).toBe(false)
  expect(leftMs).toBeGreaterThan(hourMs - 600_000)
  expect(leftMs).toBeLessThanOrEqual(hourMs)
  expect(await holdFirmly(bob, 'another'), 'leases are independent by name').toEqual({ isHeld: true, leftMs: 0 })
  expect(await holdFirmly(ada), 'renewed').toMatchObject({ isHeld: true })
  expect(await hold(bob)).toMatchObject({ isHeld: false })

  await expireIn(-1)
  expect(await holdFirmly(bob)).toEqual({ isHeld: true, leftMs: 0 })
  expect(await hold(ada)).toMatchObject({ isHeld: false })

  expect(await releaseLease(database, 'one', ada), 'held by another').toBe(false)
  expect(await hold(ada)).toMatchObject({ isHeld: false })
  expect(await releaseLease(database, 'one', bob)).toBe(true)
  expect(await releaseLease(database, 'one', bob)).toBe(false)
  expect(await holdFirmly(ada)).toMatchObject({ isHeld: true })
  expect(await hold(ada, 'another'), 'still bob’s').toMatchObject({ isHeld: false })
})
