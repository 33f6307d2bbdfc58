import { expect, test } from 'vitest'
import { fairGate } from './fair-gate.ts'
import { isWithinShare } from './share.ts'

/** Work that goes on until it is let go. */
function hanging() {
  const running: string[] = []
  const ends: (() => void)[] = []
  const hang = (name: string) => () => {
    running.push(name)
    return new Promise<void>((resolve) => ends.push(resolve))
  }
  return { running, hang, endFirst: () => ends.shift()?.() }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

test('a tenant that fills the gate leaves a place for the next, and that one for yet another', async () => {
  const enter = fairGate(8)
  const { running, hang } = hanging()
  for (const tenant of ['evil', 'acme', 'late'])
    for (let count = 0; count < 20; count++) void enter(tenant, hang(tenant))
  await settle()
  const of = (tenant: string) => running.filter((name) => name === tenant).length
  expect([of('evil'), of('acme'), of('late')]).toEqual([6, 1, 1])
})

test('places that come free go to whoever has the fewest, in turn', async () => {
  const enter = fairGate(2)
  const { running, hang, endFirst } = hanging()
  for (let count = 0; count < 10; count++) void enter('evil', hang('evil'))
  void enter('acme', hang('acme'))
  void enter('late', hang('late'))
  await settle()
  expect(running).toEqual(['evil', 'acme'])
  for (let count = 0; count < 4; count++) {
    endFirst()
    await settle()
  }
  expect(running, 'not behind all of the first one').toEqual(['evil', 'acme', 'evil', 'late', 'evil'])
})

test('what fails gives its place back, and tells its caller', async () => {
  const enter = fairGate(1)
  await expect(enter('acme', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await enter('acme', async () => 'yes')).toBe('yes')
})

test('however many tenants take all that they may, the next one finds a place', () => {
  for (const places of [2, 3, 8, 32, 100, 1_000]) {
    for (let tenants = 1; 3 * tenants + 1 <= places; tenants++) {
      const held = Array(tenants).fill(0)
      let free = places
      for (let moved = true; moved; ) {
        moved = false
        for (let one = 0; one < tenants; one++)
          if (isWithinShare(held[one], free)) {
            held[one]++
            free--
            moved = true
          }
      }
      expect(free, `${tenants} at ${places} places`).toBeGreaterThan(0)
    }
  }
})
