import type { ReadingDb } from '@icosa/kernel'
import { existingAccount } from '../accounts/existing.ts'
import type { Account } from '../accounts/store.ts'
import { labelOf, toAmount } from '../accounts/view.ts'
import { stamps } from '../schedules/view.ts'
import { findUser } from '../users/store.ts'
import { labelOfUser } from '../users/view.ts'
import { available } from './budget.ts'
import { type DetailKind, hasEnded, type Share } from './store.ts'

const originalNames = {
  payment: 'ShareDetailPayment',
  draft_payment: 'ShareDetailDraftPayment',
  read_only: 'ShareDetailReadOnly',
} as const satisfies Readonly<Record<DetailKind, string>>

/** The granted access, under the name of the description and that of the responses that clients read. */
function detailOf({ body }: Share, spender: Share, { currency }: Account, now: Date) {
  const { view_balance, view_old_events, view_new_events, make_draft_payments, make_payments } = body.access
  const budget = body.budget && {
    amount: toAmount(BigInt(body.budget.amount), currency),
    amount_available: toAmount(available(spender, now), currency),
    frequency: body.budget.frequency,
  }
  const detail = {
    view_balance,
    view_old_events,
    view_new_events,
    ...(body.detail !== 'read_only' && { make_draft_payments }),
    ...(body.detail === 'payment' && { make_payments, budget }),
  }
  return { [body.detail]: detail, [originalNames[body.detail]]: detail }
}

async function termsOf(share: Share, spender: Share, account: Account, now: Date) {
  const { status, body } = share
  const isOpen = status === 'PENDING' || status === 'ACCEPTED'
  return {
    ...stamps(share),
    access_type: body.accessType,
    share_detail: detailOf(share, spender, account, now) as never,
    share_type: 'STANDARD',
    start_date: body.start,
    end_date: body.end,
    status: isOpen && hasEnded(share, now) ? 'EXPIRED' : status,
  }
}

interface ViewContext {
  readonly db: ReadingDb
  readonly tenant: string
  readonly now: Date
}

async function userLabel({ db, tenant }: ViewContext, id: string) {
  const user = await findUser(db, tenant, id)
  if (!user) throw new Error(`user ${id} does not exist`)
  return labelOfUser(user)
}

const endedBy = async (context: ViewContext, { body }: Share) =>
  body.endedBy === null ? null : userLabel(context, body.endedBy)

export async function toShareInquiry(context: ViewContext, inquiry: Share, response: Share) {
  const account = await existingAccount(context.db, context.tenant, inquiry.account as string)
  return {
    ...(await termsOf(inquiry, response, account, context.now)),
    alias: labelOf(account),
    user_alias_created: await userLabel(context, inquiry.user),
    user_alias_revoked: await endedBy(context, inquiry),
    counter_user_alias: await userLabel(context, inquiry.body.invitee),
    monetary_account_id: Number(inquiry.account),
    relationship: inquiry.body.relationship,
  }
}

export async function toShareResponse(context: ViewContext, response: Share) {
  const account = await existingAccount(context.db, context.tenant, response.account as string)
  return {
    ...(await termsOf(response, response, account, context.now)),
    counter_alias: labelOf(account),
    user_alias_cancelled: await endedBy(context, response),
    monetary_account_id: response.status === 'ACCEPTED' ? Number(response.account) : null,
    description: account.description,
  }
}
