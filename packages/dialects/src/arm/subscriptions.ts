import { type Context, Failure, sql } from '@icosa/kernel'

/**
 * A subscription belongs to the tenant who first makes something in it; to others it is not there. One that nobody has
 * used is anybody's to look at, and empty.
 */
export async function enterSubscription(id: string, { db, caller, clock }: Context, isMaking: boolean): Promise<void> {
  if (!/^[\w.@-]{1,100}$/.test(id))
    throw new Failure('invalid', 'A subscription has 1 to 100 letters, digits, . @ _ -', {
      code: 'InvalidSubscriptionId',
    })
  const key = id.toLowerCase()
  const read = () => db.maybe<{ tenant: string }>(sql`select tenant from icosa.subscriptions where key = ${key}`)
  let owner = await read()
  if (!owner && isMaking) {
    // Of several who come at once, one gets it; the others wait for the first and are then refused.
    await db.run(sql`
      insert into icosa.subscriptions (key, tenant, created_at) values (${key}, ${caller.tenant}, ${clock.now()})
      on conflict do nothing`)
    owner = await read()
  }
  if (owner && owner.tenant !== caller.tenant)
    throw new Failure('notFound', `The subscription '${id}' was not found.`, { code: 'SubscriptionNotFound' })
}
