import { createHmac } from 'node:crypto'
import { networkOf } from '@icosa/tokens/passwords/network'
import type { PeopleContext } from '../people/context.ts'
import * as store from './store.ts'

const minuteMs = 60_000
const quarterMs = 15 * minuteMs

/** For an account, and for each device of its owner by itself. */
const accountLimit: store.Limit = {
  failures: 5,
  withinMs: quarterMs,
  firstLockMs: quarterMs,
  maxLockMs: 24 * 60 * minuteMs,
}

/**
 * A pace and no lock, since an office, or everybody behind a proxy that is not counted in ICOSA_TRUST_PROXY, may share
 * one address. It is there for guesses at many accounts, of which each alone is too few to notice.
 */
export const networkPace: store.Pace = { atOnce: 100, everyMs: minuteMs / 2 }

type Context = Pick<PeopleContext, 'database' | 'clock' | 'attemptsKey'>

export const keyed = ({ attemptsKey }: Pick<Context, 'attemptsKey'>, kind: string, text: string) =>
  createHmac('sha256', attemptsKey).update(`${kind} ${text}`).digest()

export const personKey = (context: Context, id: string) => keyed(context, 'person', id)

/** For an address that nobody has. */
export const emailKey = (context: Context, email: string) => keyed(context, 'email', email.toLowerCase())

/** Who guesses: somebody on a device that has signed in before, or a stranger. The two never share a count. */
export type Guesser = { readonly device: Buffer } | { readonly account: Buffer; readonly network: Buffer }

export const onDevice = (context: Context, person: string, device: string): Guesser => ({
  device: keyed(context, 'device', `${person} ${device}`),
})

export const stranger = (context: Context, account: Buffer, address: string): Guesser => ({
  account,
  network: keyed(context, 'network', networkOf(address)),
})

/** Counts a guess before it is made. Answers until when there may be none, or undefined if it may be made. */
export async function count(context: Context, guesser: Guesser): Promise<Date | undefined> {
  const { database, clock } = context
  const now = clock.now()
  if ('device' in guesser) return countAt(guesser.device)
  const { account, network } = guesser
  if (!(await store.pace(database, network, networkPace, now)))
    return store.pacedUntil(database, network, networkPace, now)
  const until = await countAt(account)
  if (until) await store.takePaceBack(database, network, networkPace) // it was not made
  return until

  async function countAt(key: Buffer): Promise<Date | undefined> {
    if (await store.count(database, key, accountLimit, now)) return undefined
    return (await store.lockedUntil(database, key)) ?? now
  }
}

/** As if the guess had not been made: there was no room to check it. */
export async function takeBack({ database }: Context, guesser: Guesser): Promise<void> {
  if ('device' in guesser) return store.takeBack(database, guesser.device, accountLimit)
  await store.takeBack(database, guesser.account, accountLimit)
  await store.takePaceBack(database, guesser.network, networkPace)
}

/** It was right. Of a network only its own count: an account of one's own must not buy guesses at those of others. */
export async function succeed({ database }: Context, guesser: Guesser): Promise<void> {
  if ('device' in guesser) return store.forget(database, guesser.device)
  await store.forget(database, guesser.account)
  await store.takePaceBack(database, guesser.network, networkPace)
}
