import { randomBytes } from 'node:crypto'
import { Failure, lockName } from '@icosa/kernel'
import type { Answer, Call } from '../data-plane/call.ts'
import { demandConditions } from '../data-plane/conditions.ts'
import { shown } from './shown.ts'
import * as store from './store.ts'

/** What becomes of a key-value: other content, nothing at all, or no change. */
export type Decision = store.Content | 'delete' | 'leave'

/**
 * Changes one key-value if the request's conditions hold. Of many that want to change it at once, one after the other
 * sees what the one before has left. Answers what it was before and what it is now.
 */
export async function change(
  { platform, store: owner, headers }: Call,
  identity: store.Identity,
  decide: (current: store.Revision | undefined) => Decision,
): Promise<{ readonly before: store.Revision | undefined; readonly after: store.Revision | undefined }> {
  return platform.database.transaction(async (db) => {
    await lockName(db, JSON.stringify(['key-value', owner.id, identity.key, identity.label]))
    const latest = await store.latest(db, owner, identity)
    const before = latest?.isCurrent ? latest : undefined
    demandConditions(headers, before?.etag)
    const decision = decide(before)
    if (decision === 'leave') return { before, after: before }

    // Time goes on, even where the clock was put back.
    const now = platform.clock.now()
    const changedAt = latest && latest.turnedAt > now ? latest.turnedAt : now
    if (before) await store.end(db, owner, before, changedAt)
    if (decision === 'delete') return { before, after: undefined }
    const etag = randomBytes(16).toString('hex')
    return { before, after: await store.begin(db, owner, { ...identity, ...decision, etag, changedAt }) }
  })
}

/** Refuses to change what is locked. */
export function demandUnlocked(current: store.Revision | undefined): void {
  if (!current?.locked) return
  throw new Failure('conflict', `The key '${current.key}' is read-only: unlock it first.`, { code: 'key-locked' })
}

export const headersOf = ({ etag, changedAt }: store.Revision) => ({
  etag: `"${etag}"`,
  'last-modified': changedAt.toUTCString(),
})

export function answerWith(revision: store.Revision, select: (item: object) => object = (item) => item): Answer {
  return {
    status: 200,
    headers: headersOf(revision),
    kind: 'kv',
    body: select(shown(revision)),
    sequence: revision.number,
  }
}
