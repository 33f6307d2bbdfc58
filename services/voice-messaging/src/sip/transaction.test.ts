import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { invite, sendRequest } from './transaction.ts'
import type { Wire } from './wire.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A wire without responses that records when packets were sent. */
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

test('a request is retransmitted with doubling pauses up to T2, until 64 times T1', async () => {
  const { wire, sentMs, outgoing } = deadWire()
  const answer = sendRequest(wire, outgoing, timing)
  await vi.advanceTimersByTimeAsync(100_000)
  expect(sentMs).toEqual([0, 500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500])
  expect(await answer).toBeUndefined()
})

test('pauses between retransmissions of INVITE are unbounded', async () => {
  const { wire, sentMs, outgoing } = deadWire()
  const listener = { provisional() {}, success() {}, acknowledge: () => Buffer.of() }
  const { final } = invite(wire, outgoing, timing, listener)
  await vi.advanceTimersByTimeAsync(100_000)
  expect(sentMs).toEqual([0, 500, 1_500, 3_500, 7_500, 15_500, 31_500])
  expect(await final).toBeUndefined()
})
