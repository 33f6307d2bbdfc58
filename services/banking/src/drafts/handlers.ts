import { Failure, implement, notFound, type ReadingDb } from '@icosa/kernel'
import { existingAccount } from '../accounts/existing.ts'
import type { Account } from '../accounts/store.ts'
import { labelOf } from '../accounts/view.ts'
import { created, itemReply, listed } from '../dialect/reply.ts'
import type { Place } from '../documents/store.ts'
import { publish } from '../notifications/publish.ts'
import { type OrderBody, payOrder, writingOf } from '../payments/order.ts'
import type { Writing } from '../payments/pay.ts'
import { checkOrder, firstTime, schedulePayment } from '../schedules/plan.ts'
import type { Recurrence } from '../schedules/times.ts'
import { momentOf, readMoment } from '../shapes/moments.ts'
import { type AccountParams, placeOf } from '../shapes/places.ts'
import { drafts as contract } from './contract.ts'
import { draftStore, toDraft } from './store.ts'

type ItemParams = AccountParams & { readonly itemId: string }

/** The drafts of an account are its owner's, also those of invited users: only the owner can accept them. */
async function draftPlace(db: ReadingDb, tenant: string, params: AccountParams): Promise<Place> {
  const { id: account, user } = await existingAccount(db, tenant, params['monetary-accountID'])
  return { user, account }
}

const draftOf = async (db: ReadingDb, tenant: string, params: ItemParams) =>
  (await draftStore.find(db, tenant, await draftPlace(db, tenant, params), params.itemId)) ??
  notFound('draft', params.itemId)

export const drafts = implement(contract, {
  async createDraftPayment({ params, body }, context) {
    const writing = writingOf(context)
    const { db, tenant, at } = writing
    const account = await existingAccount(db, tenant, params['monetary-accountID'])
    const { entries, schedule = null } = body
    await checkDraft(writing, account, { entries, schedule })
    const draft = { entries, schedule, alias: labelOf(account), payments: [], scheduled: [] }
    const place = { user: account.user, account: account.id }
    const id = await draftStore.insert(db, tenant, place, { status: 'PENDING', body: draft, at })
    await publish(writing, [{ ...place, category: 'DRAFT_PAYMENT', action: 'CREATE', kind: 'DraftPayment', id }])
    return created(id)
  },
  async listDraftPayments({ params, query }, { db, caller }) {
    const rows = await draftStore.list(db, caller.tenant, await draftPlace(db, caller.tenant, params), query)
    return listed('DraftPayment', query, rows, toDraft, ({ id }) => Number(id))
  },
  async getDraftPayment({ params }, { db, caller }) {
    return itemReply('DraftPayment', toDraft(await draftOf(db, caller.tenant, params)))
  },
  async updateDraftPayment({ params, body: { status, previous_updated_timestamp: previous, ...changes } }, context) {
    const writing = writingOf(context)
    const { db, tenant, at } = writing
    const { id } = await draftOf(db, tenant, params)
    const draft = (await draftStore.lock(db, tenant, id)) ?? notFound('draft', id)
    if (draft.status !== 'PENDING') throw new Failure('invalid', `The draft was already ${draft.status.toLowerCase()}.`)
    refuseOutdated(draft.updatedAt, previous)
    const from = await existingAccount(db, tenant, params['monetary-accountID'])
    const { entries, schedule = null } = { ...draft.body, ...changes }
    await checkDraft(writing, from, changes)
    const payments: string[] = []
    const scheduled: string[] = []
    if (status === 'ACCEPTED')
      for (const payment of entries)
        if (schedule) scheduled.push(await schedulePayment(writing, from, { payment, schedule }))
        else payments.push((await payOrder(writing, from, payment)).id)
    await draftStore.update(db, tenant, id, { status, body: { entries, schedule, payments, scheduled }, at })
    if (status)
      await publish(writing, [
        { ...placeOf(params), category: 'DRAFT_PAYMENT', action: 'UPDATE', kind: 'DraftPayment', id },
      ])
    return created(id)
  },
})

interface DraftChanges {
  readonly entries?: readonly OrderBody[]
  readonly schedule?: Recurrence | null
}

async function checkDraft(writing: Writing, from: Account, { entries = [], schedule }: DraftChanges): Promise<void> {
  for (const entry of entries) await checkOrder(writing, from, entry, 'body/entries')
  if (schedule) firstTime(schedule, writing.at)
}

/** Optimistic concurrency: rejects a change based on an outdated draft. */
function refuseOutdated(updatedAt: Date, previous: string | undefined): void {
  if (previous !== undefined && readMoment(previous)?.getTime() !== updatedAt.getTime())
    throw new Failure('invalid', `The draft was changed at ${momentOf(updatedAt)}: read it again before you change it.`)
}
