import type { ReadingDb, Vault } from '@icosa/kernel'
import { accountNamed } from '../accounts/named.ts'
import { actionRecords } from '../cards/store.ts'
import { toAction } from '../cards/view.ts'
import { draftRecords, toDraft } from '../drafts/store.ts'
import { invoiceRecords } from '../invoices/store.ts'
import { toInvoice } from '../invoices/view.ts'
import { findPayment } from '../payments/store.ts'
import { toPayment } from '../payments/view.ts'
import { inquiries, responses } from '../requests/store.ts'
import { toInquiry, toResponse } from '../requests/view.ts'
import { instanceRecords } from '../schedules/store.ts'
import { toInstance } from '../schedules/view.ts'
import { shownTab } from '../tabs/shown.ts'
import { tabRecords, tabResponses } from '../tabs/store.ts'
import type { Happening } from './announce.ts'

type Shown = Readonly<Record<string, unknown>>

/** What it takes to show something. */
export interface Reading {
  readonly db: ReadingDb
  readonly tenant: string
  readonly now: Date
  readonly vault: Vault
  readonly publicUrl: string
}

/** How the thing is shown that something happened to, by its kind. */
const readers: Readonly<Record<string, (reading: Reading, of: Happening) => Promise<Shown | undefined>>> = {
  Payment: async ({ db, tenant }, { account, id }) => shown(await findPayment(db, tenant, account, id), toPayment),
  RequestInquiry: async ({ db, tenant }, { id }) => shown(await inquiries.findAny(db, tenant, id), toInquiry),
  RequestResponse: async ({ db, tenant }, { id }) => shown(await responses.findAny(db, tenant, id), toResponse),
  DraftPayment: async ({ db, tenant }, { id }) => shown(await draftRecords.findAny(db, tenant, id), toDraft),
  Invoice: async ({ db, tenant }, { id }) => shown(await invoiceRecords.findAny(db, tenant, id), toInvoice),
  ScheduleInstance: async ({ db, tenant }, { id }) => shown(await instanceRecords.findAny(db, tenant, id), toInstance),
  async MasterCardAction({ db, tenant }, { id, account }) {
    const of = await accountNamed(db, tenant, account)
    return shown(await actionRecords.findAny(db, tenant, id), (kept) => toAction(kept, of))
  },
  async VendorMeTab(reading, { id }) {
    const kept = await tabRecords.findAny(reading.db, reading.tenant, id)
    return kept && shownTab(reading, kept)
  },
  async VendorMeTabResultResponse({ db, tenant }, { id, account }) {
    const kept = await tabResponses.findAny(db, tenant, id)
    const payment = kept && (await findPayment(db, tenant, account, kept.body.payment))
    return payment && { id: Number(id), payment: toPayment(payment) }
  },
}

const shown = <Row>(row: Row | undefined, show: (row: Row) => Shown) => row && show(row)

export const objectOf = (reading: Reading, happened: Happening): Promise<Shown | undefined> =>
  readers[happened.kind]?.(reading, happened) ?? Promise.resolve(undefined)
