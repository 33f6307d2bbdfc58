import { createHmac } from 'node:crypto'
import { networkOf } from '@icosa/tokens/passwords/network'
import type { PeopleContext } from '../people/context.ts'
import * as store from './store.ts'

const minuteMs = 60_000
const quarterMs = 15 * minuteMs

/** Applies to an account, and separately to each known device of its owner. */
const accountLimit: store.Limit = {
  failures: 5,
  withinMs: quarterMs,
  firstLockMs: quarterMs,
  maxLockMs: 24 * 60 * minuteMs,
}

/**
 * Against password spraying: guesses at many accounts, too few at each to lock it. A rate limit instead of a lock, since an
 * office, or all users behind a proxy that is not in ICOSA_TRUSTED_PROXIES, may share an address.
 */
export const networkRate: store.RateLimit = { burst: 100, intervalMs: minuteMs / 2 }

type Context = Pick<PeopleContext, 'database' | 'clock' | 'attemptsKey'>

export const keyed = ({ attemptsKey }: Pick<Context, 'attemptsKey'>, kind: string, text: string) =>
  createHmac('sha256', attemptsKey).update(`${kind} ${text}`).digest()

export const personKey = (context: Context, id: string) => keyed(context, 'person', id)

/** For an address without an account. */
export const emailKey = (context: Context, email: string) => keyed(context, 'email', email.toLowerCase())

/** A device on which the user has signed in before, or an unknown one. The two never share a counter. */
export type AttemptSource = { readonly device: Buffer } | { readonly account: Buffer; readonly network: Buffer }

export const onKnownDevice = (context: Context, person: string, device: string): AttemptSource => ({
  device: keyed(context, 'device', `${person} ${device}`),
})

export const onUnknownDevice = (context: Context, account: Buffer, address: string): AttemptSource => ({
  account,
  network: keyed(context, 'network', networkOf(address)),
})

/** Counts a guess before it is checked. Returns the end of the lock, or undefined if the guess is allowed. */
export async function count(context: Context, source: AttemptSource): Promise<Date | undefined> {
  const { database, clock } = context
  const now = clock.now()
  if ('device' in source) return countAt(source.device)
  const { account, network } = source
  if (!(await store.takeRate(database, network, networkRate, now)))
    return store.rateLimitedUntil(database, network, networkRate, now)
  const until = await countAt(account)
  if (until) await store.refundRate(database, network, networkRate) // the guess was not checked
  return until

  async function countAt(key: Buffer): Promise<Date | undefined> {
    if (await store.count(database, key, accountLimit, now)) return undefined
    return (await store.lockedUntil(database, key)) ?? now
  }
}

/** Uncounts a guess that could not be checked for lack of capacity. */
export async function refund({ database }: Context, source: AttemptSource): Promise<void> {
  if ('device' in source) return store.refund(database, source.device, accountLimit)
  await store.refund(database, source.account, accountLimit)
  await store.refundRate(database, source.network, networkRate)
}

/** Resets the counters after a right password. The network gets back only this guess: an attacker's own account must not reset its limit. */
export async function succeed({ database }: Context, source: AttemptSource): Promise<void> {
  if ('device' in source) return store.forget(database, source.device)
  await store.forget(database, source.account)
  await store.refundRate(database, source.network, networkRate)
}
