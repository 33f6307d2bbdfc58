import type { ReadingDb } from '@icosa/kernel'
import { findPayment } from '../payments/store.ts'
import { toPayment } from '../payments/view.ts'
import { inquiries, responses } from '../requests/store.ts'
import { toInquiry, toResponse } from '../requests/view.ts'
import type { Happening } from './announce.ts'

type Shown = Readonly<Record<string, unknown>>

/** How the thing is shown that something happened to, by its kind. */
const readers: Readonly<Record<string, (db: ReadingDb, tenant: string, of: Happening) => Promise<Shown | undefined>>> =
  {
    Payment: async (db, tenant, { account, id }) => shown(await findPayment(db, tenant, account, id), toPayment),
    RequestInquiry: async (db, tenant, { id }) => shown(await inquiries.findAny(db, tenant, id), toInquiry),
    RequestResponse: async (db, tenant, { id }) => shown(await responses.findAny(db, tenant, id), toResponse),
  }

const shown = <Row>(row: Row | undefined, show: (row: Row) => Shown) => row && show(row)

export const objectOf = (db: ReadingDb, tenant: string, happened: Happening): Promise<Shown | undefined> =>
  readers[happened.kind]?.(db, tenant, happened) ?? Promise.resolve(undefined)
