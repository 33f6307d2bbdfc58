import { invalid } from '@icosa/kernel'
import { notSupported } from '@icosa/module/not-supported'
import type { Account } from '../accounts/store.ts'
import { amountIn } from '../payments/pay.ts'
import type { Amount } from '../shapes/contract.ts'
import { momentOf, readMoment } from '../shapes/moments.ts'
import { unsupported } from '../unsupported.ts'
import type { Access, DetailKind, Frequency, Terms } from './store.ts'

export type NewDetail = Partial<Access> & {
  readonly budget?: { readonly amount: Amount; readonly frequency: Frequency } | null
}

export interface TermsBody {
  readonly access_type?: Terms['accessType']
  readonly share_detail?: Readonly<Record<string, NewDetail | undefined>>
  readonly end_date?: string | null
  readonly share_type?: string
}

const kinds: Readonly<Record<string, DetailKind>> = {
  payment: 'payment',
  draft_payment: 'draft_payment',
  read_only: 'read_only',
  ShareDetailPayment: 'payment',
  ShareDetailDraftPayment: 'draft_payment',
  ShareDetailReadOnly: 'read_only',
}
const none: Access = {
  view_balance: false,
  view_old_events: false,
  view_new_events: false,
  make_draft_payments: false,
  make_payments: false,
}
const viewAll = { view_balance: true, view_old_events: true, view_new_events: true }
const ofType: Readonly<Record<Terms['accessType'], readonly [DetailKind, Access]>> = {
  VIEW_BALANCE: ['read_only', { ...none, view_balance: true }],
  VIEW_TRANSACTION: ['read_only', { ...none, ...viewAll }],
  DRAFT_PAYMENT: ['draft_payment', { ...none, ...viewAll, make_draft_payments: true }],
  FULL_TRANSIENT: ['payment', { ...none, ...viewAll, make_draft_payments: true, make_payments: true }],
}

function typeOf({ make_payments, make_draft_payments, view_old_events, view_new_events }: Access): Terms['accessType'] {
  if (make_payments) return 'FULL_TRANSIENT'
  if (make_draft_payments) return 'DRAFT_PAYMENT'
  return view_old_events || view_new_events ? 'VIEW_TRANSACTION' : 'VIEW_BALANCE'
}

/** Reads what an invitation grants: either an access type, or one detail. */
export function accessIn(account: Account, { access_type: type, share_detail: detail }: TermsBody) {
  const at = 'body/share_detail'
  if ((type === undefined) === (detail === undefined))
    invalid([{ at, message: 'is required, unless there is an access_type; not both' }])
  if (type !== undefined) {
    const [kind, access] = ofType[type]
    return { detail: kind, access, budget: null, accessType: type }
  }
  const [[name, granted] = ['', {}], ...others] = Object.entries(detail ?? {}) as [string, NewDetail][]
  const kind = kinds[name]
  if (!kind || others.length > 0) invalid([{ at, message: 'must have exactly one member' }])
  const { budget, ...flags } = granted
  const access = { ...none, ...flags }
  if (Object.values(access).every((is) => !is)) invalid([{ at, message: 'grants nothing' }])
  if ((access.view_old_events || access.view_new_events) && !access.view_balance)
    invalid([{ at, message: 'view_balance is required to view events, which show the balance' }])
  if (budget && !access.make_payments) invalid([{ at, message: 'a budget requires make_payments' }])
  const limit = budget
    ? { amount: String(amountIn(account.currency, budget.amount, `${at}/budget`)), frequency: budget.frequency }
    : null
  return { detail: kind as DetailKind, access, budget: limit, accessType: typeOf(access) }
}

/** Parses a time, which must be in the future if it is an end. */
export function timeIn(text: string | null | undefined, field: string, after?: Date): string | null {
  if (text === null || text === undefined) return null
  const at = readMoment(text.replace('Z', '')) ?? invalid([{ at: `body/${field}`, message: `${text} is not a time` }])
  if (after && at <= after) invalid([{ at: `body/${field}`, message: 'must be in the future' }])
  return momentOf(at)
}

export function refuseMutual({ share_type: type }: TermsBody): void {
  if (type === 'MUTUAL') notSupported(unsupported.mutualShares)
}
