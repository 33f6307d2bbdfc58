import { type Operation, writes } from '@icosa/contract'
import { type Clock, type Context, type Db, Failure, type Platform, type ReadingDb, sql } from '@icosa/kernel'

/** How subscriptions are compared; refuses what cannot be one. */
export function subscriptionKey(id: string): string {
  if (!/^[\w.@-]{1,100}$/.test(id))
    throw new Failure('invalid', 'A subscription id must be 1 to 100 letters, digits or . @ _ -', {
      code: 'InvalidSubscriptionId',
    })
  return id.toLowerCase()
}

export interface Entry {
  readonly id: string
  /** What callers know it as: a dialect may have another word. */
  readonly noun?: string
  /** Whether something is made in it: then it may go to whoever comes first. */
  readonly isMaking: boolean
}

/**
 * A subscription is of one tenant; to everybody else it is not there, whether it is another's or nobody's. Where the rule
 * is `first` one that is nobody's is empty, and goes to whoever first makes something in it.
 */
export async function enterSubscription(
  { id, noun = 'subscription', isMaking }: Entry,
  context: Context,
  operation: Operation,
  platform: Platform,
): Promise<void> {
  const { tenant } = context.caller
  const { rule } = platform.subscriptions
  const key = subscriptionKey(id)
  const remembered = writes(operation) ? undefined : platform.subscriptions.entered
  const place = `${tenant} ${key}`
  const askedAt = performance.now()
  if (remembered && askedAt < (remembered.get(place) ?? 0)) return
  const making = { id, noun, tenant, rule }
  if (isMaking) return holdSubscription(context.db, context.clock, making)
  if ((await demandSubscription(context.db, making)) === tenant) remembered?.set(place, askedAt + rememberedMs)
}

/** A subscription in which a tenant acts, by the rule of the node. */
export interface Subscription extends Pick<Entry, 'id' | 'noun'> {
  readonly tenant: string
  readonly rule: Platform['subscriptions']['rule']
}

/** Refuses a subscription of another tenant, and one of none unless the rule is `first`. Returns its owner. */
export async function demandSubscription(db: ReadingDb, { id, noun, tenant, rule }: Subscription) {
  const owner = await ownerOf(subscriptionKey(id), db)
  if (owner !== tenant && (owner !== undefined || rule === 'bind')) subscriptionNotFound(id, noun)
  return owner
}

/** For a transaction that makes something in a subscription, by whatever way: a request or a restore. */
export async function holdSubscription(db: Db, clock: Clock, { id, noun, tenant, rule }: Subscription): Promise<void> {
  if ((await hold(subscriptionKey(id), { db, clock, tenant, rule })) !== tenant) subscriptionNotFound(id, noun)
}

export function subscriptionNotFound(id: string, noun = 'subscription'): never {
  throw new Failure('notFound', `The ${noun} '${id}' was not found: ask the operator to bind it to you.`, {
    code: 'SubscriptionNotFound',
  })
}

export async function isOwner(db: ReadingDb, id: string, tenant: string): Promise<boolean> {
  return (await ownerOf(subscriptionKey(id), db)) === tenant
}

const rememberedMs = 1_000

async function ownerOf(key: string, db: ReadingDb): Promise<string | undefined> {
  const row = await db.point<{ tenant: string }>(sql`select tenant from icosa.subscriptions where key = ${key}`)
  return row?.tenant
}

/** What is being made holds the subscription as a foreign key would: it is not released until that is there to be seen. */
async function hold(
  key: string,
  { db, clock, tenant, rule }: Omit<Subscription, 'id'> & { readonly db: Db; readonly clock: Clock },
): Promise<string | undefined> {
  const owner = await lockedOwnerOf(key, db)
  if (owner !== undefined || rule === 'bind') return owner
  // Of several who come at once, one gets it; the others wait for the first and are then refused.
  await db.run(sql`
    insert into icosa.subscriptions (key, tenant, created_at) values (${key}, ${tenant}, ${clock.now()})
    on conflict do nothing`)
  return lockedOwnerOf(key, db)
}

async function lockedOwnerOf(key: string, db: Db): Promise<string | undefined> {
  const row = await db.maybe<{ tenant: string }>(sql`
    select tenant from icosa.subscriptions where key = ${key} for key share`)
  return row?.tenant
}
