import { createHmac } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { PeopleContext } from '../people/context.ts'
import * as store from './store.ts'

const minuteMs = 60_000
const quarterMs = 15 * minuteMs

export const accountLimit: store.Limit = {
  failures: 5,
  withinMs: quarterMs,
  firstLockMs: quarterMs,
  longestLockMs: 24 * 60 * minuteMs,
}

/** Softer, since an office or a school may share one address: its locks do not grow. */
export const networkLimit: store.Limit = {
  failures: 20,
  withinMs: quarterMs,
  firstLockMs: quarterMs,
  longestLockMs: quarterMs,
}

type Context = Pick<PeopleContext, 'database' | 'clock' | 'attemptsKey'>

const keyed = ({ attemptsKey }: Context, kind: string, text: string) =>
  createHmac('sha256', attemptsKey).update(`${kind} ${text}`).digest()

export const personKey = (context: Context, id: string) => keyed(context, 'person', id)

/** For an address that nobody has. */
export const emailKey = (context: Context, email: string) => keyed(context, 'email', email.toLowerCase())

export const networkKey = (context: Context, address: string) => keyed(context, 'network', networkOf(address))

/** Counts a try before it is made. Answers until when the key is locked, or undefined if the try may be made. */
export async function count({ database, clock }: Context, key: Buffer, limit: store.Limit): Promise<Date | undefined> {
  const now = clock.now()
  if (await store.count(database, key, limit, now)) return undefined
  return (await store.lockedUntil(database, key)) ?? now
}

/** An IPv6 customer has 2^64 addresses at least: all of them count as one. */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%')
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(plain)?.[1]
  if (mapped !== undefined || !isIPv6(plain)) return mapped ?? plain
  const [head = '', tail = ''] = plain.split('::').map((part) => part.replace(/\d+(\.\d+){3}$/, '0:0'))
  const before = head.split(':').filter(Boolean)
  const after = tail.split(':').filter(Boolean)
  const zeros = Array.from({ length: Math.max(8 - before.length - after.length, 0) }, () => '0')
  const groups = [...before, ...zeros, ...after].slice(0, 4)
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')
}
