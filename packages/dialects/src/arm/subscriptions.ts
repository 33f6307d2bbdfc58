import { type Context, Failure, type ReadingDb, type SubscriptionRule, sql } from '@icosa/kernel'

/** How subscriptions are compared; refuses what cannot be one. */
export function subscriptionKey(id: string): string {
  if (!/^[\w.@-]{1,100}$/.test(id))
    throw new Failure('invalid', 'A subscription id must be 1 to 100 letters, digits or . @ _ -', {
      code: 'InvalidSubscriptionId',
    })
  return id.toLowerCase()
}

/**
 * A subscription is of one tenant; to everybody else it is not there, whether it is another's or nobody's. Where the rule
 * is `first` one that is nobody's is empty, and goes to whoever first makes something in it.
 */
export async function enterSubscription(
  id: string,
  { db, caller, clock }: Context,
  isMaking: boolean,
  rule: SubscriptionRule,
): Promise<void> {
  const key = subscriptionKey(id)
  // What is being made holds the subscription as a foreign key would: it is not released until that is there to be seen.
  const read = (): Promise<{ readonly tenant: string } | undefined> =>
    isMaking
      ? db.maybe(sql`select tenant from icosa.subscriptions where key = ${key} for key share`)
      : db.point(sql`select tenant from icosa.subscriptions where key = ${key}`)
  let owner = await read()
  if (!owner && isMaking && rule === 'first') {
    // Of several who come at once, one gets it; the others wait for the first and are then refused.
    await db.run(sql`
      insert into icosa.subscriptions (key, tenant, created_at) values (${key}, ${caller.tenant}, ${clock.now()})
      on conflict do nothing`)
    owner = await read()
  }
  if (owner ? owner.tenant !== caller.tenant : rule === 'bind') subscriptionNotFound(id)
}

export function subscriptionNotFound(id: string): never {
  throw new Failure('notFound', `The subscription '${id}' was not found: ask the operator to bind it to you.`, {
    code: 'SubscriptionNotFound',
  })
}

export async function isOwner(db: ReadingDb, id: string, tenant: string): Promise<boolean> {
  const key = subscriptionKey(id)
  return (await db.maybe(sql`select from icosa.subscriptions where key = ${key} and tenant = ${tenant}`)) !== undefined
}
