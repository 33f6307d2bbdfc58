import { type Context, invalid } from '@icosa/kernel'
import { contributor } from '../dialect/caller.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { findUser } from '../users/store.ts'
import { actionOf, actions, type State } from './states.ts'
import { type ContributionRow, findOwn, moderate } from './store.ts'
import { type Submission, submit } from './submit.ts'

const fields = ['created', 'via', 'moderationHistory'] as const

/** Whether it is migrated from elsewhere, with its history. */
export const isMoved = (body: Submission): boolean => fields.some((name) => body[name] !== undefined)

/** Creates a contribution with its original date, author and history. Sends no notifications. */
export async function move(context: Context<ServiceRuntime>, body: Submission): Promise<ContributionRow> {
  const { db, caller, clock } = context
  const { tenant } = caller
  const { isTenant, user: moderator } = contributor(caller)
  if (!isTenant)
    invalid(
      fields
        .filter((name) => body[name] !== undefined)
        .map((name) => ({ at: `body/${name}`, message: 'requires a platform key' })),
    )
  const now = clock.now()
  const created = pastOf(body.created ?? now.toISOString(), 'body/created', now)
  const author = body.via?.authority?.user.id
  if (author !== undefined && !(await findUser(db, tenant, author)))
    invalid([{ at: 'body/via/authority/user/id', message: `is not an existing user: ${author}` }])
  const row = await submit(context, body, { created, author, ipAddress: body.via?.ipAddress ?? null })
  let before: State = row.state
  for (const { action, notes, at } of historyOf(body, created, now)) {
    const { id, public: isPublic } = actions[action].resultingState
    const after = id as State
    const moderation = { contribution: row.id, moderator, action, before, after, isPublic, notes: notes ?? null }
    await moderate(db, tenant, moderation, at)
    before = after
  }
  return (await findOwn(db, tenant, row.id)) ?? row
}

function historyOf({ moderationHistory = [] }: Submission, created: Date, now: Date) {
  const items = moderationHistory.map(({ date, action, notes }, index) => ({
    at: pastOf(date, `body/moderationHistory/${index}/date`, now),
    action: actionOf(action),
    notes,
  }))
  const early = items.findIndex(({ at }) => at < created)
  if (early >= 0) invalid([{ at: `body/moderationHistory/${early}/date`, message: 'must not be before created' }])
  return items.toSorted((a, b) => a.at.getTime() - b.at.getTime())
}

function pastOf(text: string, at: string, now: Date): Date {
  const date = new Date(text)
  return date > now ? invalid([{ at, message: 'must not be in the future' }]) : date
}
