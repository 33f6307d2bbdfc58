import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ask, invite } from './transaction.ts'
import type { Wire } from './wire.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A wire on which nobody answers, with the moments at which something was sent. */
function deadWire() {
  const sentMs: number[] = []
  const started = Date.now()
  const to = { host: '127.0.0.1', port: 9 }
  const wire: Wire = {
    own: to,
    local: to.host,
    send: () => void sentMs.push(Date.now() - started),
    expect: () => () => {},
    [Symbol.asyncDispose]: async () => {},
  }
  return { wire, sentMs, outgoing: { packet: Buffer.from('x'), branch: 'one', method: 'BYE', to } }
}

const timing = { t1Ms: 500, t2Ms: 4_000 }

test('a request goes again, each pause twice as long up to T2, until 64 times T1 are over', async () => {
  const { wire, sentMs, outgoing } = deadWire()
  const answer = ask(wire, outgoing, timing)
  await vi.advanceTimersByTimeAsync(100_000)
  expect(sentMs).toEqual([0, 500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500])
  expect(await answer).toBeUndefined()
})

test('the pauses between invitations have no upper bound', async () => {
  const { wire, sentMs, outgoing } = deadWire()
  const hearing = { provisional() {}, success() {}, acknowledge: () => Buffer.of() }
  const { final } = invite(wire, outgoing, timing, hearing)
  await vi.advanceTimersByTimeAsync(100_000)
  expect(sentMs).toEqual([0, 500, 1_500, 3_500, 7_500, 15_500, 31_500])
  expect(await final).toBeUndefined()
})
