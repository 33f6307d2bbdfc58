import type { ReadingContext, ReadingDb } from '@icosa/kernel'
import { existingAccount } from '../accounts/existing.ts'
import { actionStore } from '../cards/store.ts'
import { toAction } from '../cards/view.ts'
import { draftStore, toDraft } from '../drafts/store.ts'
import { invoiceStore } from '../invoices/store.ts'
import { toInvoice } from '../invoices/view.ts'
import { findPayment } from '../payments/store.ts'
import { toPayment } from '../payments/view.ts'
import { inquiries, responses } from '../requests/store.ts'
import { toInquiry, toResponse } from '../requests/view.ts'
import { instanceStore } from '../schedules/store.ts'
import { toInstance } from '../schedules/view.ts'
import { shareInquiries, shareResponses } from '../shares/store.ts'
import { toShareInquiry, toShareResponse } from '../shares/view.ts'
import { tabResponses, tabStore } from '../tabs/store.ts'
import { tabView } from '../tabs/tab-view.ts'
import { topUpStore } from '../topups/store.ts'
import { toTopUp } from '../topups/view.ts'
import type { DomainEvent } from './publish.ts'

type View = Readonly<Record<string, unknown>>

export interface ViewContext extends Pick<ReadingContext, 'tenantVault'> {
  readonly db: ReadingDb
  readonly tenant: string
  readonly now: Date
  readonly publicUrl: string
}

/** Views of the objects of events, by kind. */
const readers: Readonly<Record<string, (context: ViewContext, event: DomainEvent) => Promise<View | undefined>>> = {
  Payment: async ({ db, tenant }, { account, id }) => viewOf(await findPayment(db, tenant, account, id), toPayment),
  RequestInquiry: async ({ db, tenant }, { id }) => viewOf(await inquiries.findAny(db, tenant, id), toInquiry),
  RequestResponse: async ({ db, tenant }, { id }) => viewOf(await responses.findAny(db, tenant, id), toResponse),
  DraftPayment: async ({ db, tenant }, { id }) => viewOf(await draftStore.findAny(db, tenant, id), toDraft),
  Invoice: async ({ db, tenant }, { id }) => viewOf(await invoiceStore.findAny(db, tenant, id), toInvoice),
  ScheduleInstance: async ({ db, tenant }, { id }) => viewOf(await instanceStore.findAny(db, tenant, id), toInstance),
  async MasterCardAction({ db, tenant }, { id, account }) {
    const payer = await existingAccount(db, tenant, account)
    return viewOf(await actionStore.findAny(db, tenant, id), (action) => toAction(action, payer))
  },
  async ShareInviteBankInquiry(context, { id }) {
    const inquiry = await shareInquiries.findAny(context.db, context.tenant, id)
    const response = inquiry && (await shareResponses.findAny(context.db, context.tenant, inquiry.body.other))
    return response && toShareInquiry(context, inquiry, response)
  },
  async ShareInviteBankResponse(context, { id }) {
    const response = await shareResponses.findAny(context.db, context.tenant, id)
    return response && toShareResponse(context, response)
  },
  async IdealMerchantTransaction({ db, tenant }, { id, account }) {
    const payee = await existingAccount(db, tenant, account)
    return viewOf(await topUpStore.findAny(db, tenant, id), (topUp) => toTopUp(topUp, payee))
  },
  async VendorMeTab(context, { id }) {
    const tab = await tabStore.findAny(context.db, context.tenant, id)
    return tab && tabView(context, tab)
  },
  async VendorMeTabResultResponse({ db, tenant }, { id, account }) {
    const response = await tabResponses.findAny(db, tenant, id)
    const payment = response && (await findPayment(db, tenant, account, response.body.payment))
    return payment && { id: Number(id), payment: toPayment(payment) }
  },
}

const viewOf = <Row>(row: Row | undefined, view: (row: Row) => View) => row && view(row)

export const objectOf = (context: ViewContext, event: DomainEvent): Promise<View | undefined> =>
  readers[event.kind]?.(context, event) ?? Promise.resolve(undefined)
