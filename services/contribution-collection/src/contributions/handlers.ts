import { type Context, Failure, implement, notFound, ok, type ReadingContext } from '@icosa/kernel'
import { removeDeleted } from '../deletion/jobs.ts'
import { contributor } from '../dialect/caller.ts'
import { announce } from '../events/announce.ts'
import { notifyAuthor } from '../events/jobs.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { ensureUser } from '../users/store.ts'
import { contributions as contract } from './contract.ts'
import { demandJurisdiction, hasJurisdiction } from './jurisdiction.ts'
import { isMoved, move } from './move.ts'
import * as reactions from './reactions-store.ts'
import { searchContextOf } from './search-context.ts'
import { actionOf, actions } from './states.ts'
import * as store from './store.ts'
import { submit } from './submit.ts'
import { shownContributions } from './view.ts'

export const contributions = implement<typeof contract, ServiceRuntime>(contract, {
  async createContribution({ body }, context) {
    if (isMoved(body)) return ok(await viewOf(context, await move(context, body)))
    const row = await submit(context, body)
    await announce(context, 'contribution-submitted', row)
    await context.jobs.enqueue(notifyAuthor, { contribution: row.id, notice: 'received' })
    return ok(await viewOf(context, row))
  },

  async getContribution({ params: { id } }, context) {
    return ok(await viewOf(context, await findVisible(context, id)))
  },

  async deleteContribution({ params: { id } }, context) {
    const { db, caller, clock } = context
    const row = await findAndLock(context, id)
    const { user } = contributor(caller)
    if (row.author !== user && !(await hasJurisdiction(context, row)))
      throw new Failure('forbidden', `The contribution '${id}' is not yours to delete.`)
    const view = await viewOf(context, row)
    await store.markDeleted(db, caller.tenant, id, clock.now())
    await announce(context, 'contribution-deleted', row)
    await context.jobs.enqueue(removeDeleted, { contribution: id }, { key: id })
    return ok(view)
  },

  async flagContribution({ params: { id }, body }, context) {
    const { db, caller, clock } = context
    const row = await findVisible(context, id)
    const { user } = contributor(caller)
    await ensureUser(db, caller.tenant, user, clock.now())
    const { type = null, email = null, notes = null } = body
    const newFlag = { contribution: row.id, user, type, email, notes }
    const flag = await reactions.insertFlag(db, caller.tenant, newFlag, clock.now())
    await announce(context, 'contribution-flagged', row, { notes: notes ?? undefined, flag: type ?? '' })
    return ok(toFlag(flag))
  },

  async listFlags({ params: { id } }, context) {
    const row = await findVisible(context, id)
    await demandJurisdiction(context, row)
    return ok((await reactions.flagsOf(context.db, context.caller.tenant, id)).map(toFlag))
  },

  async likeContribution({ params: { id } }, context) {
    const { db, caller, clock } = context
    await findVisible(context, id)
    return ok(await reactions.like(db, caller.tenant, id, contributor(caller).user, clock.now()))
  },

  async listLikes({ params: { id } }, context) {
    await findVisible(context, id)
    return ok(await reactions.likers(context.db, context.caller.tenant, id))
  },

  async moderateContribution({ params: { id }, body }, context) {
    const { db, caller, clock } = context
    const row = await findAndLock(context, id)
    await demandJurisdiction(context, row)
    const action = actionOf(body.action)
    const { user } = contributor(caller)
    await ensureUser(db, caller.tenant, user, clock.now())
    const { resultingState } = actions[action]
    const moderation = {
      contribution: id,
      moderator: user,
      action,
      before: row.state,
      after: resultingState.id as typeof row.state,
      isPublic: resultingState.public,
      notes: body.notes ?? null,
    }
    await store.moderate(db, caller.tenant, moderation, clock.now())
    const { id: state } = resultingState
    await announce(context, 'contribution-moderated', row, { notes: body.notes, state })
    const notice = action === 'approve' ? 'published' : action === 'reject' ? 'rejected' : undefined
    if (notice) await context.jobs.enqueue(notifyAuthor, { contribution: id, notice })
    return ok(state)
  },
})

const toFlag = ({ id, type, email, notes, at }: reactions.FlagRow) => ({
  id,
  ...(type !== null && { type }),
  ...(email !== null && { email }),
  ...(notes !== null && { notes }),
  date: at.toISOString(),
})

async function viewOf({ db, caller, clock, runtime }: ReadingContext<ServiceRuntime>, row: store.ContributionRow) {
  const { tenant } = caller
  const surroundings = { db, tenant, viewer: contributor(caller), now: clock.now(), publicUrl: runtime.publicUrl }
  const [view] = await shownContributions(surroundings, [row])
  return view as NonNullable<typeof view>
}

const findVisible = async (context: ReadingContext<ServiceRuntime>, id: string) =>
  (await store.find(context.db, searchContextOf(context), id)) ?? notFound('contribution', id)

const findAndLock = async (context: Context<ServiceRuntime>, id: string) =>
  (await store.findForUpdate(context.db, searchContextOf(context), id)) ?? notFound('contribution', id)
