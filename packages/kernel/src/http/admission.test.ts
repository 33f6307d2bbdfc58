import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { admission } from './admission.ts'
import { share } from './share.ts'

test('a party may hold as much as is still free: one half alone, a third beside another, and there is room for the next', () => {
  const places = share(12)
  const takeAll = (party: string) => {
    let taken = 0
    while (places.take(party, 1)) taken++
    return taken
  }
  expect(takeAll('ada')).toBe(6)
  expect(takeAll('bob')).toBe(3)
  expect(places.take('cy', 1)).toBe(true)
  for (let n = 0; n < 6; n++) places.give('ada', 1)
  expect(takeAll('bob')).toBe(3) // six of its own, then five are free
  expect(places.held).toBe(7)
})

interface Started {
  readonly party: string
  end(): void
}

/** Work that goes on until it is told to end. */
function workshop(limits: Parameters<typeof admission>[0]) {
  const gate = admission(limits)
  const started: Started[] = []
  const begin = (party: string) =>
    gate.run(party, () => new Promise<void>((end) => started.push({ party, end: () => end() })))
  return { gate, started, begin, of: (party: string) => started.filter((one) => one.party === party).length }
}

test('who floods waits for itself: a newcomer starts at once, and lines take turns', async () => {
  const { gate, started, begin, of } = workshop({ running: 8, waiting: 1000, waitMs: 60_000 })
  const flood = Array.from({ length: 100 }, () => begin('flood'))
  expect(of('flood')).toBe(4)
  const other = begin('other')
  expect(of('other'), 'no wait behind the hundred').toBe(1)
  const more = Array.from({ length: 10 }, () => begin('other'))
  let ended = 0
  while (ended < started.length) {
    for (const { end } of started.slice(ended)) {
      end()
      ended++
    }
    await sleep(0)
  }
  await Promise.all([...flood, other, ...more])
  const lastOfOther = started.map(({ party }) => party).lastIndexOf('other')
  expect(lastOfOther, 'eleven of another are done while the hundred have hardly begun').toBeLessThan(60)
  expect(gate.load()).toEqual({ running: 0, waiting: 0 })
})

test('who waited too long, or whose line is full, is told when to come again', async () => {
  const { gate, started, begin } = workshop({ running: 2, waiting: 4, waitMs: 50 })
  const running = begin('ada')
  const waiting = [begin('ada'), begin('ada')]
  const tooMany = await begin('ada').catch((error) => error)
  expect(tooMany).toMatchObject({ kind: 'rateLimited', retryAfterSeconds: 1 })
  for (const late of await Promise.allSettled(waiting))
    expect(late).toMatchObject({ status: 'rejected', reason: { kind: 'unavailable', retryAfterSeconds: 1 } })
  for (const { end } of started) end()
  await running
  expect(gate.load()).toEqual({ running: 0, waiting: 0 })
})
