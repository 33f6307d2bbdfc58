import { type Operation, writes } from '@icosa/contract'
import {
  type Clock,
  type Context,
  type Db,
  Failure,
  type Platform,
  type ReadingContext,
  type ReadingDb,
  sql,
} from '@icosa/kernel'

/** Normalizes a subscription ID for comparison; refuses invalid ones. */
export function subscriptionKey(id: string): string {
  if (!/^[\w.@-]{1,100}$/.test(id))
    throw new Failure('invalid', 'A subscription id must be 1 to 100 letters, digits or . @ _ -', {
      code: 'InvalidSubscriptionId',
    })
  return id.toLowerCase()
}

export interface Entry {
  readonly id: string
  /** The dialect's word for a subscription. */
  readonly noun?: string
  /** Whether the request creates something: an unassigned subscription may then be assigned. */
  readonly isCreating: boolean
}

/**
 * A subscription belongs to one tenant; to all others it is not found, whether assigned or not. With the rule `first`,
 * an unassigned subscription is assigned to the first tenant that creates something in it.
 */
export async function enterSubscription(
  { id, noun = 'subscription', isCreating }: Entry,
  context: Context,
  operation: Operation,
  platform: Platform,
): Promise<void> {
  const { tenant } = context.caller
  const { rule } = platform.subscriptions
  const key = subscriptionKey(id)
  const cache = writes(operation) ? undefined : platform.subscriptions.entered
  const cacheKey = `${tenant} ${key}`
  const now = performance.now()
  if (cache && now < (cache.get(cacheKey) ?? 0)) return
  const subscription = { id, noun, tenant, rule }
  if (isCreating) return holdSubscription(context.db, context.clock, subscription)
  if ((await demandSubscription(context.db, subscription)) === tenant) cache?.set(cacheKey, now + cacheMs)
}

/** Refuses a subscription that the caller may not enter, outside its transaction. */
export async function checkSubscription(
  entry: Pick<Entry, 'id' | 'noun'>,
  { db, caller: { tenant } }: Pick<ReadingContext, 'db' | 'caller'>,
  { subscriptions: { rule } }: Platform,
): Promise<void> {
  await demandSubscription(db, { ...entry, tenant, rule })
}

/** A subscription in which a tenant acts, with the node's assignment rule. */
export interface Subscription extends Pick<Entry, 'id' | 'noun'> {
  readonly tenant: string
  readonly rule: Platform['subscriptions']['rule']
}

/** Refuses another tenant's subscription, and an unassigned one unless the rule is `first`. Returns its owner. */
export async function demandSubscription(db: ReadingDb, { id, noun, tenant, rule }: Subscription) {
  const owner = await ownerOf(subscriptionKey(id), db)
  if (owner !== tenant && (owner !== undefined || rule === 'bind')) subscriptionNotFound(id, noun)
  return owner
}

/** For transactions that create something in a subscription: a request or a restore. */
export async function holdSubscription(db: Db, clock: Clock, { id, noun, tenant, rule }: Subscription): Promise<void> {
  if ((await lock(subscriptionKey(id), { db, clock, tenant, rule })) !== tenant) subscriptionNotFound(id, noun)
}

export function subscriptionNotFound(id: string, noun = 'subscription'): never {
  throw new Failure('notFound', `The ${noun} '${id}' was not found: ask the operator to bind it to you.`, {
    code: 'SubscriptionNotFound',
  })
}

export async function isOwner(db: ReadingDb, id: string, tenant: string): Promise<boolean> {
  return (await ownerOf(subscriptionKey(id), db)) === tenant
}

const cacheMs = 1_000

async function ownerOf(key: string, db: ReadingDb): Promise<string | undefined> {
  const row = await db.point<{ tenant: string }>(sql`select tenant from icosa.subscriptions where key = ${key}`)
  return row?.tenant
}

/** Takes a shared lock, as a foreign key would: the subscription is not released before the resource is visible. */
async function lock(
  key: string,
  { db, clock, tenant, rule }: Omit<Subscription, 'id'> & { readonly db: Db; readonly clock: Clock },
): Promise<string | undefined> {
  const owner = await lockedOwnerOf(key, db)
  if (owner !== undefined || rule === 'bind') return owner
  // Of concurrent inserts one wins; the others wait for it and are then refused.
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
