import { type Conditions, type Context, demandConditions, Failure, lockName, ok } from '@icosa/kernel'
import { storeOf } from '../data-plane/authentication/authenticate.ts'
import { newEtag, quoted } from '../data-plane/etag.ts'
import { syncToken } from '../data-plane/sync-token.ts'
import * as store from './store.ts'
import { toKeyValue } from './view.ts'

/** New content of a key-value, its deletion, or no change. */
export type Decision = store.Content | 'delete' | 'leave'

/**
 * Changes one key-value if the request's conditions hold. Concurrent changes are serialized. Returns the states before
 * and after.
 */
export async function change(
  context: Context,
  conditions: Conditions,
  identity: store.Identity,
  decide: (current: store.Revision | undefined) => Decision,
): Promise<{ readonly before: store.Revision | undefined; readonly after: store.Revision | undefined }> {
  const { db, clock } = context
  const owner = storeOf(context)
  await lockName(db, JSON.stringify(['key-value', owner.id, identity.key, identity.label]))
  const latest = await store.latest(db, owner, identity)
  const before = latest?.isCurrent ? latest : undefined
  demandConditions(conditions, before && quoted(before.etag))
  const decision = decide(before)
  if (decision === 'leave') return { before, after: before }

  // Monotonic, even if the clock was moved back.
  const now = clock.now()
  const changedAt = latest && latest.turnedAt > now ? latest.turnedAt : now
  if (before) await store.end(db, owner, before, changedAt)
  if (decision === 'delete') return { before, after: undefined }
  return { before, after: await store.begin(db, owner, { ...identity, ...decision, etag: newEtag(), changedAt }) }
}

/** Refuses to change locked key-values. */
export function demandUnlocked(current: store.Revision | undefined): void {
  if (!current?.locked) return
  throw new Failure('conflict', `The key '${current.key}' is read-only: unlock it first.`, { code: 'key-locked' })
}

export const headersOf = ({ etag, changedAt, number }: store.Revision) => ({
  etag: quoted(etag),
  'last-modified': changedAt.toUTCString(),
  'sync-token': syncToken(number),
})

export const okWith = (revision: store.Revision) => ok(toKeyValue(revision), { headers: headersOf(revision) })
