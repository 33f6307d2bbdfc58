import { Failure, implement, notFound, type ReadingDb } from '@icosa/kernel'
import { accountNamed } from '../accounts/named.ts'
import type { Account } from '../accounts/store.ts'
import { labelOf } from '../accounts/view.ts'
import { created, found, listed } from '../dialect/reply.ts'
import { announce } from '../notifications/announce.ts'
import { type OrderBody, payOrder, writingOf } from '../payments/order.ts'
import type { Writing } from '../payments/pay.ts'
import { checkOrder, firstTime, schedulePayment } from '../schedules/plan.ts'
import type { Recurrence } from '../schedules/times.ts'
import { momentOf, readMoment } from '../shapes/moments.ts'
import { type AccountParams, placeOf } from '../shapes/places.ts'
import { drafts as contract } from './contract.ts'
import { draftRecords, toDraft } from './store.ts'

type Asked = AccountParams & { readonly itemId: string }

const draftOf = async (db: ReadingDb, tenant: string, params: Asked) =>
  (await draftRecords.find(db, tenant, placeOf(params), params.itemId)) ?? notFound('draft', params.itemId)

export const drafts = implement(contract, {
  async createDraftPayment({ params, body }, context) {
    const writing = writingOf(context)
    const { db, tenant, at } = writing
    const account = await accountNamed(db, tenant, params['monetary-accountID'])
    const { entries, schedule = null } = body
    await checkDraft(writing, account, { entries, schedule })
    const kept = { entries, schedule, alias: labelOf(account), payments: [], scheduled: [] }
    const id = await draftRecords.insert(db, tenant, placeOf(params), { status: 'PENDING', body: kept, at })
    await announce(writing, [
      { ...placeOf(params), category: 'DRAFT_PAYMENT', action: 'CREATE', kind: 'DraftPayment', id },
    ])
    return created(id)
  },
  async listDraftPayments({ params, query }, { db, caller }) {
    const rows = await draftRecords.list(db, caller.tenant, placeOf(params), query)
    return listed('DraftPayment', query, rows, toDraft, ({ id }) => Number(id))
  },
  async getDraftPayment({ params }, { db, caller }) {
    return found('DraftPayment', toDraft(await draftOf(db, caller.tenant, params)))
  },
  async updateDraftPayment({ params, body: { status, previous_updated_timestamp: previous, ...changes } }, context) {
    const writing = writingOf(context)
    const { db, tenant, at } = writing
    const { id } = await draftOf(db, tenant, params)
    const draft = (await draftRecords.lock(db, tenant, id)) ?? notFound('draft', id)
    if (draft.status !== 'PENDING') throw new Failure('invalid', `The draft was ${draft.status.toLowerCase()} already.`)
    refuseOutdated(draft.updatedAt, previous)
    const from = await accountNamed(db, tenant, params['monetary-accountID'])
    const { entries, schedule = null } = { ...draft.body, ...changes }
    await checkDraft(writing, from, changes)
    const payments: string[] = []
    const scheduled: string[] = []
    if (status === 'ACCEPTED')
      for (const payment of entries)
        if (schedule) scheduled.push(await schedulePayment(writing, from, { payment, schedule }))
        else payments.push((await payOrder(writing, from, payment)).id)
    await draftRecords.update(db, tenant, id, { status, body: { entries, schedule, payments, scheduled }, at })
    if (status)
      await announce(writing, [
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

/** The caller must have seen the draft as it is now, if it says what it has seen. */
function refuseOutdated(updatedAt: Date, previous: string | undefined): void {
  if (previous !== undefined && readMoment(previous)?.getTime() !== updatedAt.getTime())
    throw new Failure('invalid', `The draft was changed at ${momentOf(updatedAt)}: read it again before you change it.`)
}
